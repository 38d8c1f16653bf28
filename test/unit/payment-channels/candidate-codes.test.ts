// Goal: no payment is posted as foreign before every candidate code of Millime was checked after it.
// Method: the pure rules, with codes made by hand.
import { describe, expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS, millimes, parseInstant } from '../../../src/kernel';
import {
  type CandidateCode,
  candidateCodesOf,
  inCheckOrder,
  openCodesOf,
  tellsFrom,
} from '../../../src/payment-channels/qr/candidate-codes';
import type { ListedQrPayment } from '../../../src/payment-channels/qr/qr-answer';

const NOW = parseInstant('2026-03-05T02:20:00.000Z') ?? 0;

function paidBefore(agoMs: number): ListedQrPayment {
  return { transactionUniqueId: `q${agoMs}`, amount: millimes(1_000), channel: undefined, paidAt: NOW - agoMs };
}

function code(trackingId: string, more: Partial<CandidateCode> = {}): CandidateCode {
  return { trackingId, amount: millimes(1_000), isUnknown: false, isTest: false, failedChecks: 0, ...more };
}

function order(...wanted: readonly (readonly [number, readonly CandidateCode[]])[]): string[] {
  const each = wanted.map(([agoMs, codes]) => ({ payment: paidBefore(agoMs), codes }));
  return inCheckOrder(each, { startedAt: NOW, isTest: false }).map(({ trackingId }) => trackingId);
}

describe('the candidate codes of a payment', () => {
  test('are those of its amount created in the thirty days before it', () => {
    const payment = paidBefore(DAY_MS);
    expect(openCodesOf(payment, NOW)).toMatchObject({ amount: 1_000, madeAfter: payment.paidAt - 30 * DAY_MS });
  });

  test('stay open until a check six hours after the payment', () => {
    const payment = paidBefore(DAY_MS);
    expect(tellsFrom(payment)).toBe(payment.paidAt + 6 * HOUR_MS);
    expect(openCodesOf(payment, NOW).checkedBefore).toBe(payment.paidAt + 6 * HOUR_MS);
  });

  test('are checked once per run while the payment is young, and not again after a conclusive check', () => {
    expect(candidateCodesOf(paidBefore(HOUR_MS), NOW).checkedBefore).toBe(NOW);
    expect(candidateCodesOf(paidBefore(DAY_MS), NOW).checkedBefore).toBe(NOW - DAY_MS + 6 * HOUR_MS);
  });
});

describe('the order of checks', () => {
  test('contains each code once, those of the oldest payment first', () => {
    expect(order([2 * DAY_MS, [code('b'), code('a')]], [DAY_MS, [code('c'), code('a')]])).toEqual(['b', 'a', 'c']);
  });

  test('puts codes that never answer after those of all payments that can be decided', () => {
    const dead = code('dead', { failedChecks: 3 });
    const late = code('late', { failedChecks: 2 });
    expect(order([2 * DAY_MS, [late, dead]], [DAY_MS, [code('a')]], [HOUR_MS, [code('young')]])).toEqual([
      'late',
      'a',
      'dead',
      'young',
    ]);
  });

  test('omits codes that only the other application can check', () => {
    const unknown = { isUnknown: true };
    const codes = [code('theirs', { ...unknown, isTest: true }), code('ours', unknown), code('made', { isTest: true })];
    expect(order([DAY_MS, codes])).toEqual(['ours', 'made']);
  });
});
