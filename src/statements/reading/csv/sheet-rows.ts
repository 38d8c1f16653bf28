import type { BusinessDate } from '../../../kernel';
import { WHOLE_FILE_BYTES_MAX } from '../limits';
import { oneLine } from '../one-line';
import { refusal, tooLarge } from '../refusal';
import type { CellValue, Sheet, SheetRow } from '../spreadsheet/sheet';
import type { StatementProfile } from '../statement-profile';
import { type CsvRow, LOOSE_CHARACTERS_MAX, withinLimits } from './csv-rows';
import { PREAMBLE_LINES_MAX, type RowSource } from './row-source';
import { RECORD_CHARACTERS_MAX } from './split-record';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** How dates and numbers of a sheet are written for the CSV reader, so that they pass the checks of a text. */
export interface SheetForm extends Pick<StatementProfile, 'dateFormat' | 'decimalSign'> {
  /** Whether a number such as 12.345 gets another decimal, so that its point cannot separate thousands. */
  readonly unambiguous?: boolean;
}

/** The form from which a profile can be proposed. */
export const PROPOSAL_FORM: SheetForm = { dateFormat: 'yyyy-mm-dd', decimalSign: '.', unambiguous: true };

/**
 * Returns the rows of a sheet, each with the number that the spreadsheet program shows. Their raw text is that of a CSV
 * file with semicolons.
 *
 * @throws AppError `bad_input` if that text is larger than a CSV file may be.
 */
export function sheetRows({ rows, width }: Sheet, form: SheetForm): RowSource {
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  const last = rows.at(-1)?.number ?? 0;
  const rowAt = (line: number): CsvRow => {
    const row = byNumber.get(line);
    if (row === undefined) return { line, cells: [], raw: '' };
    const cells = Array.from({ length: width }, () => '');
    for (const { column, value } of row.cells) cells[column] = textOf(value, form);
    return { line, cells, raw: cells.map(quotedCell).join(';') };
  };
  let bytes = last;
  for (const { number } of rows) {
    bytes += Buffer.byteLength(rowAt(number).raw);
    if (bytes > WHOLE_FILE_BYTES_MAX) throw tooLarge('CSV');
  }
  return {
    head: () =>
      Array.from({ length: Math.min(last, PREAMBLE_LINES_MAX) }, (_, index) => {
        const row = rowAt(index + 1);
        return { ...row, lastLine: row.line, cells: row.raw.length > LOOSE_CHARACTERS_MAX ? [] : row.cells };
      }),
    eachFrom(first, _dialect, take) {
      const takeNext = withinLimits(first, take);
      for (let line = first; line <= last; line += 1) {
        const row = rowAt(line);
        refuseLost(byNumber.get(line));
        if (row.raw.length > RECORD_CHARACTERS_MAX) {
          throw refusal(`line ${line}: expected at most ${RECORD_CHARACTERS_MAX} characters, got more`);
        }
        takeNext(row);
      }
    },
    isBlank: () => rows.length === 0,
  };
}

/** Above the heading, a person may give what a number lost. A line would be posted with another reference. */
function refuseLost(row: SheetRow | undefined): void {
  const faults = row?.cells.flatMap(({ value }) => (value.kind === 'lost' ? [value.fault] : [])) ?? [];
  if (faults.length > 0) throw refusal(...faults);
}

function textOf(value: CellValue, form: SheetForm): string {
  if (value.kind === 'lost') return value.text;
  if (value.kind === 'date') return dateText(value.date, form.dateFormat);
  // A row is a line, so a cell has no line breaks. Half of a surrogate pair is no text that a database stores.
  if (value.kind === 'text') return oneLine(value.text.toWellFormed());
  const isAmbiguous = form.unambiguous === true && /^-?\d{1,3}\.\d{3}$/.test(value.text);
  return `${value.text}${isAmbiguous ? '0' : ''}`.replace('.', form.decimalSign);
}

function quotedCell(text: string): string {
  return /[";]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
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
