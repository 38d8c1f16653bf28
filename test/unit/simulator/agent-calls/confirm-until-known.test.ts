import { describe, expect, test } from '@jest/globals';
import {
  type ConfirmFault,
  type ConfirmResult,
  confirmUntilKnown,
  DEFAULT_BACKOFF,
  type KnownOutcome,
} from '../../../../src/simulator';

// Goal: a confirm is resent until its outcome is known, and a 3 after a lost reply counts as stored.
// Method: scripted results of the tries, and a sleep that only records its duration.

const LOST: ConfirmResult = { kind: 'lost', unheardCode: undefined };
const TIMED_OUT: ConfirmResult = { kind: 'timed_out' };
const DOWN: ConfirmResult = { kind: 'not_connected', reason: 'ECONNREFUSED' };
const code = (value: '0' | '1' | '2' | '3'): ConfirmResult => ({
  kind: 'answered',
  status: 200,
  body: { code: value },
});
const failed = (retryAfterMs?: number): ConfirmResult => ({ kind: 'failed', status: 503, retryAfterMs });

async function run(
  results: readonly ConfirmResult[],
  firstFault?: ConfirmFault,
): Promise<{ outcome: KnownOutcome; pausesMs: number[]; faults: (ConfirmFault | undefined)[] }> {
  const pausesMs: number[] = [];
  const faults: (ConfirmFault | undefined)[] = [];
  const waiting = [...results];
  const outcome = await confirmUntilKnown({
    async send(fault) {
      faults.push(fault);
      return waiting.shift() ?? LOST;
    },
    firstFault,
    async sleep(pauseMs) {
      pausesMs.push(pauseMs);
    },
  });
  return { outcome, pausesMs, faults };
}

describe('A confirm that is sent until its outcome is known', () => {
  test('is sent once when it is answered 0', async () => {
    expect(await run([code('0')])).toEqual({
      outcome: { kind: 'registered', code: '0', tries: 1 },
      pausesMs: [],
      faults: [undefined],
    });
  });

  test.each([
    ['a lost reply', LOST],
    ['a time-out', TIMED_OUT],
    ['a 503', failed()],
  ])('is registered when %s is followed by 3', async (_what, first) => {
    const { outcome } = await run([first, code('3')]);
    expect(outcome).toEqual({ kind: 'registered', code: '3', tries: 2 });
  });

  test('is a duplicate of another caller if the first answer is 3', async () => {
    expect((await run([code('3')])).outcome).toEqual({ kind: 'not_registered', code: '3', tries: 1 });
  });

  test('is not registered by a 3 if no earlier request was sent completely', async () => {
    expect((await run([DOWN, code('3')])).outcome).toEqual({ kind: 'not_registered', code: '3', tries: 2 });
    expect((await run([LOST, code('3')], 'cut_request')).outcome.kind).toBe('not_registered');
  });

  test('applies the fault to the first try only', async () => {
    expect((await run([LOST, LOST, code('3')], 'lose_reply')).faults).toEqual(['lose_reply', undefined, undefined]);
  });

  test('waits twice as long before each try, and gives up as unknown after the last one', async () => {
    expect(await run([])).toMatchObject({
      outcome: { kind: 'unknown', tries: DEFAULT_BACKOFF.triesMax },
      pausesMs: [1_000, 2_000, 4_000, 8_000, 16_000],
    });
  });

  test('waits for the time of Retry-After if it is longer, up to the longest pause', async () => {
    const { pausesMs } = await run([failed(5_000), failed(100), failed(3_600_000), code('0')]);
    expect(pausesMs).toEqual([5_000, 2_000, 60_000]);
  });

  test('is reported as not sent if the endpoint cannot be reached', async () => {
    expect((await run(Array.from({ length: 9 }, () => DOWN))).outcome).toEqual({ kind: 'not_sent', tries: 6 });
  });

  test('ends at a 403: refused, or unknown when an earlier try may have been stored', async () => {
    const refused: ConfirmResult = { kind: 'refused', status: 403 };
    expect((await run([refused])).outcome).toEqual({ kind: 'refused', tries: 1 });
    expect((await run([LOST, refused])).outcome).toEqual({ kind: 'unknown', tries: 2 });
  });

  test('is unknown after an unreadable answer, and is not sent again', async () => {
    const { outcome, faults } = await run([{ kind: 'unexpected', status: 200, reason: 'the body is not JSON' }]);
    expect(outcome).toEqual({ kind: 'unknown', tries: 1 });
    expect(faults).toHaveLength(1);
  });
});
