// Goal: one answer of Verify Payment has the right effect on a payment, in every combination that matters for money.
// Method: the pure decision on hand-made facts; no database, no gateway.
import { describe, expect, test } from '@jest/globals';
import type { ReconBreak } from '../../../src/breaks';
import { businessCalendar, businessDate, DAY_MS, millimes, MINUTE_MS, WorkingDays } from '../../../src/kernel';
import type { Payment, PaymentOperation } from '../../../src/payments/payment';
import type { StatusCheckFacts } from '../../../src/payments/status-checks/apply-status-check';
import { decideStatusCheck } from '../../../src/payments/status-checks/decide-status-check';
import type { CheckoutAnswer } from '../../../src/payments/status-checks/find-mismatches';
import { AGREES_AGAIN } from '../../../src/payments/status-checks/webhook-mismatch';
import { aPayment } from '../../support/factories/a-payment';

// A Monday morning in Tunis.
const START = Date.UTC(2026, 2, 2, 8);
const NOW = START + 2 * MINUTE_MS;
const days = { calendar: businessCalendar('Africa/Tunis'), workingDays: new WorkingDays([]) };

const payment = aPayment({
  trackingId: 'T1',
  reference: 'order-1',
  isLive: true,
  amount: millimes(50_000),
  requestedAt: START,
  gatewayId: 'p1',
  sessionEndsAt: START + 20 * MINUTE_MS,
  nextCheckAt: START,
});

const answer: CheckoutAnswer = {
  status: 'SUCCESS',
  type: 'wallet',
  amount: millimes(50_000),
  settlementStatus: 'AVAILABLE',
  developerTrackingId: 'T1',
  destination: [],
  observedAt: NOW,
};

const split = { destination: [{ amountMillimes: 20_000, destination: '0123' }] };

function decide(known: Partial<Payment>, told: Partial<CheckoutAnswer> = {}, more: Partial<StatusCheckFacts> = {}) {
  const facts = { payment: { ...payment, ...known }, operations: [], mismatches: [], item: undefined, ...more };
  return decideStatusCheck(facts, { ...answer, ...told }, days);
}

function anOperation(overrides: Partial<PaymentOperation>): PaymentOperation {
  return {
    id: 'O1',
    trackingId: 'T1',
    kind: 'refund',
    state: 'done',
    amount: undefined,
    refundId: undefined,
    error: undefined,
    requestedAt: START,
    endedAt: START,
    nextCheckAt: undefined,
    checks: 0,
    requestedBy: 'test',
    ...overrides,
  };
}

function aMismatch(overrides: Partial<ReconBreak>, source = 'verify', field = 'amount'): ReconBreak {
  return {
    id: 'B1',
    fingerprint: `webhook_mismatch:T1:${field}`,
    breakClass: 'webhook_mismatch',
    status: 'open',
    since: businessDate('2026-03-02'),
    amount: undefined,
    direction: 'may_have_moved',
    subject: { itemIds: [], lineIds: [], facts: { source, field } },
    openedAt: START,
    resolvedAt: undefined,
    resolution: undefined,
    ...overrides,
  };
}

const classes = (decision: ReturnType<typeof decide>) => decision.breaks.map(({ breakClass }) => breakClass);

describe('a success', () => {
  test('is posted to the channel of its type and to the agent whose due it pays', () => {
    for (const type of ['card', 'wallet', 'mpayment'] as const) {
      const decision = decide({ agentId: 'A1' }, { type });
      expect(decision.items).toEqual([
        { itemId: 'payment:p1', channel: type, amount: 50_000, agentId: 'A1', refundOf: undefined, occurredAt: NOW },
      ]);
      expect(decision.change).toMatchObject({ itemId: 'payment:p1', status: 'SUCCESS', method: type });
    }
  });

  test('is dated between the previous status check and this one, unless the gateway stated its time', () => {
    expect(decide({}).change).toMatchObject({ succeededAfter: START, succeededUntil: NOW });
    const checked = { status: 'PENDING', lastCheckAt: START + MINUTE_MS };
    expect(decide(checked).change).toMatchObject({ succeededAfter: START + MINUTE_MS, succeededUntil: NOW });
    const told = decide({ succeededAfter: START + 5, succeededUntil: START + 5 });
    expect(told.items).toMatchObject([{ occurredAt: START + 5 }]);
  });

  test('is posted once', () => {
    expect(decide({ status: 'SUCCESS', itemId: 'payment:p1', succeededUntil: START }).items).toEqual([]);
  });

  test('of test money is not posted, and no further check waits for its posting', () => {
    const decision = decide({ isTest: true });
    expect(decision.items).toEqual([]);
    expect(decision.change).toMatchObject({ itemId: undefined, nextCheckAt: undefined });
  });

  test('without an own share is not posted, and no further check waits for its posting', () => {
    const decision = decide({ kind: 'split', ourShare: millimes(0) });
    expect(decision.items).toEqual([]);
    expect(decision.change.nextCheckAt).toBeUndefined();
  });
});

describe('a difference', () => {
  test.each<[string, Partial<Payment>, Partial<CheckoutAnswer>]>([
    ['amount', {}, { amount: millimes(49_999) }],
    ['tracking_id', {}, { developerTrackingId: 'T2' }],
    ['destination', {}, { destination: [{ amount: 1, destination: '0123' }] }],
    ['destination', { kind: 'split', terms: split }, { destination: [{ amount: 20_000, destination: '0124' }] }],
    ['type', {}, { type: 'NA' }],
    ['type', {}, { type: undefined }],
    ['amount', { kind: 'preauthorization', captured: millimes(30_000) }, { amount: millimes(50_000) }],
    ['amount', { kind: 'preauthorization' }, { amount: millimes(50_001) }],
  ])('of the %s opens a break, posts nothing and is checked daily', (field, known, told) => {
    const decision = decide(known, told);
    expect(decision.items).toEqual([]);
    expect(decision.breaks).toMatchObject([{ fingerprint: `webhook_mismatch:T1:${field}` }]);
    expect(decision.change).toMatchObject({ itemId: undefined, nextCheckAt: NOW + DAY_MS });
  });

  test.each<[string, Partial<Payment>, Partial<CheckoutAnswer>]>([
    ['no tracking id', {}, { developerTrackingId: undefined }],
    ['no destination', { kind: 'split', terms: split, ourShare: millimes(30_000) }, {}],
    ['the split', { kind: 'split', terms: split }, { destination: [{ amount: 20_000, destination: '0123' }] }],
    ['the captured amount', { kind: 'preauthorization', captured: millimes(7) }, { amount: millimes(7) }],
  ])('is not reported for %s', (_, known, told) => {
    const decision = decide(known, told);
    expect(decision.breaks).toEqual([]);
    expect(decision.items).toHaveLength(1);
  });

  test('from a status check resolves its break when a check agrees, and reopens it when it returns', () => {
    const agreed = decide({}, {}, { mismatches: [aMismatch({})] });
    expect(agreed).toMatchObject({ resolve: [{ id: 'B1', resolution: AGREES_AGAIN }], items: [{ amount: 50_000 }] });
    const ended = aMismatch({ status: 'resolved', resolution: AGREES_AGAIN });
    const back = decide({}, { amount: millimes(1) }, { mismatches: [ended] });
    expect(back).toMatchObject({ reopen: [{ id: 'B1' }], items: [] });
  });

  test('from a webhook stays open and does not stop the posting of an agreeing answer', () => {
    const told = aMismatch({}, 'webhook');
    expect(decide({}, {}, { mismatches: [told] })).toMatchObject({ resolve: [], items: [{ amount: 50_000 }] });
    expect(decide({}, { amount: millimes(1) }, { mismatches: [told] }).items).toEqual([]);
  });

  test('of the amount is not reported while the payment is unpaid', () => {
    expect(decide({}, { status: 'PENDING', type: 'NA', amount: millimes(0) }).breaks).toEqual([]);
  });
});

describe('a hold', () => {
  const hold = { kind: 'preauthorization' } as const;

  test('is not posted', () => {
    const decision = decide(hold, { status: 'PREAUTH_SUCCESS', settlementStatus: 'NOT_APPLICABLE' });
    expect(decision.items).toEqual([]);
    expect(decision.change).toMatchObject({ status: 'PREAUTH_SUCCESS', nextCheckAt: NOW + DAY_MS });
  });

  test('captured outside Millime is posted with the captured amount and the time of the capture', () => {
    const held = { ...hold, status: 'PREAUTH_SUCCESS', lastCheckAt: START + 1, succeededAfter: 7, succeededUntil: 7 };
    const decision = decide(held, { amount: millimes(30_000) });
    expect(decision.items).toMatchObject([{ amount: 30_000, occurredAt: NOW }]);
    expect(decision.change).toMatchObject({ captured: 30_000, succeededAfter: START + 1, succeededUntil: NOW });
  });

  test('whose capture is posted stays live when the gateway reports FAILURE', () => {
    const taken = { ...hold, status: 'PREAUTH_SUCCESS', itemId: 'payment:p1', captured: millimes(50_000) };
    const decision = decide(taken, { status: 'FAILURE', settlementStatus: 'NOT_APPLICABLE' });
    expect(classes(decision)).toEqual(['settlement_regressed']);
    expect(decision.change).toMatchObject({ status: 'PREAUTH_SUCCESS' });
    expect(decision.change).not.toHaveProperty('isLive');
  });
});

describe('a contradiction', () => {
  const paid = {
    status: 'SUCCESS',
    settlementStatus: 'AVAILABLE',
    method: 'wallet',
    itemId: 'payment:p1',
    succeededUntil: START,
  } as const;

  test('of a success leaves the payment unchanged and opens one break', () => {
    const decision = decide(paid, { status: 'FAILURE', settlementStatus: 'NOT_APPLICABLE' });
    expect(decision.breaks).toMatchObject([
      { fingerprint: 'settlement_regressed:T1:SUCCESS-FAILURE', subject: { facts: { of: 'status' } } },
    ]);
    expect(decision.change).toMatchObject({ status: 'SUCCESS', settlementStatus: 'AVAILABLE', itemId: 'payment:p1' });
  });

  test('is not reported for a refunded payment, whatever its status', () => {
    const told = { status: 'REFUNDED', settlementStatus: 'NOT_APPLICABLE' };
    const decision = decide(paid, told, { operations: [anOperation({})] });
    expect(decision.breaks).toEqual([]);
    expect(decision.change).toMatchObject({
      status: 'SUCCESS',
      settlementStatus: 'NOT_APPLICABLE',
      nextCheckAt: undefined,
    });
  });

  test('is a settlement status that the channel does not have', () => {
    const decision = decide(paid, { settlementStatus: 'IN_PAYOUT' });
    expect(classes(decision)).toEqual(['settlement_regressed']);
    expect(decision.change).toMatchObject({ settlementStatus: 'AVAILABLE' });
  });

  test('is a returned payout, and the settlement status follows it', () => {
    const card = { ...paid, method: 'card', settlementStatus: 'PAID' };
    const decision = decide(card, { type: 'card', settlementStatus: 'AVAILABLE' });
    expect(classes(decision)).toEqual(['settlement_regressed']);
    expect(decision.change).toMatchObject({ settlementStatus: 'AVAILABLE', nextCheckAt: NOW + DAY_MS });
  });

  test('is a refund made outside Millime, or one that the gateway does not show', () => {
    const gone = { settlementStatus: 'NOT_APPLICABLE' };
    expect(classes(decide(paid, gone))).toEqual(['refund_not_reflected']);
    expect(classes(decide(paid, gone, { operations: [anOperation({ state: 'refused' })] }))).toEqual([
      'refund_not_reflected',
    ]);
    expect(classes(decide(paid, gone, { operations: [anOperation({ state: 'unknown' })] }))).toEqual([]);
    const operations = [anOperation({})];
    expect(classes(decide(paid, { observedAt: START + 2 * DAY_MS - 1 }, { operations }))).toEqual([]);
    expect(classes(decide(paid, { observedAt: START + 2 * DAY_MS }, { operations }))).toEqual(['refund_not_reflected']);
  });
});

test('a card payment not settled two working days after T+1 is a late settlement', () => {
  const card = { status: 'SUCCESS', method: 'card', itemId: 'payment:p1', succeededUntil: START };
  const told = { type: 'card', settlementStatus: 'PROCESSING' };
  // Paid on Monday, so expected on Tuesday; Thursday is the second working day after that.
  expect(classes(decide(card, { ...told, observedAt: START + 3 * DAY_MS }))).toEqual([]);
  expect(classes(decide(card, { ...told, observedAt: START + 4 * DAY_MS }))).toEqual(['late_settlement']);
});

test('a failure after the session frees the reference, and a later success claims it again', () => {
  const over = START + 21 * MINUTE_MS;
  const failed = decide({}, { status: 'EXPIRED', type: 'NA', settlementStatus: 'NOT_APPLICABLE', observedAt: over });
  expect(failed.change).toMatchObject({ isLive: false, nextCheckAt: over + DAY_MS });
  const late = decide({ status: 'EXPIRED', isLive: false });
  expect(classes(late)).toEqual(['late_success']);
  expect(late.change).toMatchObject({ isLive: true, status: 'SUCCESS' });
});

test('a payment paid out long before its refund is checked until the refund shows or a break opens', () => {
  const refundedAt = START + 19 * DAY_MS;
  const paidOut = {
    status: 'SUCCESS',
    settlementStatus: 'PAID',
    method: 'card',
    itemId: 'payment:p1',
    succeededUntil: START,
  };
  const told = { type: 'card', settlementStatus: 'PAID' };
  const operations = [anOperation({ requestedAt: refundedAt - 1, endedAt: refundedAt })];
  const soon = decide(paidOut, { ...told, observedAt: refundedAt + MINUTE_MS / 2 }, { operations });
  expect(soon.breaks).toEqual([]);
  expect(soon.change.nextCheckAt).toBe(refundedAt + MINUTE_MS / 2 + DAY_MS);
  const overdue = decide(paidOut, { ...told, observedAt: refundedAt + 3 * DAY_MS }, { operations });
  expect(classes(overdue)).toEqual(['refund_not_reflected']);
});

describe('a cancelled hold', () => {
  const operations = [anOperation({ kind: 'cancel' })];
  const cancelled = { kind: 'preauthorization', status: 'PREAUTH_SUCCESS', isLive: false } as const;
  const nothing = { type: 'NA', settlementStatus: 'NOT_APPLICABLE' };

  test.each(['PREAUTH_SUCCESS', 'CANCELLED', 'FAILURE'])('ends without a break at status %s', (status) => {
    const decision = decide(cancelled, { ...nothing, status, observedAt: START + 30 * DAY_MS }, { operations });
    expect(decision.change).toMatchObject({ isLive: false, nextCheckAt: undefined });
    expect(decision.breaks).toEqual([]);
  });

  test('claims its reference again on a success, not on PREAUTH_SUCCESS', () => {
    const failed = { ...cancelled, status: 'FAILURE' };
    expect(decide(failed, { ...nothing, status: 'PREAUTH_SUCCESS' }, { operations }).change.isLive).toBe(false);
    expect(decide(cancelled, {}, { operations }).change.isLive).toBe(true);
  });
});

test('a success claims a freed reference again', () => {
  expect(decide({ status: 'PENDING', isLive: false }).change).toMatchObject({ isLive: true, status: 'SUCCESS' });
  expect(decide({ status: 'SUCCESS', isLive: false }).change).not.toHaveProperty('isLive');
  expect(decide({ reference: undefined, isLive: false }).change).not.toHaveProperty('isLive');
});
