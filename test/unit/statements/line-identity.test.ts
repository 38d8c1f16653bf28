// Goal: the same line in two files is one line, and two equal but separate lines stay two.
// Method: identities of lines that differ in one field; counters as an import uses them, one per statement.
import { describe, expect, test } from '@jest/globals';
import { businessDate } from '../../../src/kernel';
import { IdentityCounter, type LineBasis, lineIdentity } from '../../../src/statements/chain/line-identity';

const BY_CONTENT: LineBasis = {
  account: '08003000514',
  currency: 'TND',
  bookingDate: businessDate('2026-03-02'),
  valueDate: businessDate('2026-03-03'),
  amountMinor: 120_500,
  counterparty: 'Salma Ben Ali',
  remittance: 'FACTURE 7',
  bankReference: '',
};
const BY_REFERENCE: LineBasis = { ...BY_CONTENT, bankReference: 'B2026-1' };
const OTHER_DAY = businessDate('2026-03-04');

const NONE: ReadonlySet<string> = new Set();

function identitiesOf(lines: readonly LineBasis[], taken: ReadonlySet<string> = NONE): string[] {
  const counter = new IdentityCounter(taken);
  return lines.map((line) => counter.next(line));
}

describe('the identity of a line', () => {
  test('never changes, because it is stored', () => {
    expect(lineIdentity(BY_CONTENT, 1)).toBe('c985d59eecb638604507a77798e50ef33c387d0f9ad7c6e5e20ae0aff2da1475');
    expect(lineIdentity(BY_REFERENCE, 1)).toBe('7254db19182528835c27685b30c7ee9623f135f9a1a0dfcd61de19b7f1c8774c');
  });

  test.each<[string, Partial<LineBasis>]>([
    ['account', { account: '08003000515' }],
    ['currency', { currency: 'EUR' }],
    ['booking date', { bookingDate: OTHER_DAY }],
    ['amount', { amountMinor: 120_501 }],
    ['direction', { amountMinor: -120_500 }],
  ])('differs with another %s, with or without a bank reference', (_what, change) => {
    expect(lineIdentity({ ...BY_CONTENT, ...change }, 1)).not.toBe(lineIdentity(BY_CONTENT, 1));
    expect(lineIdentity({ ...BY_REFERENCE, ...change }, 1)).not.toBe(lineIdentity(BY_REFERENCE, 1));
  });

  test.each<[string, Partial<LineBasis>]>([
    ['value date', { valueDate: OTHER_DAY }],
    ['no value date', { valueDate: undefined }],
    ['counterparty', { counterparty: 'Salma' }],
    ['text', { remittance: 'FACTURE 8' }],
  ])('depends on the %s only if the bank gives no reference', (_what, change) => {
    expect(lineIdentity({ ...BY_CONTENT, ...change }, 1)).not.toBe(lineIdentity(BY_CONTENT, 1));
    expect(lineIdentity({ ...BY_REFERENCE, ...change }, 1)).toBe(lineIdentity(BY_REFERENCE, 1));
  });

  test('differs with another bank reference', () => {
    expect(lineIdentity({ ...BY_REFERENCE, bankReference: 'B2026-2' }, 1)).not.toBe(lineIdentity(BY_REFERENCE, 1));
  });

  test('distinguishes adjacent fields', () => {
    const one = lineIdentity({ ...BY_CONTENT, counterparty: 'a', remittance: 'bc' }, 1);
    expect(lineIdentity({ ...BY_CONTENT, counterparty: 'ab', remittance: 'c' }, 1)).not.toBe(one);
  });
});

describe('IdentityCounter', () => {
  test('gives equal lines different identities, and the same ones in another file', () => {
    const lines = [BY_CONTENT, BY_REFERENCE, BY_CONTENT, BY_CONTENT, BY_REFERENCE];
    const identities = identitiesOf(lines);
    expect(new Set(identities).size).toBe(5);
    expect(identitiesOf(lines)).toEqual(identities);
    expect(identitiesOf([...lines].reverse()).sort()).toEqual([...identities].sort());
  });

  test('gives other identities than those of an earlier statement of the day', () => {
    const before = identitiesOf([BY_CONTENT, BY_CONTENT]);
    const after = identitiesOf([BY_CONTENT, BY_REFERENCE, BY_CONTENT], new Set(before));
    expect(after.filter((identity) => before.includes(identity))).toEqual([]);
    expect(after).toEqual([lineIdentity(BY_CONTENT, 3), lineIdentity(BY_REFERENCE, 1), lineIdentity(BY_CONTENT, 4)]);
  });

  test('fills the free positions between taken ones', () => {
    const taken = new Set([lineIdentity(BY_CONTENT, 2)]);
    expect(identitiesOf([BY_CONTENT, BY_CONTENT], taken)).toEqual([
      lineIdentity(BY_CONTENT, 1),
      lineIdentity(BY_CONTENT, 3),
    ]);
  });
});
