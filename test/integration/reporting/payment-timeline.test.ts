// Goal: the timeline of a payment has every stored fact about it once, in the order of time, and no page reads more rows
// than it shows, whatever else happened.
// Method: confirms, runs and bank files through their rooms; the rows of other channels as their rooms write them.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type BreakClass, type NewBreak, openBreakStore } from '../../../src/breaks';
import { postItem } from '../../../src/gateway-items';
import { businessDate, millimes, parseInstant } from '../../../src/kernel';
import { openQrPayments } from '../../../src/payment-channels/testing';
import { openPaymentStore } from '../../../src/payments/testing';
import {
  createReporting,
  type Reporting,
  type TimelineEntry,
  type TimelineKey,
  timelinePage,
} from '../../../src/reporting';
import { describeOnEachDatabase } from '../../support/db';
import { aPayment } from '../../support/factories/a-payment';
import { countRowsRead, type RowsRead } from '../../support/rows-read';
import { openRooms, PAYOUT_TEXT, type Rooms } from '../ledger/rooms';
import { insertMany } from '../paging/paging';

const at = (text: string): number => parseInstant(text) ?? 0;
const ATTEMPT = '01KJQ3Z4000000000000000001';
const CODE = '01KJQ3Z4000000000000000002';
const REQUESTED = at('2026-03-02T09:00:00+01:00');
const ulid = (index: number): string => `01TIMELINE${String(index).padStart(16, '0')}`;

describeOnEachDatabase('the timeline of a payment', (harness) => {
  let rooms: Rooms;
  let reads: RowsRead;
  let reporting: Reporting;

  beforeEach(async () => {
    rooms = openRooms(harness.database, '2026-03-02T08:00:00+01:00');
    reads = countRowsRead(harness.database);
    reporting = createReporting({ database: reads.database, clock: rooms.clock, calendar: rooms.calendar });
    await rooms.importAgents('A1');
  });

  const page = (id: string, limit: number, after?: TimelineKey) =>
    timelinePage(
      (query) => reporting.paymentTimeline(id, query),
      (itemIds) => rooms.reconciliation.dueItems(itemIds),
      rooms.calendar,
      { limit, after },
    );
  const all = async (id: string, limit = 200): Promise<TimelineEntry[]> => {
    const entries: TimelineEntry[] = [];
    let after: TimelineKey | undefined;
    do {
      const { rows, next } = await page(id, limit, after);
      expect(rows.length).toBeLessThanOrEqual(limit);
      entries.push(...rows);
      after = next;
    } while (after !== undefined);
    return entries;
  };
  const kinds = (entries: readonly TimelineEntry[]): string[] => entries.map(({ kind }) => kind);
  const open = (...breaks: readonly NewBreak[]): Promise<void> =>
    harness.database.transact((session) => openBreakStore(session).open(breaks, rooms.clock.now(), 'run:1'));
  const aBreak = (
    breakClass: BreakClass,
    name: string,
    itemIds: readonly string[],
    since = '2026-03-02',
  ): NewBreak => ({
    fingerprint: `${breakClass}:${name}`,
    breakClass,
    since: businessDate(since),
    ...{ amount: millimes(1), direction: 'books_have_more' },
    subject: { itemIds, lineIds: [], facts: {} },
  });

  describe('of a confirm', () => {
    test('goes from the call to the bank, to its return, and to the closed day', async () => {
      await rooms.confirm({ transactionId: 'T1', agentId: 'A1', amount: 10_000 }, '2026-03-02T09:00:00+01:00');
      await rooms.confirm({ transactionId: 'T1', agentId: 'A1', amount: 9 }, '2026-03-02T12:00:00+01:00');
      await rooms.confirm({ transactionId: 'T2', agentId: 'A1', amount: 2_500 }, '2026-03-02T15:00:00+01:00');
      const expected = await all('T1');
      expect(kinds(expected)).toEqual(['confirmed', 'posted', 'confirm_refused', 'break_opened', 'expected_at_bank']);
      const [due] = await rooms.reconciliation.dueItems(['service:T1']);
      expect(expected.at(-1)).toMatchObject({
        usuallyOn: due?.usuallyOn,
        latestOn: due?.dueOn,
        isLate: false,
        from: 'service:T1',
      });
      expect(expected[0]).toMatchObject({ at: REQUESTED, from: 'T1', agentId: 'A1', amount: 10_000 });
      expect(expected[1]).toMatchObject({ code: 'agent_payment', reference: 'service:T1', amount: 10_000n });
      expect(expected[2]).toMatchObject({ reason: 'conflicting', times: 1 });
      expect(expected[3]).toMatchObject({ breakClass: 'conflicting_duplicate' });

      await rooms.importStatement([['04/03/2026', PAYOUT_TEXT, 12_500]]);
      const { credits } = await rooms.reconcile('2026-03-04');
      await rooms.importStatement([['05/03/2026', `RETOUR ${PAYOUT_TEXT}`, -12_500]]);
      await rooms.reconcile('2026-03-06');
      await harness.database.transact((session) =>
        insertMany(session, 'day_seals', [
          {
            ...{ number: 1, kind: 'closed', business_date: '2026-03-02', content: '{}', digest: 'd' },
            ...{ recorded_at: at('2026-03-07T08:00:00+01:00'), recorded_by: 'salma' },
          },
        ]),
      );
      const returned = await all('service:T1');
      expect(kinds(returned).filter((kind) => kind !== 'expected_at_bank')).toEqual([
        ...['confirmed', 'posted', 'confirm_refused', 'break_opened'],
        ...['matched', 'unmatched', 'break_opened', 'day_closed'],
      ]);
      const match = returned.find(({ kind }) => kind === 'matched');
      expect(match).toMatchObject({
        ...{ itemId: 'service:T1', creditId: credits[0]?.line_id, bookedOn: '2026-03-04', amount: 10_000 },
        runId: expect.stringMatching(/^[0-9A-Z]{26}$/),
      });
      expect(returned.find(({ kind }) => kind === 'unmatched')).toMatchObject({
        unmatchKind: 'returned',
        from: match?.from,
      });
      expect(returned.find(({ kind }) => kind === 'day_closed')).toMatchObject({ day: '2026-03-02', from: '1' });
    });

    test('has the breaks of runs that name it, while they are open and after they ended', async () => {
      await rooms.confirm({ transactionId: 'T1', agentId: 'A1', amount: 10_000 }, '2026-03-02T09:00:00+01:00');
      rooms.clock.set('2026-03-20T09:00:00+01:00');
      await open(
        aBreak('missing_in_bank', 'agent+card:2026-03-02', ['service:T1', 'service:T2']),
        aBreak('clearing_unexplained', 'agent:2026-03', ['service:T11']),
        aBreak('refund_not_reflected', 'service:T1', ['service:T1']),
        aBreak('refund_not_reflected', 'service:T11', ['service:T11']),
      );
      await harness.database.transact(async (session) => {
        const store = openBreakStore(session);
        const [missing] = await store.list({ classes: ['missing_in_bank'] });
        await store.resolve(missing?.id ?? '', 'disappeared', rooms.clock.now() + 1, 'run:2');
      });
      const breaks = (await all('T1')).flatMap((entry) =>
        'breakClass' in entry ? [[entry.kind, entry.breakClass, entry.actor]] : [],
      );
      expect(breaks.sort()).toEqual([
        ['break_opened', 'missing_in_bank', 'run:1'],
        ['break_opened', 'refund_not_reflected', 'run:1'],
        ['break_resolved', 'missing_in_bank', 'run:2'],
      ]);
    });
  });

  describe('of an attempt', () => {
    const OBSERVED = 1_500;
    beforeEach(() => rooms.clock.set('2026-03-02T10:00:00+01:00'));

    /** Two observations and two webhooks share each instant. */
    async function anAttemptOfManyChecks(): Promise<void> {
      await harness.database.transact(async (session) => {
        const attempt = { trackingId: ATTEMPT, gatewayId: 'P1', reference: 'ORDER-1', requestedAt: REQUESTED };
        const paid = { sentAt: REQUESTED, succeededAfter: REQUESTED, succeededUntil: REQUESTED + 10 };
        const posted = { method: 'card', status: 'SUCCESS', itemId: 'payment:P1', amount: millimes(5_000) };
        await openPaymentStore(session).add([aPayment({ ...attempt, ...paid, ...posted })]);
        const item = { channel: 'card', agentId: undefined, occurredAt: REQUESTED + 10 } as const;
        const by = { recordedAt: REQUESTED + 20, recordedBy: 'test' };
        const money = { itemId: 'payment:P1', amount: millimes(5_000), refundOf: undefined };
        await postItem(session, { ...item, ...money }, by);
        const refund = { itemId: 'refund:R1', amount: millimes(-5_000), refundOf: 'payment:P1' };
        await postItem(session, { ...item, ...refund }, { ...by, recordedAt: REQUESTED + 30 });
        const range = Array.from({ length: OBSERVED }, (_, index) => index);
        await insertMany(session, 'payment_observations', range.map(observationRow));
        await insertMany(session, 'webhook_inbox', range.map(webhookRow));
        await insertMany(session, 'payment_operations', [operationRow]);
      });
    }

    const observationRow = (index: number) => ({
      ...{ id: ulid(index), tracking_id: index % 3 === 2 ? CODE : ATTEMPT, source: 'verify', status: 'SUCCESS' },
      ...{ observed_at: REQUESTED + Math.floor(index / 2), recorded_at: REQUESTED, detail: '{}' },
    });
    const webhookRow = (index: number) => ({
      ...{ id: ulid(index), dedupe_digest: String(index).padStart(64, '0'), family: 'payment_v2', proof: 'authentic' },
      ...{ event: 'PAYMENT_SUCCESS', payment_id: index % 3 === 2 ? 'P2' : 'P1', content: Buffer.from('{}') },
      ...{
        content_digest: 'c'.repeat(64),
        received_at: REQUESTED + Math.floor(index / 2),
        last_received_at: REQUESTED,
      },
      ...{ times: 1, state: 'done', available_at: REQUESTED, lease_until: 0, fencing: 0, tries: 0 },
    });
    const operationRow = {
      ...{ id: ulid(1), tracking_id: ATTEMPT, kind: 'refund', state: 'done', refund_id: 'R1', checks: 0 },
      ...{ requested_at: REQUESTED + 25, ended_at: REQUESTED + 28, requested_by: 'salma' },
    };

    test('has each fact once in the order of time, in pages without a gap', async () => {
      await anAttemptOfManyChecks();
      const whole = await all(ATTEMPT);
      expect(new Set(whole.map(({ kind, id }) => `${kind} ${id}`)).size).toBe(whole.length);
      expect(whole.map((entry) => entry.at)).toEqual(whole.map((entry) => entry.at).sort((a, b) => a - b));
      const few = kinds(whole).filter((kind) => kind !== 'status_observed' && kind !== 'webhook_received');
      expect(few).toEqual([
        ...['requested', 'sent', 'paid', 'posted', 'operation_requested', 'operation_ended', 'posted'],
        'expected_at_bank',
      ]);
      expect(kinds(whole).filter((kind) => kind === 'webhook_received')).toHaveLength((OBSERVED * 2) / 3);
      expect(await all('P1', 97)).toEqual(whole);
      expect(whole.find(({ kind }) => kind === 'operation_ended')).toMatchObject({
        ...{ operation: 'refund', state: 'done', refundId: 'R1', from: ulid(1) },
      });
    });

    test('reads the same number of rows for every page, whatever else happened', async () => {
      await anAttemptOfManyChecks();
      await harness.database.transact(async (session) => {
        const breaks = Array.from({ length: 3_000 }, (_, index) =>
          aBreak(
            'missing_in_bank',
            `agent:${index}`,
            [`service:${index}`],
            index % 2 === 0 ? '2025-06-01' : '2026-07-01',
          ),
        );
        await openBreakStore(session).open(breaks, rooms.clock.now(), 'run:1');
      });
      reads.take();
      let after: TimelineKey | undefined;
      let pages = 0;
      do {
        const found = await reporting.paymentTimeline(ATTEMPT, { after, limit: 50 });
        expect(reads.take() ?? 0).toBeLessThanOrEqual(600);
        after = found.next;
        pages += 1;
      } while (after !== undefined);
      expect(pages).toBeGreaterThan(30);
    });
  });

  test('of a payment of a QR code and of its code have the payment', async () => {
    await harness.database.transact(async (session) => {
      const code = { kind: 'qr', gatewayId: 'code-1', requestedAt: REQUESTED, amount: millimes(700) } as const;
      await openPaymentStore(session).add([aPayment({ trackingId: CODE, ...code, sentAt: REQUESTED })]);
      const item = { itemId: 'payment:q1', channel: 'qr', amount: millimes(700), agentId: undefined } as const;
      const by = { recordedAt: REQUESTED + 9, recordedBy: 'test' };
      await postItem(session, { ...item, refundOf: undefined, occurredAt: REQUESTED + 5 }, by);
      const purchase = { transactionUniqueId: 'q1', trackingId: CODE, amount: millimes(700), itemId: 'payment:q1' };
      await openQrPayments(session).add({
        ...purchase,
        ...{ channel: 'wallet', paidAt: REQUESTED + 5, firstSeenAt: REQUESTED + 8 },
      });
    });
    rooms.clock.set('2026-03-02T10:00:00+01:00');
    await open(aBreak('qr_paid_twice', CODE, ['payment:q1']));
    const ofPayment = await all('q1');
    expect(kinds(ofPayment)).toEqual(['paid', 'listed', 'posted', 'break_opened', 'expected_at_bank']);
    expect(kinds(await all(CODE))).toEqual(['requested', 'sent', 'paid', 'listed']);
  });

  test('is refused for an unknown payment', async () => {
    await expect(page('NONE', 10)).rejects.toMatchObject({ code: 'not_found' });
  });
});
