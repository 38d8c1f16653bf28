import { quoted, westernDigits } from '../../../kernel';
import { refusal } from '../refusal';
import { cellName, type CellValue, DATE_TEXT, type Sheet } from './sheet';

type Kind = 'date' | 'number';

const AMOUNT_TEXT = /^[-+(]?\s?\d[\d\s\u00a0\u202f'’]*(?:[.,\u066b\u066c]\d+)+\s?[-)]?(?:\s?[A-Za-z]{2,3})?$/;

interface Run {
  readonly kind: Kind;
  readonly isText: boolean;
  readonly place: string;
}

/**
 * Refuses a sheet with dates or amounts of which the spreadsheet program read only a part. It leaves 13/04 as text and
 * reads 03/04 as 4 March, or reads 5,950 as thousands, so the cells that are not text are wrong without a sign.
 *
 * @throws AppError `bad_input` that names a cell of each kind.
 */
export function refuseMixedCells(sheet: Sheet): void {
  const runs = new Map<number, Run>();
  for (const { number, cells } of sheet.rows) {
    for (const { column, value } of cells) {
      const found = runOf(value, cellName(column, number));
      const before = runs.get(column);
      // Another text, such as a heading, separates the cells above it from those below.
      if (found === undefined) runs.delete(column);
      else if (before?.kind !== found.kind) runs.set(column, found);
      else if (before.isText !== found.isText) throw mixed(before, found, value);
    }
  }
}

function runOf(value: CellValue, place: string): Run | undefined {
  if (value.kind === 'lost') return undefined;
  if (value.kind !== 'text') return { kind: value.kind, isText: false, place };
  const text = westernDigits(value.text).trim();
  if (DATE_TEXT.test(text)) return { kind: 'date', isText: true, place };
  return AMOUNT_TEXT.test(text) ? { kind: 'number', isText: true, place } : undefined;
}

function mixed(before: Run, found: Run, value: CellValue): Error {
  const wanted = before.kind === 'date' ? 'a date' : 'a number';
  const got = value.kind === 'text' ? `the text ${quoted(value.text)}` : wanted;
  const expected = before.isText ? 'a text' : wanted;
  return refusal(
    `cell ${found.place}: expected ${expected}, as in ${before.place}, got ${got}; ` +
      'a spreadsheet program read only a part of the column, so export the file again without opening it',
  );
}
