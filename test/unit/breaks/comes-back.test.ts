import { expect, test } from '@jest/globals';
import { comesBack, type NewBreak, type ReconBreak } from '../../../src/breaks';
import { businessDate, millimes } from '../../../src/kernel';

const FOUND: NewBreak = {
  fingerprint: 'f',
  breakClass: 'missing_in_bank',
  since: businessDate('2026-03-02'),
  amount: millimes(5),
  direction: 'books_have_more',
  subject: { itemIds: ['a', 'b'], lineIds: ['L'], facts: { items: 2 } },
};

const closedAs = (resolution: string): ReconBreak => ({
  ...FOUND,
  id: '0'.repeat(26),
  status: 'resolved',
  openedAt: 1,
  resolvedAt: 2,
  resolution,
});

test.each(['disappeared', 'by_hand', 'stored_later', 'force_matched'])(
  'reopens a break closed as %s when a run finds it again',
  (word) => {
    expect(comesBack(closedAs(word), FOUND)).toBe(true);
  },
);

test.each(['written_off', 'accepted'])(
  'keeps a break closed that two people closed as %s, in any order of its rows',
  (word) => {
    const same = { ...FOUND, subject: { itemIds: ['b', 'a'], lineIds: ['L'], facts: { items: 3 } } };
    expect(comesBack(closedAs(word), same)).toBe(false);
  },
);

test.each<[string, Partial<NewBreak>]>([
  ['another amount', { amount: millimes(6) }],
  ['an amount that is not known any more', { amount: undefined }],
  ['an item more', { subject: { ...FOUND.subject, itemIds: ['a', 'b', 'c'] } }],
  ['another line', { subject: { ...FOUND.subject, lineIds: ['M'] } }],
])('reopens what two people closed with %s', (_what, change) => {
  expect(comesBack(closedAs('accepted'), { ...FOUND, ...change })).toBe(true);
});
