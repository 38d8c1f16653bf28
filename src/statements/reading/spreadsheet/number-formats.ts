import { NUMBER_FORMATS_MAX, STYLES_MAX } from '../limits';
import { refusal } from '../refusal';
import { readXmlPart } from './read-xml-part';

/** The formats that every workbook has without naming them (ECMA-376, 18.8.30), the local ones in a usual form. */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  ...{ 5: '#,##0_);(#,##0)', 6: '#,##0_);[Red](#,##0)', 7: '#,##0.00_);(#,##0.00)', 8: '#,##0.00_);[Red](#,##0.00)' },
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  ...{ 14: 'dd/mm/yyyy', 15: 'd-mmm-yy', 16: 'd-mmm', 17: 'mmm-yy' },
  ...{ 18: 'h:mm AM/PM', 19: 'h:mm:ss AM/PM', 20: 'h:mm', 21: 'h:mm:ss', 22: 'dd/mm/yyyy h:mm' },
  ...{
    37: '#,##0_);(#,##0)',
    38: '#,##0_);[Red](#,##0)',
    39: '#,##0.00_);(#,##0.00)',
    40: '#,##0.00_);[Red](#,##0.00)',
  },
  ...{ 41: '#,##0_);(#,##0)', 42: '#,##0_);(#,##0)', 43: '#,##0.00_);(#,##0.00)', 44: '#,##0.00_);(#,##0.00)' },
  ...{ 45: 'mm:ss', 46: '[h]:mm:ss', 47: 'mm:ss.0', 48: '##0.0E+0', 49: '@' },
};
const GENERAL = 'General';

/** Returns the number format of each cell style of a workbook, by the number of the style. */
export function readNumberFormats(part: string, bytes: Buffer): readonly string[] {
  const own = new Map<number, string>();
  const styles: number[] = [];
  let inCellStyles = false;
  readXmlPart(part, bytes, {
    open(name, attributes) {
      if (name === 'numFmt') own.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? GENERAL);
      else if (name === 'cellXfs') inCellStyles = true;
      else if (name === 'xf' && inCellStyles) styles.push(Number(attributes['numFmtId'] ?? 0));
      if (own.size > NUMBER_FORMATS_MAX) {
        throw refusal(`expected at most ${NUMBER_FORMATS_MAX} number formats in the workbook, got more`);
      }
      if (styles.length > STYLES_MAX) throw refusal(`expected at most ${STYLES_MAX} styles in the workbook, got more`);
    },
    close(name) {
      if (name === 'cellXfs') inCellStyles = false;
    },
  });
  return styles.map((id) => own.get(id) ?? BUILT_IN[id] ?? GENERAL);
}
