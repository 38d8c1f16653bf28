import { describe, expect, test } from '@jest/globals';
import { dateReader, isDateFormat } from '../../../src/statements/reading/date-text';

describe('a date as text', () => {
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
    ['٣١/٠٣/٢٠٢٦', 'dd/mm/yyyy'],
  ])('refuses %j in the format %s', (text, format) => {
    expect(dateReader(format)(text)).toBeUndefined();
  });

  test.each(['dd/mm', 'dd/mm/yyyy/yy', 'DD/MM/YYYY', 'mm/mm/yyyy', ''])('refuses the format %j', (format) => {
    expect(isDateFormat(format)).toBe(false);
  });
});
