// Goal: one bank account has one name, however a bank, a spreadsheet or a person writes it, and no other name changes.
import { describe, expect, test } from '@jest/globals';
import {
  accountKey,
  accountName,
  hasRightKey,
  isChangedBySpreadsheet,
  keyFault,
} from '../../../src/kernel/bank-account-name';

const RIB = '08006012345678901231';

describe('accountName', () => {
  test.each([
    RIB,
    `TN59${RIB}`,
    `tn59 0800 6012 3456 7890 1231`,
    'TN59 08 006 0123456789012 31',
    'TN59-0800-6012-3456-7890-1231',
    '08 006 0123456789012 31',
    '08-006-0123456789012-31',
    '08.006.0123456789012.31',
    '08/006/0123456789012/31',
    '08 006 012345 6789012 31',
    '0800 6012 3456 7890 1231',
    '08006 0123456789012 31',
    '080060123456789012 31',
    '080-060-123-456-789-012-31',
    `"${RIB}"`,
    `'${RIB}`,
    `'${RIB}'`,
    `="${RIB}"`,
    '="08 006 0123456789012 31"',
    '«\u00a008\u202f006\u202f0123456789012\u202f31\u00a0»',
    `\ufeff\u200e${RIB}\u200b`,
    `\u2068${RIB.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit)))}\u2069`,
    `RIB : ${RIB}`,
    `IBAN TN59${RIB}`,
    `${RIB} - STE EXEMPLE`,
    `08-006-0123456789012-31 STE EXEMPLE 2000`,
    `${RIB} (شركة)`,
    `TN59${RIB} / STE EXEMPLE`,
    `${RIB}TND`,
    // As older versions stored it.
    `${RIB}STEEXEMPLE`,
    `ABCDTNTT/${RIB}`,
    `ABCDTNTTXXX/${RIB}`,
  ])('reads %j as the RIB', (text) => {
    expect(accountName(text)).toBe(RIB);
    expect(accountName(accountName(text))).toBe(RIB);
  });

  test.each([
    'X',
    '*****',
    'OTHER-1',
    '098-121',
    '6-9412771',
    '12300 000012345678',
    '12345678/1020304050',
    '50880050/0194787400888',
    'BARCGB22/GB29NWBK60161331926819',
    'FI8529501800030574',
    'DE89 3704 0044 0532 0130 00',
    '99999999-9999-9999-9999-999999999999',
    '166?00GUTSCHRIFT?100399?20EREF+EndToEndId TFNR 22 004?21 00001?22',
    // A Czech account with its bank has 20 digits in other groups.
    '000019-2000145399/0800',
    '2100-0418-45-0200051332',
    `${RIB}1`,
    `${RIB}A1`,
    `${RIB}-2`,
    `FR59${RIB}`,
    `DEUTDEFF/${RIB}`,
    RIB.slice(1),
  ])('keeps %j', (text) => {
    expect(accountName(text)).toBe(text);
  });

  test('removes quotes and invisible characters of any name', () => {
    expect(accountName('="0123456789"')).toBe('0123456789');
    expect(accountName('\ufeff"OTHER-1"\u200b')).toBe('OTHER-1');
    expect(accountKey('12300 000012345678')).toBe('12300000012345678');
  });

  test.each([
    '8,00601E+18',
    '8.00601E+18',
    '8.00601E18',
    '8,00601e+18',
    '8E+18',
    '8006012345678900000',
    `0800601234567890000`,
  ])('recognizes %j as changed by a spreadsheet', (text) => {
    expect(isChangedBySpreadsheet(accountName(text))).toBe(true);
  });

  test.each([RIB, '8E18', '12E45', 'OTHER-1', '10000000', '00000000000000000000', '100', 'NL18KNAB0200000000'])(
    'takes %j for what the bank wrote',
    (text) => {
      expect(isChangedBySpreadsheet(accountName(text))).toBe(false);
    },
  );
});

describe('the key of a RIB', () => {
  test('is right if the number is divisible by 97', () => {
    expect(hasRightKey(RIB)).toBe(true);
    expect(keyFault(RIB)).toBeUndefined();
    expect(keyFault('10006035183598478831')).toBeUndefined();
  });

  test('names the expected key, so that a mistyped digit shows', () => {
    expect(keyFault('08006012345678901232')).toBe('expected the key 31, got 32');
    expect(keyFault('08003000514000000123')).toBe('expected the key 07, got 23');
  });

  test('counts the digits of a number that is nearly a RIB', () => {
    expect(keyFault(RIB.slice(1))).toBe('expected the 20 digits of a RIB, got 19');
    expect(keyFault(`TN59${RIB}1`)).toBe('expected the 20 digits of a RIB, got 21');
  });

  test.each(['OTHER-1', '192639749', 'FI8529501800030574', 'LT625883379695428516', '12345678/1020304050'])(
    'is not asked of %j',
    (name) => {
      expect(keyFault(name)).toBeUndefined();
    },
  );

  test('finds every single wrong digit and every swap of two neighbors', () => {
    for (const [at, digit] of Array.from(RIB).entries()) {
      for (const other of '0123456789') {
        if (other !== digit) expect(keyFault(`${RIB.slice(0, at)}${other}${RIB.slice(at + 1)}`)).toBeDefined();
      }
      const next = RIB[at + 1];
      if (next === undefined || next === digit) continue;
      expect(keyFault(`${RIB.slice(0, at)}${next}${digit}${RIB.slice(at + 2)}`)).toBeDefined();
    }
  });
});
