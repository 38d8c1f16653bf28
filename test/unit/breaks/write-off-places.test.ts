// Goal: a write-off posts where the money of the break is: per account at most its amount, in total at most the break’s.
// Method: amounts by account and existing write-offs, without a database.
import { expect, test } from '@jest/globals';
import { sumWrittenOff, writeOffPlaces, type WrittenOffPart } from '../../../src/breaks/workflow/write-off-places';
import { millimes } from '../../../src/kernel';
import { type Account, BANK_UNMATCHED, gatewayClearing } from '../../../src/ledger';

const AGENT = gatewayClearing('agent');
const CARD = gatewayClearing('card');

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
  [
    'what the bank has too much is a gain',
    9,
    [[BANK_UNMATCHED, -9]],
    [[BANK_UNMATCHED, -4]],
    [[BANK_UNMATCHED, 'gain', 5]],
  ],
  [
    'a credit in the bank and its items are the same difference',
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
  ['nothing came to an account', 9, [[AGENT, 0]], [], []],
])('posts a write-off where %s', (_what, amount, brought, given, left) => {
  const amounts = new Map(brought.map(([account, part]) => [account, millimes(part)]));
  expect(writeOffPlaces(millimes(amount), amounts, givenOf(given))).toEqual(
    left.map(([account, direction, much]) => ({ account, direction, left: much })),
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
  expect(sumWrittenOff(amount === undefined ? undefined : millimes(amount), givenOf(given))).toBe(expected);
});
