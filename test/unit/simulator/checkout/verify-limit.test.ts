import { describe, expect, test } from '@jest/globals';
import { SECOND_MS } from '../../../../src/kernel';
import { NO_VERIFY_CALLS, type VerifyCalls } from '../../../../src/simulator/checkout/checkout-state';
import { countVerify, refuseBanned } from '../../../../src/simulator/checkout/verify-limit';
import { aCheckout, START } from './pack';

const LIMIT = { perMinute: 2, banAfter: 3, banMinutes: 15 };

/** Calls so many seconds after the start, and for each whether it was let through. */
function through(secs: readonly number[], limit: Parameters<typeof countVerify>[1] = LIMIT): boolean[] {
  let calls: VerifyCalls = NO_VERIFY_CALLS;
  return secs.map((after) => {
    const counted = countVerify(calls, limit, START + after * SECOND_MS);
    calls = counted.calls;
    return counted.retryAfterMs === undefined;
  });
}

describe('The limit of Verify Payment', () => {
  test('admits its number of calls in any minute', () => {
    expect(through([0, 30, 59, 60, 61, 90])).toEqual([true, true, false, true, false, true]);
  });

  test('returns when the next call is admitted', () => {
    const first = countVerify(NO_VERIFY_CALLS, { ...LIMIT, perMinute: 1 }, START);

    const second = countVerify(first.calls, { ...LIMIT, perMinute: 1 }, START + 20_500);

    expect(second.retryAfterMs).toBe(39_500);
  });

  test('bans a caller that continues after refusals, and forgets the refusals when the ban ends', () => {
    const world = aCheckout({ verify: LIMIT });
    const paymentId = world.create();
    const verify = (): number => world.call('payments.verify', { params: { payment_id: paymentId } }).status;

    expect([verify(), verify(), verify(), verify()]).toEqual([200, 200, 429, 429]);
    expect(refuseBanned(world.simulation)).toBeUndefined();
    expect(verify()).toBe(429);
    expect(refuseBanned(world.simulation)).toMatchObject({ status: 403 });
  });

  test('ends a ban after its duration', async () => {
    const world = aCheckout({ verify: LIMIT });
    for (let call = 0; call < 5; call += 1) world.call('payments.verify', { params: { payment_id: 'x' } });
    expect(refuseBanned(world.simulation)).toMatchObject({ status: 403 });

    await world.advanceSecs(15 * 60 - 1);
    expect(world.call('payments.verify', { params: { payment_id: 'x' } }).status).toBe(403);
    expect(refuseBanned(world.simulation)).toMatchObject({ status: 403 });
    await world.advanceSecs(1);

    expect(refuseBanned(world.simulation)).toBeUndefined();
    expect(world.call('payments.verify', { params: { payment_id: 'x' } }).status).toBe(404);
  });

  test('answers 429 with the seconds to wait', () => {
    const world = aCheckout({ verify: { ...LIMIT, perMinute: 1 } });
    world.call('payments.verify', { params: { payment_id: 'x' } });

    expect(world.call('payments.verify', { params: { payment_id: 'x' } })).toEqual({
      status: 429,
      body: { detail: expect.any(String) },
      headers: { 'Retry-After': '60' },
    });
  });

  test('does not ban for refusals more than a minute apart', () => {
    let calls: VerifyCalls = NO_VERIFY_CALLS;
    const bans: unknown[] = [];
    for (let round = 0; round < 10; round += 1) {
      for (const secs of [0, 1, 2]) {
        calls = countVerify(calls, LIMIT, START + (round * 120 + secs) * SECOND_MS).calls;
        bans.push(calls.bannedUntil);
      }
    }

    expect(calls.refused).toBe(1);
    expect(new Set(bans)).toEqual(new Set([null]));
  });

  test('is disabled by a null limit, and never bans with a null ban', () => {
    expect(through(Array<number>(100).fill(0), { ...LIMIT, perMinute: null })).not.toContain(false);

    let calls: VerifyCalls = NO_VERIFY_CALLS;
    for (let call = 0; call < 100; call += 1) calls = countVerify(calls, { ...LIMIT, banAfter: null }, START).calls;
    expect(calls).toMatchObject({ refused: 98, bannedUntil: null });
  });
});
