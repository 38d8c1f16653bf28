import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { aClient } from '../../support/a-client';
import { always, type Reply, ScriptedGateway } from '../../support/scripted-gateway';

// Goal: an answer larger than any of the interface is neither kept in memory nor awaited.
// Method: bodies around the limit of 8 MiB, plain and compressed; a valid one is a small object with trailing spaces.

const CAP_BYTES = 8 * 1024 * 1024;
const EMPTY_LIST = '{"result":{"bindings":[]}}';

let gateway: ScriptedGateway | undefined;

afterEach(async () => gateway?.stop());

async function listFrom(reply: Reply): Promise<unknown> {
  gateway = await ScriptedGateway.start(always(reply));
  const { baseUrl } = gateway;
  const client = aClient({ baseUrl, publicKey: 'pk', privateKey: 'sk', timeoutMs: 60_000 });
  return client.bindings.list({ clientId: 'client-1' });
}

function padded(bytes: number): Buffer {
  return Buffer.from(EMPTY_LIST.padEnd(bytes, ' '));
}

test('the client accepts a body of exactly the limit', async () => {
  await expect(listFrom({ kind: 'answer', body: padded(CAP_BYTES) })).resolves.toEqual([]);
});

test('the client refuses a body of one byte more and closes the connection', async () => {
  await expect(listFrom({ kind: 'answer', body: padded(CAP_BYTES + 1) })).rejects.toMatchObject({
    code: 'unexpected_shape',
    httpStatus: 200,
  });
  await gateway?.idle();
});

test('the client reports a body shorter than its stated length as interrupted, even if that length exceeds the limit', async () => {
  const headers = { 'Content-Length': '99999999999' };
  await expect(listFrom({ kind: 'answer', headers, body: EMPTY_LIST })).rejects.toMatchObject({ code: 'connection' });
});

describe.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const)('a body compressed with %s', (encoding, pack) => {
  const headers = { 'Content-Encoding': encoding };

  test('is accepted within the limit after decompression', async () => {
    await expect(listFrom({ kind: 'answer', headers, body: pack(padded(100_000)) })).resolves.toEqual([]);
  });

  test('is refused above the limit after decompression, however small when sent', async () => {
    const body = pack(padded(CAP_BYTES + 1));
    expect(body.length).toBeLessThan(20_000);
    await expect(listFrom({ kind: 'answer', headers, body })).rejects.toMatchObject({ code: 'unexpected_shape' });
    await gateway?.idle();
  });
});
