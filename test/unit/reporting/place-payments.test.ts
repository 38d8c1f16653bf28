import { describe, expect, test } from '@jest/globals';
import { businessDate, millimes } from '../../../src/kernel';
import { type FoundPayment, placePayments } from '../../../src/reporting';

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
  const none = {
    reference: undefined,
    agentId: undefined,
    trackingId: undefined,
    requestState: undefined,
    status: 'SUCCESS',
  };
  const row = {
    source: 'confirm',
    id,
    at: 1,
    channel: 'agent',
    amount: millimes(5_000),
    itemId: `service:${id}`,
  } as const;
  return { ...row, ...none, money };
}

const readDue = async () => [{ itemId: 'service:T-1', usuallyOn: DUE_ON, dueOn: DUE_ON, isLate: true }];

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
