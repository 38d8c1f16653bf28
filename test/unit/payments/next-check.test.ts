import { describe, expect, test } from '@jest/globals';
import { nextPendingCheck, pauseAfterFailuresMs } from '../../../src/attempts';
import { businessCalendar, formatInstant, parseInstant, WorkingDays } from '../../../src/kernel';
import { type CheckoutCheckFacts, nextCheckoutCheck } from '../../../src/payments/status-checks/next-check';

// A Friday; in Tunis it is an hour later.
const START = instant('2026-03-06T08:00:00Z');
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const SESSION_END = START + 20 * MINUTE_MS;
const days = { calendar: businessCalendar('Africa/Tunis'), workingDays: new WorkingDays([]) };

function instant(text: string): number {
  return parseInstant(text) ?? Number.NaN;
}

function next(facts: Partial<CheckoutCheckFacts>, now: number) {
  const known: CheckoutCheckFacts = {
    status: 'PENDING',
    settlementStatus: undefined,
    method: undefined,
    isBooked: false,
    refundedAt: undefined,
    isCancelled: false,
    startedAt: START,
    sessionEndsAt: SESSION_END,
    succeededAt: START,
    ...facts,
  };
  return nextCheckoutCheck(known, now, days);
}

describe('the next status check of a payment that is pending', () => {
  test.each([
    [0, 30],
    [30, 120],
    [121, 300],
    [300, 900],
    [900, 1260],
    [1260, 1260 + 86_400],
    [200_000, 200_000 + 86_400],
  ])('is, %s s after its start, at %s s', (after, at) => {
    const pending = { startedAt: START, sessionEndsAt: SESSION_END };
    expect(nextPendingCheck(pending, START + after * 1_000)).toBe(START + at * 1_000);
    expect(next({}, START + after * 1_000).nextCheckAt).toBe(START + at * 1_000);
  });

  test('is still daily when a person must find out, for it may be paid yet', () => {
    const now = START + 12 * DAY_MS;
    expect(next({}, now)).toEqual({ nextCheckAt: now + DAY_MS, isOver: false, isUnclear: true });
  });
});

describe('the next status check of a payment with a word that is neither paid nor final', () => {
  test('is as if it were pending, until five working days are over', () => {
    // Five working days after Friday are over with the next Friday.
    const fifth = instant('2026-03-13T12:00:00Z');
    expect(next({ status: 'SYSTEM_FAILURE' }, fifth)).toEqual({
      nextCheckAt: fifth + DAY_MS,
      isOver: false,
      isUnclear: false,
    });
    expect(next({ status: 'SYSTEM_FAILURE' }, instant('2026-03-16T12:00:00Z'))).toEqual({
      nextCheckAt: undefined,
      isOver: false,
      isUnclear: true,
    });
  });
});

describe.each(['FAILURE', 'EXPIRED'])('the next status check of a payment that is %s', (status) => {
  test('is a minute after its session ends, a day later for a late success, and none after that', () => {
    const over = SESSION_END + MINUTE_MS;
    const last = over + DAY_MS;
    expect(next({ status }, START + MINUTE_MS)).toEqual({ nextCheckAt: over, isOver: false, isUnclear: false });
    expect(next({ status }, over)).toEqual({ nextCheckAt: last, isOver: true, isUnclear: false });
    expect(next({ status }, last)).toEqual({ nextCheckAt: undefined, isOver: true, isUnclear: false });
  });
});

describe('the next status check of a payment that succeeded', () => {
  const paid = { status: 'SUCCESS', isBooked: true } as const;

  test.each(['wallet', 'mpayment'])('is none for %s, whose money is available at once', (method) => {
    expect(next({ ...paid, method, settlementStatus: 'AVAILABLE' }, START).nextCheckAt).toBeUndefined();
  });

  test('is at noon of the next working day for a card, then daily until it is paid out', () => {
    const card = { ...paid, method: 'card' } as const;
    const first = next({ ...card, settlementStatus: 'PROCESSING' }, START).nextCheckAt ?? 0;
    expect(formatInstant(first)).toBe('2026-03-09T11:00:00.000Z');
    expect(next({ ...card, settlementStatus: 'PROCESSING' }, first).nextCheckAt).toBe(first + DAY_MS);
    expect(next({ ...card, settlementStatus: 'AVAILABLE' }, first).nextCheckAt).toBe(first + DAY_MS);
    expect(next({ ...card, settlementStatus: 'IN_PAYOUT' }, first).nextCheckAt).toBe(first + DAY_MS);
    expect(next({ ...card, settlementStatus: 'PAID' }, first).nextCheckAt).toBeUndefined();
  });

  test('is daily as long as its money is not in the books', () => {
    const now = START + 40 * DAY_MS;
    for (const settlementStatus of ['AVAILABLE', 'PAID', undefined]) {
      expect(next({ status: 'SUCCESS', method: 'wallet', settlementStatus }, now).nextCheckAt).toBe(now + DAY_MS);
    }
  });

  test('is daily for ten days when the gateway does not say where the money is', () => {
    expect(next({ ...paid, method: 'card' }, START).nextCheckAt).toBe(START + DAY_MS);
    expect(next({ ...paid, method: 'card' }, START + 10 * DAY_MS).nextCheckAt).toBeUndefined();
  });

  test('is daily until a refund is seen, and none after that', () => {
    const refunded = { ...paid, method: 'wallet', refundedAt: START } as const;
    expect(next({ ...refunded, settlementStatus: 'AVAILABLE' }, START).nextCheckAt).toBe(START + DAY_MS);
    expect(next({ ...refunded, settlementStatus: 'NOT_APPLICABLE' }, START).nextCheckAt).toBeUndefined();
  });

  test('is daily for ten days after a refund, however long ago the payment was paid out', () => {
    const refundedAt = START + 19 * DAY_MS;
    const refunded = { ...paid, method: 'card', settlementStatus: 'PAID', refundedAt } as const;
    expect(next(refunded, refundedAt).nextCheckAt).toBe(refundedAt + DAY_MS);
    const last = refundedAt + 10 * DAY_MS;
    expect(next(refunded, last - 1).nextCheckAt).toBe(last - 1 + DAY_MS);
    expect(next(refunded, last).nextCheckAt).toBeUndefined();
  });

  test('is daily while money is held', () => {
    expect(next({ status: 'PREAUTH_SUCCESS' }, START).nextCheckAt).toBe(START + DAY_MS);
  });
});

describe('the next status check of a hold that we have cancelled', () => {
  test.each(['PREAUTH_SUCCESS', 'CANCELLED', 'FAILURE', 'PENDING'])(
    'is none once it is %s, and nobody is told',
    (status) => {
      const now = START + 30 * DAY_MS;
      const over = { nextCheckAt: undefined, isOver: true, isUnclear: false };
      expect(next({ status, isCancelled: true }, START + MINUTE_MS)).toEqual(over);
      expect(next({ status, isCancelled: true }, now)).toEqual(over);
    },
  );

  test('is that of paid money when it was taken after all', () => {
    const taken = { status: 'SUCCESS', method: 'wallet', isCancelled: true } as const;
    expect(next(taken, START)).toEqual({ nextCheckAt: START + DAY_MS, isOver: false, isUnclear: false });
  });
});

test('after failures the pause doubles from 30 s to a day', () => {
  expect([1, 2, 3, 12, 13, 99].map(pauseAfterFailuresMs)).toEqual([
    30_000,
    60_000,
    120_000,
    61_440_000,
    DAY_MS,
    DAY_MS,
  ]);
});
