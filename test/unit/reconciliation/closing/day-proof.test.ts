import { expect, test } from '@jest/globals';
import { businessDate } from '../../../../src/kernel';
import {
  carriedBy,
  carriedFromJson,
  type Movement,
  MOVEMENT_KINDS,
  movementKind,
  proofToJson,
  proveChannels,
  unexplainedOf,
} from '../../../../src/reconciliation/closing/day-proof';

const MONDAY = businessDate('2026-03-02');
const NO_AGE = (): number => 0;

const movement = (change: Partial<Movement>): Movement => ({
  ...{ channel: 'card', code: 'payment', reverses: undefined, other: undefined, amount: 100n },
  ...change,
});

test.each<[string, Partial<Movement>, string]>([
  ['a payment', { code: 'payment' }, 'succeeded'],
  ["an agent's payment", { code: 'agent_payment' }, 'succeeded'],
  ['a refund', { code: 'refund' }, 'refunded'],
  ['a payout', { code: 'payout' }, 'payouts'],
  ['a payout that is taken back', { code: 'reversal', reverses: 'payout' }, 'payoutsReturned'],
  ['a fee', { code: 'fee', other: 'gateway_fees' }, 'fees'],
  ['the fee of a payout', { code: 'payout_fee', other: 'gateway_fees' }, 'fees'],
  ['the TVA of a fee', { code: 'fee', other: 'gateway_fees_tva' }, 'tva'],
  ['a fee that is taken back', { code: 'reversal', reverses: 'payout_fee', other: 'gateway_fees' }, 'fees'],
  ['a write-off', { code: 'write_off', other: 'write_off' }, 'writtenOff'],
  ['a payment that is taken back', { code: 'reversal', reverses: 'payment' }, 'corrected'],
  ['what no rule knows', { code: 'opening_balance' }, 'corrected'],
])('%s counts as what it is', (_what, change, kind) => {
  expect(movementKind(movement(change))).toBe(kind);
});

test('adds the movements to the opening balance for the closing balance', () => {
  const movements = [
    movement({ amount: 1_000n }),
    movement({ code: 'refund', amount: -300n }),
    movement({ code: 'fee', other: 'gateway_fees', amount: -15n }),
    movement({ code: 'fee', other: 'gateway_fees_tva', amount: -3n }),
    movement({ code: 'payout', amount: -500n }),
    movement({ code: 'due_assessed', amount: 7n }),
    movement({ channel: 'qr', amount: 9n }),
  ];
  const carried = new Map([['card', { closing: 50n, writtenOff: -5n, corrected: 2n }]]);
  const channels = proveChannels(carried, movements, [], NO_AGE);
  expect(channels.map(({ channel, opening, closing }) => [channel, opening, closing])).toEqual([
    ['card', 50n, 239n],
    ['qr', 0n, 9n],
  ]);
  for (const { opening, movements: moved, closing, lines } of channels) {
    expect(MOVEMENT_KINDS.reduce((sum, kind) => sum + moved[kind], opening)).toBe(closing);
    expect(lines.reduce((sum, { amount }) => sum + amount, 0n)).toBe(closing);
  }
});

test('shows the unexplained rest and never balances it', () => {
  const items = [{ channel: 'card', label: 'pending', amount: 90n, items: 1, oldest: MONDAY }] as const;
  const [card] = proveChannels(new Map(), [movement({ amount: 100n })], items, NO_AGE);
  expect(card).toBeDefined();
  expect(card === undefined ? undefined : unexplainedOf(card)).toBe(10n);
});

test('shows a channel with unpaid items even if its balance is 0', () => {
  const items = [{ channel: 'pos', label: 'pending', amount: 5n, items: 1, oldest: MONDAY }] as const;
  expect(proveChannels(new Map(), [], items, NO_AGE).map(unexplainedOf)).toEqual([-5n]);
});

test('carries the same balances to the next day as the movements', () => {
  const huge = 2n ** 60n;
  const movements = [
    movement({ amount: huge }),
    movement({ code: 'write_off', other: 'write_off', amount: -40n }),
    movement({ code: 'opening_balance', amount: 7n }),
  ];
  const proof = { date: MONDAY, channels: proveChannels(new Map(), movements, [], NO_AGE), lateTransactions: 0 };
  expect(carriedFromJson(proofToJson(proof))).toEqual(carriedBy(movements));
  expect(carriedFromJson(proofToJson(proof)).get('card')?.closing).toBe(huge - 33n);
});
