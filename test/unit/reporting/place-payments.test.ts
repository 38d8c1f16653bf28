import { describe, expect, test } from '@jest/globals';
import { businessDate, millimes } from '../../../src/kernel';
import { type FoundPayment, placedPage, placePayments } from '../../../src/reporting';

const OPEN = {
  confirmedAt: 1,
  occurredAt: undefined,
  bank: undefined,
  returnedOn: undefined,
  refunded: 0n,
  breaks: [],
};
const BANKED = { ...OPEN, bank: { creditId: 'C', bookedOn: businessDate('2026-03-05'), evidence: 'inferred' } };
const DUE_ON = businessDate('2026-03-09');

function aConfirm(id: string, money: FoundPayment['money']): FoundPayment {
  const none = { reference: undefined, agentId: undefined, trackingId: undefined, status: 'SUCCESS' };
  const row = {
    source: 'confirm',
    id,
    at: 1,
    channel: 'agent',
    amount: millimes(5_000),
    itemId: `service:${id}`,
  } as const;
  return { ...row, ...none, cursor: id, money };
}

/** Confirms whose money is at the bank, but for some. */
function aList(count: number, ...open: readonly number[]): FoundPayment[] {
  return Array.from({ length: count }, (_, index) => aConfirm(`T-${index}`, open.includes(index) ? OPEN : BANKED));
}

function reading(list: readonly FoundPayment[], sizes: number[] = []) {
  return async (after: string | undefined, limit: number): Promise<readonly FoundPayment[]> => {
    sizes.push(limit);
    const first = after === undefined ? 0 : list.findIndex(({ cursor }) => cursor === after) + 1;
    return list.slice(first, first + limit);
  };
}

const readDue = async () => [{ itemId: 'service:T-1', dueOn: DUE_ON, isLate: true }];

describe('placePayments', () => {
  test.each([
    ['none', undefined, undefined],
    ['late', OPEN, DUE_ON],
    ['banked', BANKED, undefined],
    ['returned', { ...OPEN, returnedOn: DUE_ON }, DUE_ON],
    ['break', { ...OPEN, breaks: [{ id: 'B', breakClass: 'missing_in_bank' }] }, DUE_ON],
    ['refunded', { ...BANKED, refunded: 5_000n }, undefined],
  ])('returns the state %s of the money', async (state, money, dueOn) => {
    expect(await placePayments([aConfirm('T-1', money)], readDue)).toMatchObject([{ state, dueOn }]);
  });

  test('reads the due items of money that is not at the bank alone', async () => {
    const asked: (readonly string[])[] = [];
    const noting = async (itemIds: readonly string[]) => {
      asked.push(itemIds);
      return [];
    };
    await placePayments([aConfirm('T-1', BANKED), aConfirm('T-2', undefined)], noting);
    expect(asked).toEqual([]);
    await placePayments([aConfirm('T-3', OPEN), aConfirm('T-4', BANKED)], noting);
    expect(asked).toEqual([['service:T-3']]);
  });
});

describe('placedPage', () => {
  const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

  test('returns whether another page follows the last row', async () => {
    const list = aList(3);
    const first = await placedPage(reading(list), readDue, { limit: 2, state: undefined, after: undefined });
    expect([idsOf(first.rows), first.next]).toEqual([['T-0', 'T-1'], 'T-1']);
    const last = await placedPage(reading(list), readDue, { limit: 2, state: undefined, after: first.next });
    expect([idsOf(last.rows), last.next]).toEqual([['T-2'], undefined]);
    const whole = await placedPage(reading(list), readDue, { limit: 3, state: undefined, after: undefined });
    expect([whole.rows.length, whole.next]).toEqual([3, undefined]);
  });

  test('returns a short page after 2,000 payments without the state, and goes on from there', async () => {
    const list = aList(2_500, 5, 2_400);
    const sizes: number[] = [];
    const first = await placedPage(reading(list, sizes), readDue, { limit: 50, state: 'expected', after: undefined });
    expect([idsOf(first.rows), first.next, sizes.length]).toEqual([['T-5'], 'T-1999', 10]);
    const second = await placedPage(reading(list), readDue, { limit: 50, state: 'expected', after: first.next });
    expect([idsOf(second.rows), second.next]).toEqual([['T-2400'], undefined]);
  });
});
