import { describe, expect, test } from '@jest/globals';
import { dateReader, isDateFormat } from '../../../../src/statements/reading/date-text';
import { aProfile, readProposedRows, readRows, refusalOf } from './a-profile';

describe('dateReader', () => {
  test.each([
    ['1/3/2026', 'd/m/yyyy', '2026-03-01'],
    ['31/12/2026', 'd/m/yyyy', '2026-12-31'],
    ['01/03/2026', 'd/m/yyyy', '2026-03-01'],
    ['3/1/26', 'm/d/yy', '2026-03-01'],
    ['31 Mar 2026', 'd mmm yyyy', '2026-03-31'],
    ['31-MAR-26', 'dd-mmm-yy', '2026-03-31'],
    ['1 Fév 2026', 'd mmm yyyy', '2026-02-01'],
    ['1 fe\u0301v. 2026', 'd mmm yyyy', '2026-02-01'],
    ['1 AVR 2026', 'd mmm yyyy', '2026-04-01'],
    ['1 mai 2026', 'd mmm yyyy', '2026-05-01'],
    ['1 juin 2026', 'd mmm yyyy', '2026-06-01'],
    ['1 juil. 2026', 'd mmm yyyy', '2026-07-01'],
    ['1 aoû 2026', 'd mmm yyyy', '2026-08-01'],
    ['1 Dec 2026', 'd mmm yyyy', '2026-12-01'],
    ['Mar 31, 2026', 'mmm d, yyyy', '2026-03-31'],
    ['31MAR26', 'ddmmmyy', '2026-03-31'],
    ['2026-03-31 14:05:10', 'yyyy-mm-dd time', '2026-03-31'],
    ['2026-03-31T23:59:59.999', 'yyyy-mm-ddTtime', '2026-03-31'],
    ['31/03/2026 00:00', 'dd/mm/yyyy time', '2026-03-31'],
    ['31/03/2026', 'dd/mm/yyyy time', '2026-03-31'],
    ['31/03/2026 9:05', 'dd/mm/yyyy time', '2026-03-31'],
    ['2026-01-05T23:30:00Z', 'yyyy-mm-ddTtime', '2026-01-06'],
    ['2026-01-05T22:59:59.999Z', 'yyyy-mm-ddTtime', '2026-01-05'],
    ['2026-07-05T23:30:00+01:00', 'yyyy-mm-ddTtime', '2026-07-05'],
    ['2026-01-06T00:30:00+0200', 'yyyy-mm-ddTtime', '2026-01-05'],
    ['2025-12-31 18:30 -05', 'yyyy-mm-dd time', '2026-01-01'],
    ['05/01/2026 23:30:00 UTC', 'dd/mm/yyyy time', '2026-01-06'],
    ['5/1/26 23:30 GMT+1', 'd/m/yy time', '2026-01-05'],
    ['05/01/2026 23:30 CET', 'dd/mm/yyyy time', '2026-01-05'],
    ['2/3/26', 'd/m/yy', '2026-03-02'],
    ['13-3-26', 'd-m-yy', '2026-03-13'],
    ['2.12.26', 'd.m.yy', '2026-12-02'],
    ['\u200f02/03/2026', 'dd/mm/yyyy', '2026-03-02'],
    ['\u0660\u0662\u200f/\u0660\u0663\u200f/\u0662\u0660\u0662\u0666', 'dd/mm/yyyy', '2026-03-02'],
    ['\u06f2\u06f0\u06f2\u06f6-\u06f0\u06f3-\u06f0\u06f2', 'yyyy-mm-dd', '2026-03-02'],
    ['\u2067\u0662 مارس \u0662\u0660\u0662\u0666\u2069', 'd mmm yyyy', '2026-03-02'],
  ])('reads %j in the format %s', (text, format, date) => {
    expect(isDateFormat(format)).toBe(true);
    expect(dateReader(format)(text)).toBe(date);
  });

  test.each(
    [
      'janv. janv jan. janvier Janvier JANVIER جانفي',
      'févr. févr fevr. fév. février FEVRIER فيفري',
      'mars Mars MARS مارس',
      'avr. avr avril AVRIL أفريل افريل',
      'mai MAI ماي',
      'juin JUIN جوان',
      'juil. juill. juillet JUILLET جويلية جويليه',
      'août aout AOÛT AOUT أوت',
      'sept. sept sep. septembre SEPTEMBRE سبتمبر',
      'oct. oct octobre أكتوبر',
      'nov. nov novembre نوفمبر',
      'déc. déc dec. décembre DECEMBRE ديسمبر',
    ].flatMap((names, month) => names.split(' ').map((name) => [name, month + 1] as const)),
  )('reads the month %s as %i', (name, month) => {
    const day = `2026-${String(month).padStart(2, '0')}-05`;
    expect(dateReader('d mmm yyyy')(`05 ${name} 2026`)).toBe(day);
    expect(dateReader('d-mmm-yy')(`5-${name}-26`)).toBe(day);
  });

  test.each([
    ['1/3/26', 'd/m/yyyy'],
    ['031/3/2026', 'd/m/yyyy'],
    ['31/4/2026', 'd/m/yyyy'],
    ['0/3/2026', 'd/m/yyyy'],
    ['1 jui 2026', 'd mmm yyyy'],
    ['1 Mrz 2026', 'd mmm yyyy'],
    ['1 03 2026', 'd mmm yyyy'],
    ['31/03/2026 24:00', 'dd/mm/yyyy time'],
    ['31/03/2026 12:60', 'dd/mm/yyyy time'],
    ['31/03/2026 12:00x', 'dd/mm/yyyy time'],
    ['31/03/2026 23:30 EST', 'dd/mm/yyyy time'],
    ['31/03/2026 23:30+15:00', 'dd/mm/yyyy time'],
    ['31/03/2026Z', 'dd/mm/yyyy time'],
    ['\u202e6202/30/13', 'dd/mm/yyyy'],
  ])('refuses %j in the format %s', (text, format) => {
    expect(isDateFormat(format)).toBe(true);
    expect(dateReader(format)(text)).toBeUndefined();
  });

  test.each([
    'dmyyyy',
    'dmmyyyy',
    'yyyymd',
    'd/mm/mmm/yyyy',
    'd/dd/m/yyyy',
    'time dd/mm/yyyy',
    'dd/mm/yyyy time.',
    'time',
  ])('refuses the format %j', (format) => {
    expect(isDateFormat(format)).toBe(false);
  });
});

describe('the dates of an export', () => {
  const rowsOf = (...dates: string[]): string[] => [
    'Date;Libellé;Montant;Devise',
    ...dates.map((date) => `${date};a;1,50;EUR`),
  ];
  const daysOf = (...dates: string[]): string[] =>
    readProposedRows(rowsOf(...dates)).lines.map(({ bookingDate }) => bookingDate);

  test.each([
    [
      ['9/3/2026', '13/3/2026'],
      ['2026-03-09', '2026-03-13'],
    ],
    [
      ['09/03/2026', '9/3/2026'],
      ['2026-03-09', '2026-03-09'],
    ],
    [
      ['2026-03-31 14:05:10', '2026-04-01 00:00:00'],
      ['2026-03-31', '2026-04-01'],
    ],
    [
      ['2026-03-31T14:05', '2026-04-01T00:00'],
      ['2026-03-31', '2026-04-01'],
    ],
    [
      ['31-MAR-26', '1-AVR-26'],
      ['2026-03-31', '2026-04-01'],
    ],
    [
      ['03/04/2026 10:00', '05/06/2026 10:00'],
      ['2026-04-03', '2026-06-05'],
    ],
  ])('are read from the file: %j', (dates, days) => {
    expect(daysOf(...dates)).toEqual(days);
  });

  test('use the strict format if every date fits it', () => {
    expect(refusalOf(() => daysOf('13/03/2026', '04/13/2026'))).toContain('expected a date as dd/mm/yyyy, like those');
  });

  test('are refused if day and month are ambiguous and the header names no language', () => {
    const rows = rowsOf('3/4/2026').map((row) => row.replace('Libellé;Montant;Devise', 'Description;Amount;Currency'));
    expect(refusalOf(() => readProposedRows(rows))).toContain('give --date-format d/m/yyyy or --date-format m/d/yyyy');
  });

  test('may have a format that only a person can name', () => {
    const profile = aProfile({ dateFormat: 'mmm d, yyyy' });
    const rows = ['Date;Libellé;Débit;Crédit;Solde', 'Mar 31, 2026;a;;1,500;1,500'];
    expect(readRows(rows, profile).lines[0]?.bookingDate).toBe('2026-03-31');
  });
});

describe('dateReader', () => {
  test.each([
    ['31/03/2026', 'dd/mm/yyyy', '2026-03-31'],
    ['29/02/2028', 'dd/mm/yyyy', '2028-02-29'],
    ['31.03.26', 'dd.mm.yy', '2026-03-31'],
    ['20260331', 'yyyymmdd', '2026-03-31'],
    ['2026-03-31', 'yyyy-mm-dd', '2026-03-31'],
    [' 31/03/2026 ', 'dd/mm/yyyy', '2026-03-31'],
  ])('reads %j in the format %s', (text, format, date) => {
    expect(dateReader(format)(text)).toBe(date);
  });

  test.each([
    ['30/02/2026', 'dd/mm/yyyy'],
    ['29/02/2026', 'dd/mm/yyyy'],
    ['31/04/2026', 'dd/mm/yyyy'],
    ['03/31/2026', 'dd/mm/yyyy'],
    ['00/01/2026', 'dd/mm/yyyy'],
    ['1/3/2026', 'dd/mm/yyyy'],
    ['31/03/26', 'dd/mm/yyyy'],
    ['31-03-2026', 'dd/mm/yyyy'],
    ['31x03x26', 'dd.mm.yy'],
    ['31/03/2026 00:00', 'dd/mm/yyyy'],
    ['', 'dd/mm/yyyy'],
  ])('refuses %j in the format %s', (text, format) => {
    expect(dateReader(format)(text)).toBeUndefined();
  });

  test.each(['dd/mm', 'dd/mm/yyyy/yy', 'DD/MM/YYYY', 'mm/mm/yyyy', ''])('refuses the format %j', (format) => {
    expect(isDateFormat(format)).toBe(false);
  });
});
