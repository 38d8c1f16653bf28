// Goal: each status of a POS transaction has the right effect on the stored state, the ledger and the breaks.
// Method: the pure decision, with facts made by hand.
import { describe, expect, test } from '@jest/globals';
import type { ReconBreak } from '../../../src/breaks';
import type { PosTransaction } from '../../../src/gateway';
import { businessCalendar, DAY_MS, millimes, parseInstant, WorkingDays } from '../../../src/kernel';
import { decidePos } from '../../../src/payment-channels/pos/decide-pos';
import type { PosFacts } from '../../../src/payment-channels/pos/pos-facts';
import { choosePosRow, movePosStatus } from '../../../src/payment-channels/pos/pos-status';
import type { Payment, PaymentObservation } from '../../../src/payments';
import { channelFacts, newPayment, toStatusCheckDecision } from '../../../src/payments/testing';

/** A Monday. */
const START = parseInstant('2026-03-02T08:00:00.000Z') ?? 0;
const DAYS = { calendar: businessCalendar('Africa/Tunis'), workingDays: new WorkingDays([]) };
const ID = '5e0c1d3a-6b1f-4d0e-9a01-000000000001';

function aPayment(more: Partial<Payment> = {}): Payment {
  const fresh = newPayment({
    trackingId: 'T',
    kind: 'pos',
    reference: undefined,
    agentId: undefined,
    amount: millimes(1_000),
    ourShare: millimes(1_000),
    terms: { idTerminal: 'T1' },
    isTest: false,
    requestState: 'sending',
    requestedAt: START,
    sentAt: START,
    recordedBy: 'test',
  });
  return { ...fresh, requestState: 'made', ...more };
}

function aRow(more: Partial<PosTransaction> = {}): PosTransaction {
  return {
    serviceTransactionId: ID,
    developerTrackingId: 'T',
    paymentStatus: 'PS',
    paymentMethod: 'card',
    amountMillimes: millimes(1_000),
    currency: 'TND',
    terminalId: 'T1',
    settlementStatus: 'AVAILABLE',
    raw: {},
    ...more,
  };
}

function seen(status: string, observedAt: number): PaymentObservation {
  const nothing = { settlementStatus: undefined, method: undefined, amount: undefined, detail: '' };
  return { trackingId: 'T', source: 'pos_status', observedAt, status, ...nothing };
}

interface StoredPos extends Pick<PosFacts, 'payment' | 'observedAt' | 'observations'> {
  readonly mismatches: readonly ReconBreak[];
}

function decide(rows: readonly PosTransaction[], more: Partial<StoredPos> = {}) {
  const { payment = aPayment(), observedAt = START + DAY_MS, observations = [], mismatches: known = [] } = more;
  const state = { payment, observedAt, source: 'pos_status', known };
  const facts: PosFacts = { ...channelFacts(state, DAYS), observations, unknownOutcome: undefined };
  return toStatusCheckDecision(state, DAYS, decidePos(facts, choosePosRow(payment, rows)));
}

const classes = ({ breaks }: ReturnType<typeof decide>) => breaks.map(({ breakClass }) => breakClass);

describe('a decision about a POS transaction', () => {
  test.each(['card', 'wallet', 'nfc'])('posts a success by %s', (paymentMethod) => {
    const { items } = decide([aRow({ paymentMethod })]);
    expect(items).toMatchObject([{ itemId: `payment:${ID}`, channel: 'pos', amount: 1_000 }]);
  });

  test.each(['cash', 'check'])('posts no success by %s and plans no check', (paymentMethod) => {
    const decision = decide([aRow({ paymentMethod, settlementStatus: 'NOT_APPLICABLE' })]);
    expect(decision).toMatchObject({ items: [], breaks: [], change: { status: 'PS', nextCheckAt: undefined } });
  });

  test.each([null, 'crypto'])('posts nothing for the method %s and opens a break', (paymentMethod) => {
    const decision = decide([aRow({ paymentMethod })]);
    expect(decision.items).toEqual([]);
    expect(classes(decision)).toEqual(['pos_unknown']);
  });

  test.each(['PP', 'PA', 'PU', 'XX', 'PF'])('posts nothing at status %s', (paymentStatus) => {
    expect(decide([aRow({ paymentStatus })])).toMatchObject({ items: [], change: { status: paymentStatus } });
  });

  test('posts nothing while the amount differs, and posts when it agrees again', () => {
    const differing = decide([aRow({ amountMillimes: millimes(999) })]);
    expect(differing).toMatchObject({ items: [], breaks: [{ fingerprint: 'webhook_mismatch:T:amount' }] });
    expect(differing.change.nextCheckAt).toBeDefined();
    const opened: ReconBreak = { ...firstOf(differing.breaks), id: 'B', ...open };
    const agreeing = decide([aRow()], { mismatches: [opened] });
    expect(agreeing).toMatchObject({ items: [{ amount: 1_000 }], resolve: [{ id: 'B' }] });
  });

  test('posts an agreeing answer of the terminal despite a mismatch from a webhook', () => {
    const told = decide([aRow({ developerTrackingId: 'other' })]).breaks[0];
    const subject = { itemIds: [], lineIds: [], facts: { source: 'webhook', field: 'amount' } };
    const opened: ReconBreak = { ...firstOf([told]), id: 'B', subject, ...open };
    expect(decide([aRow()], { mismatches: [opened] })).toMatchObject({ items: [{ amount: 1_000 }], resolve: [] });
  });

  test.each(['PF', 'PP', 'PA'])(
    'keeps a success that the gateway now reports as %s, and opens a break',
    (paymentStatus) => {
      const decision = decide([aRow({ paymentStatus })], { payment: aPayment({ status: 'PS' }) });
      expect(decision.change).not.toHaveProperty('status');
      expect(classes(decision)).toEqual(['settlement_regressed']);
    },
  );

  test('keeps a refund that the gateway reports as undone', () => {
    expect(movePosStatus('PR', 'PS')).toBe('regressed');
    expect(decide([aRow()], { payment: aPayment({ status: 'PR' }) }).items).toEqual([]);
  });

  test('follows the settlement until it is available and ignores a step back', () => {
    const processing = decide([aRow({ settlementStatus: 'PROCESSING' })]);
    expect(processing.change).toMatchObject({ settlementStatus: 'PROCESSING', nextCheckAt: START + 2 * DAY_MS });
    const back = decide([aRow({ settlementStatus: 'PROCESSING' })], {
      payment: aPayment({ status: 'PS', settlementStatus: 'AVAILABLE' }),
    });
    expect(back.change).not.toHaveProperty('settlementStatus');
    expect(classes(back)).toEqual(['settlement_regressed']);
  });

  test.each(['RP', 'RF', 'PU', 'XX'])('opens a break when %s lasts two working days', (paymentStatus) => {
    const observations = [seen('PS', START - DAY_MS), seen(paymentStatus, START)];
    const rows = [aRow({ paymentStatus })];
    expect(classes(decide(rows, { observations, observedAt: START + DAY_MS }))).toEqual([]);
    expect(classes(decide(rows, { observations, observedAt: START + 2 * DAY_MS }))).toEqual(['pos_unknown']);
  });

  test('checks a pending payment for ten days, then opens a break', () => {
    const rows = [aRow({ paymentStatus: 'PP' })];
    expect(decide(rows, { observedAt: START + 9 * DAY_MS })).toMatchObject({ breaks: [] });
    const ended = decide(rows, { observedAt: START + 10 * DAY_MS });
    expect(ended.change.nextCheckAt).toBeUndefined();
    expect(classes(ended)).toEqual(['pos_unknown']);
  });

  test('posts under the id that was observed first, whatever its later spelling', () => {
    const gatewayId = ID.toUpperCase();
    const refunded = decide([aRow({ paymentStatus: 'PR' })], { payment: aPayment({ gatewayId, status: 'PS' }) });
    expect(refunded.items).toMatchObject([
      { itemId: `payment:${gatewayId}` },
      { itemId: `refund:${gatewayId}`, refundOf: `payment:${gatewayId}` },
    ]);
    expect(refunded).toMatchObject({ breaks: [], change: { itemId: `payment:${gatewayId}` } });
  });

  test('posts nothing if the id differs from the stored one', () => {
    const decision = decide([aRow()], { payment: aPayment({ gatewayId: 'another id', status: 'PP' }) });
    expect(decision).toMatchObject({
      items: [],
      breaks: [{ fingerprint: 'webhook_mismatch:T:service_transaction_id' }],
      change: { nextCheckAt: expect.any(Number) },
    });
  });

  test('checks a posted payment one day and seven days after its success, then no more', () => {
    const first = decide([aRow()], { observedAt: START });
    expect(first.change).toMatchObject({ succeededUntil: START, nextCheckAt: START + DAY_MS });
    const payment = aPayment({ ...first.change, lastCheckAt: START });
    const nextAt = (observedAt: number) => decide([aRow()], { payment, observedAt }).change.nextCheckAt;
    expect(nextAt(START + DAY_MS - 1)).toBe(START + DAY_MS);
    expect(nextAt(START + DAY_MS)).toBe(START + 7 * DAY_MS);
    expect(nextAt(START + 7 * DAY_MS)).toBeUndefined();
  });

  test('plans no status check of a test success or of a refunded payment', () => {
    const isTest = decide([aRow()], { payment: aPayment({ isTest: true }) });
    expect(isTest.change).toMatchObject({ status: 'PS', nextCheckAt: undefined });
    const refunded = decide([aRow({ paymentStatus: 'PR' })]);
    expect(refunded.change).toMatchObject({ status: 'PR', nextCheckAt: undefined });
  });

  test('keeps a posted payment that is no longer listed, and its remaining status checks', () => {
    const payment = aPayment({ status: 'PS', gatewayId: ID, itemId: `payment:${ID}`, succeededUntil: START });
    const observations = [seen('PS', START), seen('not_listed', START + 1_000)];
    const early = decide([], { payment, observedAt: START + DAY_MS, observations });
    expect(early).toMatchObject({ breaks: [], change: { nextCheckAt: START + 7 * DAY_MS } });
    const late = decide([], { payment, observedAt: START + 30 * DAY_MS, observations });
    expect(late).toMatchObject({ breaks: [], change: { nextCheckAt: undefined } });
  });

  test('opens a break before it abandons a start with outcome unknown, even if it was never checked before', () => {
    const payment = aPayment({ requestState: 'unknown' });
    expect(decide([], { payment, observedAt: START + 5 * DAY_MS })).toMatchObject({
      change: { requestState: 'abandoned', isLive: false },
      breaks: [{ fingerprint: 'outcome_unknown:T' }],
    });
  });

  test('uses the only matching row of several, and none if two match', () => {
    const other = aRow({ serviceTransactionId: 'other', amountMillimes: millimes(5) });
    expect(decide([other, aRow()]).change).toMatchObject({ gatewayId: ID, status: 'PS' });
    const two = decide([aRow(), aRow({ serviceTransactionId: 'twin' })]);
    expect(two).toMatchObject({
      items: [],
      breaks: [{ breakClass: 'pos_unknown', subject: { facts: { transactions: 2 } } }],
    });
  });
});

const open = { status: 'open', openedAt: START, resolvedAt: undefined, resolution: undefined } as const;

function firstOf(breaks: readonly (ReturnType<typeof decide>['breaks'][number] | undefined)[]) {
  const [first] = breaks;
  if (first === undefined) throw new Error('there is a break');
  return first;
}
