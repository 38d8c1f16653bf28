// Goal: a write-off posts where the money of the break is: per account at most its amount, in total at most the break’s.
// Method: amounts by account and existing write-offs, without a database.
import { expect, test } from '@jest/globals';
import { type Direction, directionOf } from '../../../src/breaks';
import { sumWrittenOff, writeOffPlaces, type WrittenOffPart } from '../../../src/breaks/workflow/write-off-places';
import { type Millimes, millimes } from '../../../src/kernel';
import { type Account, BANK_UNMATCHED, gatewayClearing } from '../../../src/ledger';

const AGENT = gatewayClearing('agent');
const CARD = gatewayClearing('card');

/** A break whose amount is ledger less bank. */
const signed = (amount: number): { readonly amount: Millimes; readonly direction: Direction } => ({
  amount: millimes(amount),
  direction: directionOf(amount),
});

type Amounts = readonly (readonly [Account, number])[];
type Left = readonly (readonly [Account, 'loss' | 'gain', number])[];

const givenOf = (given: Amounts): WrittenOffPart[] =>
  given.map(([account, loss]) => ({ account, loss: millimes(loss) }));

test.each<[string, number, Amounts, Amounts, Left]>([
  ['one account holds all of it', 9, [[AGENT, 9]], [], [[AGENT, 'loss', 9]]],
  ['a part of its rows is the break', 9, [[AGENT, 50]], [[AGENT, 4]], [[AGENT, 'loss', 5]]],
  ['its amount says which way it goes', -9, [[AGENT, 50]], [[AGENT, -4]], [[AGENT, 'gain', 5]]],
  [
    'each account has its own part',
    9,
    [
      [CARD, 3],
      [AGENT, 6],
    ],
    [[AGENT, 2]],
    [
      [AGENT, 'loss', 4],
      [CARD, 'loss', 3],
    ],
  ],
  [
    'all together are no more than its amount',
    5,
    [
      [AGENT, 6],
      [CARD, 3],
    ],
    [[AGENT, 3]],
    [
      [AGENT, 'loss', 2],
      [CARD, 'loss', 2],
    ],
  ],
  [
    'one account gave more than its part, as before the parts were told apart',
    9,
    [
      [AGENT, 6],
      [CARD, 3],
    ],
    [[AGENT, 8]],
    [
      [AGENT, 'loss', 0],
      [CARD, 'loss', 1],
    ],
  ],
  [
    'a loss and a gain make its amount',
    7,
    [
      [AGENT, 10],
      [CARD, -3],
    ],
    [[AGENT, 7]],
    [
      [AGENT, 'loss', 3],
      [CARD, 'gain', 3],
    ],
  ],
  ['nothing came to an account', 9, [[AGENT, 0]], [], []],
])('posts a write-off where %s', (_what, amount, brought, given, left) => {
  const amounts = new Map(brought.map(([account, part]) => [account, millimes(part)]));
  expect(writeOffPlaces(signed(amount), amounts, givenOf(given))).toEqual(
    left.map(([account, effect, much]) => ({ account, effect, left: much })),
  );
});

test.each<[string, Direction, number, Amounts, Amounts, Left]>([
  [
    'of the bank is a gain',
    'bank_has_more',
    9,
    [[BANK_UNMATCHED, -9]],
    [[BANK_UNMATCHED, -4]],
    [[BANK_UNMATCHED, 'gain', 5]],
  ],
  ['that the bank took is a loss', 'books_have_more', 9, [[BANK_UNMATCHED, 9]], [], [[BANK_UNMATCHED, 'loss', 9]]],
  [
    'of the bank goes to the clearing of its items as a gain',
    'bank_has_more',
    9,
    [
      [AGENT, 50],
      [BANK_UNMATCHED, -59],
    ],
    [],
    [
      [BANK_UNMATCHED, 'gain', 9],
      [AGENT, 'gain', 9],
    ],
  ],
  [
    'of the ledger is taken from its items, and never from the credit of the bank',
    'books_have_more',
    9,
    [
      [AGENT, 50],
      [BANK_UNMATCHED, -41],
    ],
    [],
    [[AGENT, 'loss', 9]],
  ],
  [
    'on either side is taken out of each account',
    'unknown',
    9,
    [
      [AGENT, 6],
      [BANK_UNMATCHED, -9],
    ],
    [[BANK_UNMATCHED, -4]],
    [
      [BANK_UNMATCHED, 'gain', 5],
      [AGENT, 'loss', 5],
    ],
  ],
  [
    'of a refund that may have moved is taken out as a gain',
    'may_have_moved',
    9,
    [[AGENT, -9]],
    [],
    [[AGENT, 'gain', 9]],
  ],
  [
    'on both sides of 0 of items that may have moved has an effect in each account',
    'may_have_moved',
    7,
    [
      [AGENT, 10],
      [CARD, -3],
    ],
    [[AGENT, 7]],
    [
      [AGENT, 'loss', 3],
      [CARD, 'gain', 3],
    ],
  ],
])('takes the direction of the break for money %s', (_what, direction, amount, brought, given, left) => {
  const amounts = new Map(brought.map(([account, part]) => [account, millimes(part)]));
  expect(writeOffPlaces({ amount: millimes(amount), direction }, amounts, givenOf(given))).toEqual(
    left.map(([account, effect, much]) => ({ account, effect, left: much })),
  );
});

test.each<[number | undefined, Amounts, number]>([
  [9, [], 0],
  [-9, [], 0],
  [
    9,
    [
      [AGENT, 2],
      [CARD, 3],
    ],
    5,
  ],
  [-9, [[AGENT, -2]], -2],
  [
    7,
    [
      [AGENT, 10],
      [CARD, -3],
    ],
    7,
  ],
  [9, [[BANK_UNMATCHED, -4]], 4],
  [-9, [[BANK_UNMATCHED, -4]], -4],
  [undefined, [[AGENT, 2]], 2],
])('gives the written-off part of %p its sign', (amount, given, expected) => {
  const difference = amount === undefined ? { amount, direction: 'unknown' as const } : signed(amount);
  expect(sumWrittenOff(difference, givenOf(given))).toBe(expected);
});

test.each<[Direction, number, Amounts, number]>([
  ['bank_has_more', 9, [[AGENT, -4]], 4],
  ['books_have_more', 9, [[AGENT, 4]], 4],
  // Written off against the direction by an earlier version: the difference grew.
  ['bank_has_more', 9, [[AGENT, 4]], -4],
  [
    'unknown',
    9,
    [
      [AGENT, 2],
      [BANK_UNMATCHED, -3],
    ],
    5,
  ],
  ['may_have_moved', 9, [[AGENT, -4]], 4],
  [
    'may_have_moved',
    7,
    [
      [AGENT, 10],
      [CARD, -3],
    ],
    7,
  ],
])('counts write-offs of a break with the direction %s', (direction, amount, given, expected) => {
  expect(sumWrittenOff({ amount: millimes(amount), direction }, givenOf(given))).toBe(expected);
});
