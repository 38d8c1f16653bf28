// Goal: each payment of a QR code is posted once, and only if it equals the request.
// Method: the pure decision, with facts made by hand.
import { describe, expect, test } from '@jest/globals';
import type { ReconBreak } from '../../../src/breaks';
import { businessCalendar, DAY_MS, millimes, parseInstant, WorkingDays } from '../../../src/kernel';
import { decideQr } from '../../../src/payment-channels/qr/decide-qr';
import type { ListedQrPayment } from '../../../src/payment-channels/qr/qr-answer';
import type { QrPayment } from '../../../src/payment-channels/qr/qr-store';
import type { Payment } from '../../../src/payments';
import { channelFacts, newPayment, toStatusCheckDecision } from '../../../src/payments/testing';

const DAYS = { calendar: businessCalendar('Africa/Tunis'), workingDays: new WorkingDays([]) };
const START = parseInstant('2026-03-02T08:00:00.000Z') ?? 0;
const CODE = newPayment({
  trackingId: 'T',
  kind: 'qr',
  reference: undefined,
  agentId: undefined,
  amount: millimes(1_000),
  ourShare: millimes(1_000),
  terms: {},
  isTest: false,
  requestState: 'sending',
  requestedAt: START,
  sentAt: START,
  recordedBy: 'test',
});

function paid(transactionUniqueId: string, amount = 1_000): ListedQrPayment {
  return { transactionUniqueId, amount: millimes(amount), channel: 'service', paidAt: START + 60_000 };
}

function known(transactionUniqueId: string, more: Partial<QrPayment> = {}): [string, QrPayment] {
  const before = { ...paid(transactionUniqueId), trackingId: 'T', firstSeenAt: START, itemId: undefined, ...more };
  return [transactionUniqueId, before];
}

interface StoredCode {
  readonly payment: Payment;
  readonly observedAt: number;
  readonly known: ReadonlyMap<string, QrPayment>;
  readonly mismatches: readonly ReconBreak[];
}

function decide(listed: readonly ListedQrPayment[], more: Partial<StoredCode> = {}) {
  const { payment = CODE, observedAt = START + 120_000, known: paidBefore = new Map(), mismatches = [] } = more;
  const state = { payment, observedAt, source: 'qr_verify', known: mismatches };
  const { added, linked, posted, ...decision } = decideQr({ ...channelFacts(state, DAYS), listed, known: paidBefore });
  return { ...toStatusCheckDecision(state, DAYS, decision), added, linked, posted };
}

function asOpened(decision: ReturnType<typeof decide>): ReconBreak {
  const [found] = decision.breaks;
  if (found === undefined) throw new Error('there is a break');
  return { ...found, id: 'B', status: 'open', openedAt: START, resolvedAt: undefined, resolution: undefined };
}

describe('a decision about a QR code', () => {
  test('posts every payment once, as a separate item', () => {
    const first = decide([paid('a'), paid('b')]);
    expect(first.items.map(({ itemId }) => itemId)).toEqual(['payment:a', 'payment:b']);
    const later = decide([paid('a'), paid('b')], { known: new Map([known('a', { itemId: 'payment:a' })]) });
    expect(later.items.map(({ itemId }) => itemId)).toEqual(['payment:b']);
    expect(later.added.map(({ transactionUniqueId }) => transactionUniqueId)).toEqual(['b']);
  });

  test('posts nothing while a payment of another amount waits for a decision, and the correct ones after it', () => {
    const differing = decide([paid('a', 999), paid('b')]);
    expect(differing).toMatchObject({ items: [], breaks: [{ fingerprint: 'webhook_mismatch:T:amount:a' }] });
    const opened = asOpened(differing);
    const before = new Map([known('a', { amount: millimes(999) }), known('b')]);
    expect(decide([paid('a', 999), paid('b')], { known: before, mismatches: [opened] }).items).toEqual([]);
    const decided: ReconBreak = { ...opened, status: 'resolved', resolution: 'given back' };
    const after = decide([paid('a', 999), paid('b')], { known: before, mismatches: [decided] });
    expect(after.items).toMatchObject([{ itemId: 'payment:b', amount: 1_000 }]);
    expect(after.posted).toEqual([{ transactionUniqueId: 'b', itemId: 'payment:b' }]);
  });

  test('ignores the payment of another code', () => {
    const decision = decide([paid('a')], { known: new Map([known('a', { trackingId: 'OTHER' })]) });
    expect(decision).toMatchObject({ items: [], linked: [], breaks: [{ fingerprint: 'webhook_mismatch:T:code:a' }] });
  });

  test('links a payment that the history posted first, and does not post it again', () => {
    const stranger = known('a', { trackingId: undefined, itemId: 'payment:a' });
    expect(decide([paid('a')], { known: new Map([stranger]) })).toMatchObject({ items: [], linked: ['a'], breaks: [] });
  });

  test('keeps a payment that is no longer listed, and opens a break', () => {
    const before = new Map([known('a', { itemId: 'payment:a' }), known('b', { itemId: 'payment:b' })]);
    const payment = { ...CODE, status: 'SUCCESS' };
    const one = decide([paid('b')], { payment, known: before });
    expect(one).toMatchObject({ items: [], change: { status: 'SUCCESS', succeededAfter: START + 60_000 } });
    expect(one.growing).toMatchObject([
      { fingerprint: 'qr_paid_twice:T', amount: 1_000 },
      { fingerprint: 'settlement_regressed:T:vanished', amount: 1_000, subject: { itemIds: ['payment:a'] } },
    ]);
    const both = decide([], { payment, known: before });
    expect(both.change).toMatchObject({ status: 'SUCCESS', succeededAfter: START + 60_000, method: 'service' });
    expect(both.growing?.at(-1)).toMatchObject({
      amount: 2_000,
      subject: { itemIds: ['payment:a', 'payment:b'], facts: { from: 'SUCCESS', to: 'vanished', payments: 2 } },
    });
    expect(decide([paid('a'), paid('b')], { payment, known: before }).growing).toHaveLength(1);
  });

  test('plans checks for seven days after the creation or the last payment', () => {
    expect(decide([], { observedAt: START + 6 * DAY_MS }).change.nextCheckAt).toBe(START + 7 * DAY_MS);
    expect(decide([], { observedAt: START + 7 * DAY_MS }).change.nextCheckAt).toBeUndefined();
    expect(decide([paid('a')], { observedAt: START + 7 * DAY_MS }).change.nextCheckAt).toBe(START + 8 * DAY_MS);
  });
});
