import { type BusinessCalendar, shownText } from '../kernel';
import {
  type Cell,
  columnsFor,
  peopleCell,
  provenText,
  type ReportColumn,
  type ReportDocument,
  type ReportTable,
} from './report-document';
import { type Reader, TERMINAL_ENGLISH } from './speech';

const LINE_CHARACTERS_MAX = 100;
/** A name is not shortened below this width, even if the line becomes longer. */
const COLUMN_CHARACTERS_MIN = 20;
const INDENT = '  ';
const BETWEEN = '  ';
const PROOF = 'proof';

/** Renders the report for a terminal: aligned, amounts in dinars, 100 characters wide where words, names and amounts fit. Long lists end with a note. */
export function documentToText(
  { title, facts, tables, proven }: ReportDocument,
  calendar: BusinessCalendar,
  speech = TERMINAL_ENGLISH,
): string {
  const { say } = speech;
  const labelWidth = Math.max(...[PROOF, ...facts.map(({ label }) => label)].map((label) => say(label).length));
  const fact = (label: string, text: string): string =>
    `${INDENT}${say(label).padEnd(labelWidth)}${BETWEEN}${text}`.trimEnd();
  return [
    say(title),
    ...facts.map(({ key, label, value }) => fact(label, shownCell(key, value, { calendar, speech }))),
    ...(proven === undefined ? [] : [fact(PROOF, say(provenText(proven)))]),
    ...tables.flatMap((table) => ['', say(table.title), ...tableLines(table, { calendar, speech })]),
  ].join('\n');
}

function tableLines({ columns, rows, rowsShownMax }: ReportTable, reader: Reader): string[] {
  const { say } = reader.speech;
  if (rows.length === 0) return [`${INDENT}${say('none')}`];
  const seen = columnsFor('terminal', columns);
  const labels = seen.map(({ column }) => say(column.label));
  const shown = rows.slice(0, rowsShownMax);
  const cells = shown.map((row) =>
    seen.map(({ column, index }) => ({ text: shownCell(column.key, row[index], reader), right: isFigure(row[index]) })),
  );
  const needed = labels.map((label, at) =>
    Math.max(label.length, ...cells.map((row) => lengthOf(row[at]?.text ?? ''))),
  );
  const widths = fitted(
    seen.map(({ column }) => column),
    needed,
  );
  const rightColumns = seen.map((_, at) => cells.some((row) => row[at]?.right === true));
  const line = (texts: readonly string[]): string =>
    `${INDENT}${texts.map((text, at) => aligned(text, widths[at] ?? 0, rightColumns[at] === true)).join(BETWEEN)}`.trimEnd();
  const hidden = rows.length - shown.length;
  return [
    line(labels),
    ...cells.map((row) => line(row.map(({ text }) => text))),
    ...(hidden > 0 ? [`${INDENT}${say(`and ${hidden} more; the JSON and the CSV have them all`)}`] : []),
  ];
}

/** Shortens the columns that may be truncated, widest first, until a row fits. Amounts and ids stay whole. */
function fitted(columns: readonly ReportColumn[], needed: readonly number[]): number[] {
  const widths = [...needed];
  const room = LINE_CHARACTERS_MAX - INDENT.length - BETWEEN.length * (columns.length - 1);
  for (let over = widths.reduce((sum, width) => sum + width, -room); over > 0; over -= 1) {
    const widest = columns
      .map((column, at) => ({ at, width: column.mayBeCut === true ? (widths[at] ?? 0) : 0 }))
      .reduce((best, each) => (each.width > best.width ? each : best), { at: -1, width: COLUMN_CHARACTERS_MIN });
    if (widest.at === -1) return widths;
    widths[widest.at] = widest.width - 1;
  }
  return widths;
}

function aligned(text: string, width: number, right: boolean): string {
  const characters = Array.from(text);
  if (characters.length > width) return `${characters.slice(0, width - 1).join('')}…`;
  const space = ' '.repeat(width - characters.length);
  return right ? `${space}${text}` : `${text}${space}`;
}

function isFigure(cell: Cell): boolean {
  return typeof cell === 'number' || typeof cell === 'bigint' || (typeof cell === 'object' && 'probability' in cell);
}

function shownCell(key: string, cell: Cell, { calendar, speech }: Reader): string {
  return shownText(peopleCell(key, cell, calendar, speech));
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}
