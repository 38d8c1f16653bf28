import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { loadProfiles } from '../../../src/statements/reading/load-profiles';
import { payoutPatternFor } from '../../../src/statements/testing';
import { SHIPPED_PROFILES_FILE } from '../../fixtures/statements/statement-bytes';

const folder = mkdtempSync(join(tmpdir(), 'profiles-'));
afterAll(() => rmSync(folder, { recursive: true }));

const GOOD = {
  name: 'a-bank',
  description: 'a bank',
  encoding: 'utf-8',
  delimiter: ',',
  currency: { fixed: 'TND' },
  columns: { bookingDate: 'Date', remittance: 'Text', amount: 'Amount' },
  dateFormat: 'yyyy-mm-dd',
  decimalSign: '.',
};

function load(content: unknown): ReturnType<typeof loadProfiles> {
  const file = join(folder, 'profiles.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return loadProfiles(file);
}

describe('the profiles file', () => {
  test('ships with a profile', () => {
    expect(loadProfiles(SHIPPED_PROFILES_FILE).map(({ name }) => name)).toEqual(['releve-fr-tn']);
  });

  test('accepts a profile with one signed column and adds the defaults', () => {
    expect(load({ profiles: [GOOD] })).toMatchObject([{ quote: '"', order: 'oldest-first', thousandsSeparators: [] }]);
  });

  test.each([
    ['an unknown field', { dateformat: 'x' }, /profile "a-bank" .*"dateformat"/],
    ['an unknown encoding', { encoding: 'ebcdic' }, /profile "a-bank": encoding /],
    ['a delimiter of two characters', { delimiter: ';;' }, /profile "a-bank": delimiter /],
    ['a bad pattern', { payoutPattern: '(' }, /profile "a-bank": payoutPattern is not a regular expression/],
    ['a bad date format', { dateFormat: 'dd/mm' }, /profile "a-bank": dateFormat must name/],
    [
      'a grouping by the decimal sign',
      { thousandsSeparators: ['.'] },
      /profile "a-bank": thousandsSeparators must not/,
    ],
    ['no column of amounts', { columns: { bookingDate: 'D', remittance: 'T' } }, /profile "a-bank": columns must name/],
    [
      'a debit column alone',
      { columns: { bookingDate: 'D', remittance: 'T', debit: 'X' } },
      /profile "a-bank": columns must name/,
    ],
    ['totals without debit and credit', { totals: { label: '^T' } }, /profile "a-bank": totals needs/],
    ['a currency outside ISO 4217', { currency: { fixed: 'DT' } }, /profile "a-bank": currency/],
    [
      'a currency that is fixed and a column',
      { columns: { ...GOOD.columns, currency: 'Ccy' } },
      /profile "a-bank": currency must not be fixed beside a column of currencies/,
    ],
    [
      'an account that is fixed and a column',
      { account: { fixed: '1' }, columns: { ...GOOD.columns, account: 'Account' } },
      /profile "a-bank": account must be given once/,
    ],
    [
      'a direction without an amount',
      {
        columns: {
          bookingDate: 'D',
          remittance: 'T',
          debit: 'X',
          credit: 'Y',
          direction: { column: 'S', debit: ['D'], credit: ['C'] },
        },
      },
      /profile "a-bank": columns.direction needs the column amount/,
    ],
    ['an unknown format', { format: 'pdf' }, /profile "a-bank": format /],
    ['columns for a format that has none', { format: 'mt940' }, /profile "a-bank" /],
    ['no name', { name: undefined }, /profile 1: name /],
  ])('refuses %s and names the profile and the field', (_what, change, message) => {
    expect(() => load({ profiles: [{ ...GOOD, ...change }] })).toThrow(
      expect.objectContaining({ code: 'misconfigured', message: expect.stringMatching(message) }),
    );
  });

  test.each([
    ['two profiles of one name', { profiles: [GOOD, GOOD] }, /"a-bank": name stands twice/],
    ['no profile', { profiles: [] }, /profiles /],
    ['a bare list', '[]', /the file must be an object with "profiles"/],
    ['text that expected JSON', '{', /expected JSON/],
    ['a key that stands twice', '{"profiles": [], "profiles": []}', /expected each key once/],
    ['an empty file', '', /expected JSON/],
  ])('refuses %s', (_what, content, message) => {
    expect(() => load(content)).toThrow(
      expect.objectContaining({ code: 'misconfigured', message: expect.stringMatching(message) }),
    );
  });

  test('names the variable if the file does not exist', () => {
    expect(() => loadProfiles(join(folder, 'none.json'))).toThrow(/STATEMENT_PROFILES_FILE: .*cannot be read/);
  });
});

describe('a profile for MT940, camt or OFX', () => {
  const other = (name: string, more: object): object => ({ name, description: 'a bank', format: 'camt', ...more });

  test('has a name, a description, an account and a payout pattern', () => {
    expect(load({ profiles: [other('plain', {}), GOOD] })).toMatchObject([{ format: 'camt' }, { format: 'csv' }]);
  });

  test('is chosen by name, then by account, then by format, for its payout pattern', () => {
    const profiles = load({
      profiles: [
        GOOD,
        other('all', { payoutPattern: 'all' }),
        other('own', { account: 'DE12 34', payoutPattern: 'own' }),
        other('statements', { format: 'mt940', payoutPattern: 'mt' }),
      ],
    });
    const sourceFor = (format: 'camt' | 'mt940' | 'ofx', account?: string, profileName?: string): string | undefined =>
      payoutPatternFor(profiles, { format, account, profileName })?.source;
    expect(sourceFor('camt', 'DE 1234')).toBe('own');
    expect(sourceFor('camt', 'DE99')).toBe('all');
    expect(sourceFor('camt')).toBe('all');
    expect(sourceFor('camt', 'DE1234', 'all')).toBe('all');
    expect(sourceFor('mt940', 'DE1234')).toBe('mt');
    expect(sourceFor('ofx', 'DE1234')).toBeUndefined();
  });
});
