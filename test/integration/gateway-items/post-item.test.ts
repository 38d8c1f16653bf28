// Goal: an item and its fee are posted once, to the right accounts, whichever caller reports them and however often.
// Method: the two functions in transactions like those of the status checks, concurrently and repeatedly, and the
// resulting postings.
import { afterEach, expect, test } from '@jest/globals';
import { type GatewayItem, openItemStore, postFee, postItem } from '../../../src/gateway-items';
import type { FeeOutcome } from '../../../src/gateway-items/testing';
import { AssertionError, businessCalendar, millimes } from '../../../src/kernel';
import { agentReceivable, openLedger, type Posting } from '../../../src/ledger';
import { createReporting } from '../../../src/reporting';
import { describeOnEachDatabase } from '../../support/db';
import { fixedClock } from '../../support/fakes';
import { contents } from '../ledger/row-counts';

const AT = 1_772_438_400_000;
const BY = { recordedAt: AT + 1, recordedBy: 'look' };
const AS_A_STATUS_CHECK = { retryDuplicate: true, retryUnknownOutcome: true };
const LARGEST = Number.MAX_SAFE_INTEGER;

function anItem(overrides: Partial<Omit<GatewayItem, 'amount'>> & { readonly amount?: number } = {}): GatewayItem {
  const { amount = 10_000, ...rest } = overrides;
  return {
    itemId: 'payment:P1',
    channel: 'card',
    agentId: undefined,
    refundOf: undefined,
    occurredAt: AT,
    ...rest,
    amount: millimes(amount),
  };
}

const aRefund = (overrides: Parameters<typeof anItem>[0] = {}): GatewayItem =>
  anItem({ itemId: 'refund:R1', refundOf: 'payment:P1', amount: -10_000, ...overrides });

describeOnEachDatabase('an item of the gateway', (harness) => {
  const post = (item: GatewayItem): Promise<boolean> =>
    harness.database.transact((session) => postItem(session, item, BY), AS_A_STATUS_CHECK);
  const report = (fee: number, tva: number, itemId = 'payment:P1'): Promise<FeeOutcome> =>
    harness.database.transact(
      (session) => postFee(session, { itemId, fee: millimes(fee), tva: millimes(tva), occurredAt: AT + 2 }, BY),
      AS_A_STATUS_CHECK,
    );
  const find = (reference: string): Promise<{ code: string; postings: readonly Posting[] } | undefined> =>
    harness.database.read((session) => openLedger(session).find(reference));
  const sumOf = (account: string): Promise<bigint> =>
    harness.database.read((session) => openLedger(session).sumOf(account as Posting['debit']));
  const brokenOfMoney = async (): Promise<string[]> => {
    const calendar = businessCalendar('Africa/Tunis');
    const reporting = createReporting({ database: harness.database, clock: fixedClock(AT), calendar });
    // No payment names these items: this suite is about the postings alone.
    return (await reporting.verifyBooks()).map(({ name }) => name).filter((name) => !name.includes('is named by'));
  };

  afterEach(async () => {
    expect(await brokenOfMoney()).toEqual([]);
  });

  test.each(['card', 'wallet', 'mpayment', 'pos', 'qr', 'subscription'] as const)(
    'debits the clearing account of %s and credits the customers',
    async (channel) => {
      expect(await post(anItem({ channel }))).toBe(true);
      expect(await find('payment:P1')).toMatchObject({
        code: 'payment',
        occurredAt: AT,
        recordedAt: AT + 1,
        recordedBy: 'look',
        postings: [{ debit: `gateway_clearing:${channel}`, credit: 'payments_received', amount: 10_000 }],
      });
    },
  );

  test('credits the agent whose due it pays, even beyond the due amount', async () => {
    await post(anItem({ agentId: 'é' }));
    expect((await find('payment:P1'))?.postings).toEqual([
      { debit: 'gateway_clearing:card', credit: 'agent_receivable:é', amount: 10_000 },
    ]);
    const balances = await harness.database.read((session) => openLedger(session).balances([agentReceivable('é')]));
    expect([...balances.values()]).toEqual([-10_000]);
  });

  test.each([undefined, '004711'])('is reversed to its source when it is refunded (agent %s)', async (agentId) => {
    await post(anItem({ agentId }));
    expect(await post(aRefund({ agentId }))).toBe(true);
    const source = agentId === undefined ? 'payments_received' : 'agent_receivable:004711';
    expect(await find('refund:R1')).toMatchObject({
      code: 'refund',
      postings: [{ debit: source, credit: 'gateway_clearing:card', amount: 10_000 }],
    });
    expect([await sumOf('gateway_clearing:card'), await sumOf(source)]).toEqual([0n, 0n]);
  });

  test('is posted once, however often it is reported', async () => {
    expect(await post(anItem())).toBe(true);
    const before = await contents(harness.database);
    expect(await post(anItem({ occurredAt: AT + 9 }))).toBe(false);
    expect(await contents(harness.database)).toEqual(before);
  });

  test('is posted once by eight concurrent callers, like its refund and its fee', async () => {
    const together = <T>(work: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 8 }, work));
    const outcomes = await together(() => post(anItem({ agentId: '004711' })));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    const refunds = await together(() => post(aRefund({ agentId: '004711', amount: -4_000 })));
    expect(refunds.filter(Boolean)).toHaveLength(1);
    const fees = await together(() => report(150, 29));
    expect(fees.sort()).toEqual(['posted', ...Array<string>(7).fill('unchanged')].sort());
    expect(await sumOf('gateway_clearing:card')).toBe(5_821n);
  });

  test('of 0 is not posted, as for a split without an own share', async () => {
    const before = await contents(harness.database);
    expect(await post(anItem({ amount: 0 }))).toBe(false);
    expect(await contents(harness.database)).toEqual(before);
  });

  test.each<[string, GatewayItem]>([
    ['amount', anItem({ amount: 10_001 })],
    ['channel', anItem({ channel: 'wallet' })],
    ['agent', anItem({ agentId: '004711' })],
  ])('that is posted with another %s is a conflict and changes nothing', async (_what, item) => {
    await post(anItem());
    const before = await contents(harness.database);
    await expect(post(item)).rejects.toMatchObject({ code: 'conflict' });
    expect(await contents(harness.database)).toEqual(before);
  });

  test('is refunded in parts up to its amount, and not one millime more', async () => {
    await post(anItem());
    await post(aRefund({ amount: -4_000 }));
    await post(aRefund({ itemId: 'refund:R2', amount: -6_000 }));
    const before = await contents(harness.database);
    await expect(post(aRefund({ itemId: 'refund:R3', amount: -1 }))).rejects.toMatchObject({ code: 'conflict' });
    expect(await post(aRefund({ amount: -4_000 }))).toBe(false);
    expect(await contents(harness.database)).toEqual(before);
  });

  test('may have the largest safe amount; a balance beyond it is a conflict and stores nothing', async () => {
    await post(anItem({ amount: LARGEST, agentId: '004711' }));
    await post(anItem({ itemId: 'payment:P2', amount: LARGEST }));
    await post(anItem({ itemId: 'payment:P3', amount: LARGEST }));
    const before = await contents(harness.database);
    await expect(post(anItem({ itemId: 'payment:P4', amount: 1, agentId: '004711' }))).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await contents(harness.database)).toEqual(before);
    expect(await sumOf('gateway_clearing:card')).toBe(3n * BigInt(LARGEST));
  });

  test('may have the longest id of the gateway, like its refund and its corrections', async () => {
    const id = 'ع'.repeat(127);
    await post(anItem({ itemId: `payment:${id}` }));
    for (const fee of [1, 2, 3]) await report(fee, fee, `payment:${id}`);
    expect(await post(aRefund({ itemId: `refund:payment:${id}`, refundOf: `payment:${id}` }))).toBe(true);
  });

  test.each<[string, GatewayItem]>([
    ['a refund of nothing', anItem({ amount: -1 })],
    ['a payment that takes something back', anItem({ itemId: 'payment:P2', refundOf: 'payment:P1' })],
    ['a refund of an item that is not in the books', aRefund({ itemId: 'refund:R2', refundOf: 'payment:P9' })],
    ['a refund of a refund', aRefund({ itemId: 'refund:R2', refundOf: 'refund:R1', amount: -1 })],
    ['a refund through another channel', aRefund({ itemId: 'refund:R2', channel: 'wallet', amount: -1 })],
    ['a refund to somebody else', aRefund({ itemId: 'refund:R2', agentId: '004711', amount: -1 })],
  ])('that is %s raises an assertion error and stores nothing', async (_what, item) => {
    await post(anItem());
    await post(aRefund({ amount: -5_000 }));
    const before = await contents(harness.database);
    await expect(post(item)).rejects.toThrow(AssertionError);
    expect(await contents(harness.database)).toEqual(before);
  });

  test('has its fee and the TVA on it posted once', async () => {
    await post(anItem({ channel: 'subscription' }));
    expect([await report(150, 29), await report(150, 29)]).toEqual(['posted', 'unchanged']);
    expect(await find('fee:payment:P1')).toMatchObject({
      code: 'fee',
      occurredAt: AT + 2,
      postings: [
        { debit: 'gateway_fees', credit: 'gateway_clearing:subscription', amount: 150 },
        { debit: 'gateway_fees_tva', credit: 'gateway_clearing:subscription', amount: 29 },
      ],
    });
  });

  test('has the difference of each later report posted, in either direction', async () => {
    await post(anItem());
    const outcomes = [await report(150, 29), await report(200, 19), await report(200, 19), await report(100, 19)];
    expect(outcomes).toEqual(['posted', 'corrected', 'unchanged', 'corrected']);
    expect(await find('fee-fix:payment:P1')).toMatchObject({
      code: 'fee_correction',
      postings: [
        { debit: 'gateway_fees', credit: 'gateway_clearing:card', amount: 50 },
        { debit: 'gateway_clearing:card', credit: 'gateway_fees_tva', amount: 10 },
      ],
    });
    expect(await find('fee-fix:payment:P1:2')).toMatchObject({
      code: 'fee_correction',
      postings: [{ debit: 'gateway_clearing:card', credit: 'gateway_fees', amount: 100 }],
    });
    expect([await sumOf('gateway_fees'), await sumOf('gateway_fees_tva')]).toEqual([100n, 19n]);
    expect(await sumOf('gateway_clearing:card')).toBe(10_000n - 119n);
  });

  test('has a fee of 0 stored without a posting, and a later fee recognized as different', async () => {
    await post(anItem());
    expect([await report(0, 0), await report(0, 0)]).toEqual(['posted', 'unchanged']);
    expect(await find('fee:payment:P1')).toBeUndefined();
    const noted = await harness.database.read((session) => openItemStore(session).fees('payment:P1'));
    expect(noted).toMatchObject([{ reference: 'fee:payment:P1', fee: 0, tva: 0 }]);
    expect([await report(7, 0), await report(0, 0)]).toEqual(['corrected', 'corrected']);
    expect(await sumOf('gateway_fees')).toBe(0n);
  });

  test('has a fee with a difference beyond the safe range refused as a conflict', async () => {
    await post(anItem());
    await report(LARGEST, 0);
    const before = await contents(harness.database);
    await expect(report(-1, 0)).rejects.toMatchObject({ code: 'conflict' });
    await expect(report(0, LARGEST)).resolves.toBe('corrected');
    expect(await contents(harness.database)).not.toEqual(before);
  });

  test('gets no fee before it is posted', async () => {
    await expect(report(1, 0)).rejects.toThrow(AssertionError);
  });
});
