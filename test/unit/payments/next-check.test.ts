import { describe, expect, test } from '@jest/globals';
import { nextPendingCheck, pauseAfterFailuresMs } from '../../../src/attempts';
import { businessCalendar, DAY_MS, formatInstant, MINUTE_MS, parseInstant, WorkingDays } from '../../../src/kernel';
import { type CheckoutCheckFacts, nextCheckoutCheck } from '../../../src/payments/status-checks/next-check';

// A Friday; in Tunis it is an hour later.
const START = instant('2026-03-06T08:00:00Z');
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

describe('the next status check of a pending payment', () => {
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

  test('stays daily while a person investigates, because it may still be paid', () => {
    const now = START + 12 * DAY_MS;
    expect(next({}, now)).toEqual({ nextCheckAt: now + DAY_MS, isOver: false, isUnclear: true });
  });
});

describe('the next status check of a payment whose status is neither paid nor final', () => {
  test('is that of a pending payment until five working days have passed', () => {
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

describe.each(['FAILURE', 'EXPIRED'])('the next status check of a payment with status %s', (status) => {
  test('is a minute after its session ends, then a day later for a late success, then none', () => {
    const over = SESSION_END + MINUTE_MS;
    const last = over + DAY_MS;
    expect(next({ status }, START + MINUTE_MS)).toEqual({ nextCheckAt: over, isOver: false, isUnclear: false });
    expect(next({ status }, over)).toEqual({ nextCheckAt: last, isOver: true, isUnclear: false });
    expect(next({ status }, last)).toEqual({ nextCheckAt: undefined, isOver: true, isUnclear: false });
  });
});

describe('the next status check of a paid or held payment', () => {
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

  test('is daily while its money is not posted', () => {
    const now = START + 40 * DAY_MS;
    for (const settlementStatus of ['AVAILABLE', 'PAID', undefined]) {
      expect(next({ status: 'SUCCESS', method: 'wallet', settlementStatus }, now).nextCheckAt).toBe(now + DAY_MS);
    }
  });

  test('is daily for ten days while the gateway reports no settlement status', () => {
    expect(next({ ...paid, method: 'card' }, START).nextCheckAt).toBe(START + DAY_MS);
    expect(next({ ...paid, method: 'card' }, START + 10 * DAY_MS).nextCheckAt).toBeUndefined();
  });

  test('is daily until the refund is observed, then none', () => {
    const refunded = { ...paid, method: 'wallet', refundedAt: START } as const;
    expect(next({ ...refunded, settlementStatus: 'AVAILABLE' }, START).nextCheckAt).toBe(START + DAY_MS);
    expect(next({ ...refunded, settlementStatus: 'NOT_APPLICABLE' }, START).nextCheckAt).toBeUndefined();
  });

  test('is daily for ten days after a refund, however early the payment was paid out', () => {
    const refundedAt = START + 19 * DAY_MS;
    const refunded = { ...paid, method: 'card', settlementStatus: 'PAID', refundedAt } as const;
    expect(next(refunded, refundedAt).nextCheckAt).toBe(refundedAt + DAY_MS);
    const last = refundedAt + 10 * DAY_MS;
    expect(next(refunded, last - 1).nextCheckAt).toBe(last - 1 + DAY_MS);
    expect(next(refunded, last).nextCheckAt).toBeUndefined();
  });

  test('is daily for a hold', () => {
    expect(next({ status: 'PREAUTH_SUCCESS' }, START).nextCheckAt).toBe(START + DAY_MS);
  });
});

describe('the next status check of a hold that Millime cancelled', () => {
  test.each(['PREAUTH_SUCCESS', 'CANCELLED', 'FAILURE', 'PENDING'])(
    'is none at status %s, without a report',
    (status) => {
      const now = START + 30 * DAY_MS;
      const over = { nextCheckAt: undefined, isOver: true, isUnclear: false };
      expect(next({ status, isCancelled: true }, START + MINUTE_MS)).toEqual(over);
      expect(next({ status, isCancelled: true }, now)).toEqual(over);
    },
  );

  test('is that of a paid payment if the hold was captured', () => {
    const taken = { status: 'SUCCESS', method: 'wallet', isCancelled: true } as const;
    expect(next(taken, START)).toEqual({ nextCheckAt: START + DAY_MS, isOver: false, isUnclear: false });
  });
});

test('the pause after failed checks doubles from 30 s to a day', () => {
  expect([1, 2, 3, 12, 13, 99].map(pauseAfterFailuresMs)).toEqual([
    30_000,
    60_000,
    120_000,
    61_440_000,
    DAY_MS,
    DAY_MS,
  ]);
});
