import type { BusinessDate } from '../../../kernel';
import { WHOLE_FILE_BYTES_MAX } from '../limits';
import { tooLarge } from '../refusal';
import type { StatementProfile } from '../statement-profile';
import type { CellValue, Sheet, SheetRow } from './sheet';

const DELIMITER = ';';
const QUOTE = '"';
const BYTE_ORDER_MARK = '\ufeff';
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const NEEDS_QUOTES = /[";]/;

/** How dates and numbers of a sheet are written for the CSV reader. */
export interface SheetForm {
  readonly dateFormat: string;
  readonly decimalSign: ',' | '.';
  /** Whether a number such as 12.345 gets another decimal, so that its point cannot separate thousands. */
  readonly unambiguous: boolean;
}

/** The form from which a profile can be proposed. */
export const PROPOSAL_FORM: SheetForm = { dateFormat: 'yyyy-mm-dd', decimalSign: '.', unambiguous: true };

/** Returns a profile for the text of a sheet: only the columns and the forms of text cells are the bank's. */
export function profileOfSheet(profile: StatementProfile): StatementProfile {
  return { ...profile, encoding: 'utf-8', delimiter: DELIMITER, quote: QUOTE };
}

/** Returns the form in which a profile reads dates and numbers. */
export function formOf({ dateFormat, decimalSign }: StatementProfile): SheetForm {
  return { dateFormat, decimalSign, unambiguous: false };
}

/**
 * Returns a sheet as the CSV text of `profileOfSheet`, each row on the line of its number. So dates and amounts of a
 * spreadsheet pass the same checks as those of a CSV file.
 *
 * @throws AppError `bad_input` if the text is larger than a CSV file may be.
 */
export function sheetText(sheet: Sheet, form: SheetForm): Buffer {
  const lines: string[] = [];
  let characters = 0;
  for (const row of sheet.rows) {
    while (lines.length < row.number - 1) lines.push('');
    const line = lineOf(row, sheet.width, form);
    characters += line.length;
    if (characters > WHOLE_FILE_BYTES_MAX) throw tooLarge('CSV');
    lines.push(line);
  }
  const bytes = Buffer.from(`${BYTE_ORDER_MARK}${lines.join('\n')}\n`);
  if (bytes.length > WHOLE_FILE_BYTES_MAX) throw tooLarge('CSV');
  return bytes;
}

function lineOf({ cells }: SheetRow, width: number, form: SheetForm): string {
  const texts = Array.from({ length: width }, () => '');
  for (const { column, value } of cells) texts[column] = quotedCell(textOf(value, form));
  return texts.join(DELIMITER);
}

function textOf(value: CellValue, form: SheetForm): string {
  if (value.kind === 'date') return dateText(value.date, form.dateFormat);
  // A line of the text is a row, so a cell has no line breaks.
  if (value.kind === 'text') return value.text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
  const text = form.unambiguous && /^-?\d{1,3}\.\d{3}$/.test(value.text) ? `${value.text}0` : value.text;
  return text.replace('.', form.decimalSign);
}

function quotedCell(text: string): string {
  return NEEDS_QUOTES.test(text) ? QUOTE + text.replaceAll(QUOTE, QUOTE + QUOTE) + QUOTE : text;
}

function dateText(date: BusinessDate, format: string): string {
  const [year = '', month = '', day = ''] = date.split('-');
  const fields: Readonly<Record<string, string>> = {
    yyyy: year,
    yy: year.slice(2),
    mmm: MONTHS[Number(month) - 1] ?? '',
    mm: month,
    m: String(Number(month)),
    dd: day,
    d: String(Number(day)),
    time: '00:00',
  };
  return format.replace(/time|yyyy|yy|mmm|mm|m|dd|d/g, (field) => fields[field] ?? field);
}
