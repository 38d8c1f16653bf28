// Goal: the payments of all channels are one list with one order, each with where its money is, and any id finds one.
// Method: confirms through their room, the rows of the other channels as their rooms write them, runs and a bank file.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { postItem } from '../../../src/gateway-items';
import { type Millimes, millimes, parseInstant } from '../../../src/kernel';
import { openQrPayments } from '../../../src/payment-channels/testing';
import { openPaymentStore } from '../../../src/payments/testing';
import type { FoundPayment, PaymentKey, PaymentQuery } from '../../../src/reporting';
import { describeOnEachDatabase } from '../../support/db';
import { aPayment } from '../../support/factories/a-payment';
import { openRooms, PAYOUT_TEXT, type Rooms } from '../ledger/rooms';

const CARD = '01KJQ3Z4000000000000000001';
const CODE = '01KJQ3Z4000000000000000002';
const CODE_PAYMENT = 'qr-tx-1';
const THROUGH = '2026-03-06';

const at = (text: string): number => parseInstant(text) ?? 0;

describeOnEachDatabase('the payments of all channels', (harness) => {
  let rooms: Rooms;

  beforeEach(async () => {
    rooms = openRooms(harness.database, '2026-03-02T08:00:00+01:00');
    await rooms.importAgents('A1', 'A2');
    await rooms.confirm({ transactionId: 'TX-1', agentId: 'A1', amount: 10_000 }, '2026-03-02T09:00:00+01:00');
    await rooms.confirm({ transactionId: 'TX-2', agentId: 'A2', amount: 2_500 }, '2026-03-02T15:00:00+01:00');
    const cardItem = 'payment:card-pay-1';
    const qrItem = `payment:${CODE_PAYMENT}`;
    await harness.database.transact(async (session) => {
      const card = { trackingId: CARD, gatewayId: 'card-pay-1', reference: 'ORDER-1', agentId: 'A1' };
      const paid = {
        method: 'card',
        status: 'SUCCESS',
        itemId: cardItem,
        requestedAt: at('2026-03-03T08:00:00+01:00'),
      };
      const code = { trackingId: CODE, kind: 'qr', gatewayId: 'code-1', reference: 'TILL-1' } as const;
      await openPaymentStore(session).add([
        aPayment({ ...card, ...paid, amount: millimes(5_000) }),
        aPayment({ ...code, requestedAt: at('2026-03-03T09:00:00+01:00'), amount: millimes(700) }),
      ]);
      const post = (itemId: string, channel: 'card' | 'qr', amount: Millimes, time: string): Promise<unknown> =>
        postItem(
          session,
          {
            itemId,
            channel,
            amount,
            refundOf: undefined,
            agentId: channel === 'card' ? 'A1' : undefined,
            occurredAt: at(time),
          },
          { recordedAt: at(time), recordedBy: 'test' },
        );
      await post(cardItem, 'card', millimes(5_000), '2026-03-03T08:10:00+01:00');
      await post(qrItem, 'qr', millimes(700), '2026-03-03T10:00:00+01:00');
      const times = { paidAt: at('2026-03-03T10:00:00+01:00'), firstSeenAt: at('2026-03-03T10:01:00+01:00') };
      const purchase = { transactionUniqueId: CODE_PAYMENT, trackingId: CODE, amount: millimes(700), ...times };
      await openQrPayments(session).add({ ...purchase, channel: 'wallet', itemId: qrItem });
    });
    rooms.clock.set('2026-03-06T18:00:00+01:00');
  });

  afterEach(async () => expect(await rooms.reporting.verifyBooks()).toEqual([]));

  const idsOf = (found: readonly FoundPayment[]): string[] => found.map(({ source, id }) => `${source} ${id}`);
  type Wanted = Omit<PaymentQuery, 'limit'>;
  const page = (wanted: Wanted = {}, limit = 100) =>
    rooms.reporting.payments({ ...wanted, limit }, (itemIds) => rooms.reconciliation.dueItems(itemIds));
  const list = async (wanted: Wanted = {}, limit = 100): Promise<string[]> => idsOf((await page(wanted, limit)).rows);
  const ALL = [`qr_payment ${CODE_PAYMENT}`, `attempt ${CODE}`, `attempt ${CARD}`, 'confirm TX-2', 'confirm TX-1'];

  describe('payments', () => {
    test('returns every channel, newest first, in pages without a gap', async () => {
      expect(await list()).toEqual(ALL);
      const paged: string[] = [];
      let after: PaymentKey | undefined;
      do {
        const { rows, next } = await page({ after }, 1);
        paged.push(...idsOf(rows));
        after = next;
      } while (after !== undefined);
      expect(paged).toEqual(ALL);
    });

    test('keeps the order of rows of one instant over pages', async () => {
      const same = at('2026-03-05T08:00:00+01:00');
      const ids = ['01KJQ3Z400000000000000000A', '01KJQ3Z400000000000000000B'];
      await harness.database.transact((session) =>
        openPaymentStore(session).add(
          ids.map((trackingId) => aPayment({ trackingId, gatewayId: undefined, requestedAt: same })),
        ),
      );
      await rooms.confirm({ transactionId: 'TX-9', agentId: 'A1', amount: 1 }, '2026-03-05T08:00:00+01:00');
      expect(await list({}, 3)).toEqual([`attempt ${ids[1]}`, `attempt ${ids[0]}`, 'confirm TX-9']);
      const first = await page({}, 1);
      expect(await list({ after: first.next }, 2)).toEqual([`attempt ${ids[0]}`, 'confirm TX-9']);
      const second = await page({ after: first.next }, 1);
      expect(await list({ after: second.next }, 1)).toEqual(['confirm TX-9']);
    });

    test.each<[Wanted, number[]]>([
      [{ channel: 'agent' }, [3, 4]],
      [{ channel: 'card' }, [2]],
      [{ channel: 'qr' }, [0, 1]],
      [{ channel: 'subscription' }, []],
      [{ agentId: 'A1' }, [2, 4]],
      [{ reference: 'ORDER-1' }, [2]],
      [{ reference: 'TILL-1' }, [0, 1]],
      [{ status: 'SUCCESS' }, [0, 2, 3, 4]],
      [{ status: 'success' }, []],
      [{ requestState: 'made' }, [1, 2]],
      [{ amount: millimes(2_500) }, [3]],
      [{ state: 'expected' }, [0, 2, 3, 4]],
      [{ state: 'none' }, [1]],
      [{ agentId: 'A1', reference: 'ORDER-1' }, [2]],
      [{ agentId: 'A2', reference: 'TILL-1' }, []],
      [{ from: at('2026-03-03T00:00:00+01:00') }, [0, 1, 2]],
      [{ until: at('2026-03-03T00:00:00+01:00') }, [3, 4]],
    ])('returns the payments of the filter %j', async (filter, places) => {
      expect(await list(filter)).toEqual(places.map((place) => ALL[place]));
    });
  });

  describe('the money of a payment', () => {
    const moneyOf = async (text: string): Promise<FoundPayment['money']> => (await rooms.reporting.payment(text)).money;

    test('is in the bank on the day of the credit that a run matched', async () => {
      await rooms.importStatement([['04/03/2026', PAYOUT_TEXT, 12_500]]);
      expect(await moneyOf('TX-1')).toMatchObject({ bank: undefined, confirmedAt: at('2026-03-02T09:00:00+01:00') });
      const { credits } = await rooms.reconcile(THROUGH);
      expect(await moneyOf('TX-1')).toMatchObject({
        bank: { creditId: credits[0]?.line_id, bookedOn: '2026-03-04' },
        breaks: [],
      });
    });

    test('names the return of its payout by the bank', async () => {
      await rooms.importStatement([['04/03/2026', PAYOUT_TEXT, 12_500]]);
      await rooms.reconcile('2026-03-04');
      await rooms.importStatement([['05/03/2026', `RETOUR ${PAYOUT_TEXT}`, -12_500]]);
      await rooms.reconcile(THROUGH);
      expect(await moneyOf('TX-1')).toMatchObject({ bank: undefined, returnedOn: '2026-03-05' });
    });

    test('names its refund and its open break', async () => {
      await harness.database.transact((session) =>
        postItem(
          session,
          {
            itemId: 'refund:back-1',
            channel: 'card',
            amount: millimes(-5_000),
            refundOf: 'payment:card-pay-1',
            agentId: 'A1',
            occurredAt: at('2026-03-04T08:00:00+01:00'),
          },
          { recordedAt: at('2026-03-04T08:00:00+01:00'), recordedBy: 'test' },
        ),
      );
      expect(await moneyOf('ORDER-1')).toMatchObject({ refunded: 5_000n });
      rooms.clock.set('2026-03-31T09:00:00+01:00');
      await rooms.importStatement([['30/03/2026', 'COMMISSION', -1]]);
      await rooms.reconcile('2026-03-30');
      const open = (await rooms.breaks.list({})).find(({ subject }) => subject.itemIds.includes('service:TX-1'));
      expect((await moneyOf('TX-1'))?.breaks).toEqual(
        open === undefined ? [] : [{ id: open.id, breakClass: open.breakClass }],
      );
      expect(open).toBeDefined();
    });

    test('is unknown until something is in the ledger', async () => {
      expect(await moneyOf(CODE)).toBeUndefined();
    });
  });

  describe('payment', () => {
    const named = async (text: string): Promise<string[]> => idsOf([await rooms.reporting.payment(text)]);

    test.each([
      ['TX-1', 'confirm TX-1'],
      ['service:TX-1', 'confirm TX-1'],
      [CARD, `attempt ${CARD}`],
      ['card-pay-1', `attempt ${CARD}`],
      ['payment:card-pay-1', `attempt ${CARD}`],
      ['ORDER-1', `attempt ${CARD}`],
      ['card', `attempt ${CARD}`],
      [`payment:${CODE_PAYMENT}`, `qr_payment ${CODE_PAYMENT}`],
      [CODE.toLowerCase(), `attempt ${CODE}`],
    ])('finds a payment by %s', async (text, id) => {
      expect(await named(text)).toEqual([id]);
    });

    test('lists the payments that a text names, and refuses an unknown one', async () => {
      await expect(named('01KJ')).rejects.toMatchObject({
        code: 'bad_input',
        message: `payment: "01KJ" begins several ids: ${CARD}, ${CODE}; type more characters`,
      });
      await expect(named('TX-7')).rejects.toMatchObject({ code: 'not_found' });
      await rooms.confirm({ transactionId: 'ORDER-1', agentId: 'A2', amount: 300 }, '2026-03-06T18:30:00+01:00');
      await expect(named('ORDER-1')).rejects.toMatchObject({
        message: expect.stringContaining(`service:ORDER-1, ${CARD}`),
      });
      expect(await named('service:ORDER-1')).toEqual(['confirm ORDER-1']);
    });
  });

  test('the due days of unpaid items cover the agents and the channels', async () => {
    const unpaid = (await rooms.reconciliation.unpaidList({ selection: {}, limit: 1_000 })).rows;
    expect(unpaid.map(({ itemId, dueOn }) => [itemId, dueOn !== undefined])).toEqual([
      ['service:TX-1', true],
      ['service:TX-2', true],
      ['payment:card-pay-1', true],
      [`payment:${CODE_PAYMENT}`, true],
    ]);
  });

  test('the due day of an item is the same alone as among all unpaid items', async () => {
    await rooms.importStatement([['04/03/2026', PAYOUT_TEXT, 10_000]]);
    await rooms.reconcile('2026-03-05');
    const unpaid = (await rooms.reconciliation.unpaidList({ selection: {}, limit: 1_000 })).rows;
    expect(unpaid.length).toBeGreaterThan(2);
    for (const { itemId, dueOn, isLate } of unpaid) {
      expect(await rooms.reconciliation.dueItems([itemId])).toMatchObject([{ itemId, dueOn, isLate }]);
    }
    const paid = ['service:TX-1', 'service:TX-9', 'payment:nothing'];
    expect(await rooms.reconciliation.dueItems(paid)).toEqual([]);
    const all = await rooms.reconciliation.dueItems([...paid, ...unpaid.map(({ itemId }) => itemId)]);
    expect(all.map(({ itemId }) => itemId).toSorted()).toEqual(unpaid.map(({ itemId }) => itemId).toSorted());
  });
});
