import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { faultBody } from '../../../src/api/operation/problem';
import { carried, faultOf } from '../../../src/api/threads/carried-fault';
import { performInThreads } from '../../../src/api/threads/start-thread';
import { AppError } from '../../../src/kernel';
import { recordingLogger } from '../../support/fakes';

// Goal: the body of a long operation moves to its thread, an abandoned one ends, and a fault stays small on its way.
// Method: threads of a script that computes without end if it is told to.

const perform = performInThreads(join(__dirname, 'support', 'echo-thread.cjs'), recordingLogger());

const task = (operationId: string, body: unknown) => ({ operationId, input: { body } as never });

test('moves a large body to the thread without a copy', async () => {
  const body = Buffer.alloc(1_000_000);
  expect((await perform(task('echo', body))).body).toBe('1000000');
  expect(body.byteLength).toBe(0);
});

test('sends a body that shares its memory, and leaves the memory in place', async () => {
  const memory = new Uint8Array(100);
  expect((await perform(task('echo', memory.subarray(0, 7)))).body).toBe('7');
  expect(memory.byteLength).toBe(100);
});

test('ends an operation without its client, although it computes, and performs the next one', async () => {
  const left = new AbortController();
  const endless = perform(task('endless', undefined), left.signal);
  left.abort();
  await expect(endless).rejects.toMatchObject({ code: 'unavailable' });
  expect((await perform(task('echo', Buffer.alloc(3)))).body).toBe('3');
});

test('reports a client that left after the answer to no thread', async () => {
  const left = new AbortController();
  await perform(task('echo', undefined), left.signal);
  left.abort();
  expect((await perform(task('echo', Buffer.alloc(5)))).body).toBe('5');
});

test('carries the first faults of a file and their number', () => {
  const details = Array.from({ length: 150_000 }, (_, index) => `line ${index}: ${'é'.repeat(1_000)}`);
  const fault = carried(new AppError('file_faults', { file: 'dues file' }, { details }));
  expect(JSON.stringify(fault).length).toBeLessThan(110_000);
  const body = faultBody(faultOf(fault) as AppError);
  expect(body).toMatchObject({ code: 'file_faults', errorCount: 150_000 });
  expect((body['errors'] as { detail: string }[])[99]?.detail).toMatch(/^line 99: é{291}…$/);
  expect(body['errors']).toHaveLength(100);
  expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(100_000);
});
