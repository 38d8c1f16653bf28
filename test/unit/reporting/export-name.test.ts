import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { accountTypeLetter, encodeAccount, encodeName } from '../../../src/reporting/export-name';

const text = fc.string({ unit: 'binary', maxLength: 60 });
// Names that differ in little, where an encoding that forgets something would make two of them one.
const nearText = fc.string({
  unit: fc.constantFrom('%', '4', '1', 'A', ':', ' ', 'é', 'e', '\u0301', 'ع'),
  maxLength: 6,
});

describe('a name in an export', () => {
  test('has no character that is special in hledger, a spreadsheet or a shell', () => {
    fc.assert(fc.property(text, (name) => expect(encodeName(name)).toMatch(/^([A-Za-z0-9._-]|%[0-9A-F]{2})*$/)));
  });

  test('can be decoded, so that two names never collide', () => {
    fc.assert(fc.property(text, (name) => expect(decodeURIComponent(encodeName(name))).toBe(name)));
    fc.assert(
      fc.property(nearText, nearText, (a, b) => expect(encodeName(a) === encodeName(b)).toBe(a === b)),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['004711', '004711'],
    ['a:b', 'a%3Ab'],
    ['a%3Ab', 'a%253Ab'],
    ['a  b', 'a%20%20b'],
    ['é', '%C3%A9'],
    ['وكيل', '%D9%88%D9%83%D9%8A%D9%84'],
    ['🙂', '%F0%9F%99%82'],
    ["!'()*~", '%21%27%28%29%2A%7E'],
    ['-1+2', '-1%2B2'],
  ])('is for %s the text %s', (name, written) => {
    expect(encodeName(name)).toBe(written);
  });
});

describe('an account in an export', () => {
  test('separates its kind from its id, which may contain colons', () => {
    expect(encodeAccount('agent_receivable:a:b')).toBe('agent_receivable:a%3Ab');
    expect(encodeAccount('dues_assessed')).toBe('dues_assessed');
  });

  test('can be decoded, so that two accounts never collide', () => {
    const account = fc.tuple(fc.constantFrom('agent_receivable', 'bank'), fc.option(nearText, { nil: undefined }));
    const nameOf = ([kind, id]: [string, string | undefined]): string => (id === undefined ? kind : `${kind}:${id}`);
    fc.assert(
      fc.property(account, account, (a, b) => {
        expect(encodeAccount(nameOf(a)) === encodeAccount(nameOf(b))).toBe(nameOf(a) === nameOf(b));
        expect(encodeAccount(nameOf(a)).split(':').map(decodeURIComponent).join(':')).toBe(nameOf(a));
      }),
    );
  });

  test("has the type that the ledger's chart states, for every kind", () => {
    const source = readFileSync(join(__dirname, '../../../src/ledger/accounts.ts'), 'utf8');
    const chart = [...source.matchAll(/^ {2}(\w+): '(asset|liability|income|expense|equity)',$/gm)];
    const LETTERS: Record<string, string> = { asset: 'A', liability: 'L', income: 'R', expense: 'X', equity: 'E' };
    expect(chart.length).toBeGreaterThan(5);
    for (const [, kind = '', type = ''] of chart) {
      expect([kind, accountTypeLetter(`${kind}:x`)]).toEqual([kind, LETTERS[type]]);
    }
  });

  test('has no type if the chart lacks its kind', () => {
    expect(accountTypeLetter('constructor:x')).toBeUndefined();
    expect(accountTypeLetter('unheard_of')).toBeUndefined();
  });
});
