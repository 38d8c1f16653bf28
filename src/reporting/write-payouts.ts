import type { Session } from '../db';
import { csvLine, escapeUnseen } from '../kernel';
import { csvField, snakeCase } from './document-csv';
import { rowToJson } from './document-json';
import { payoutItemPages } from './payout-items-read-model';
import { CREDIT_FIELDS, ITEM_FIELDS, payoutsDocument } from './payouts-report-document';
import type { PayoutsReport } from './payouts-report-read-model';
import { type Cell, cellsOf, columnsFor, type Field } from './report-document';

/** Accepts a piece of text; the next one is written after it resolves. False stops the report. */
export type TextWriter = (text: string) => Promise<boolean>;

/** Writers of every credit with every item, in pages of items, so that memory use is independent of their number. */
export const PAYOUT_WRITERS = { json: writePayoutsJson, csv: writePayoutsCsv } as const;
export type PayoutsFormat = keyof typeof PAYOUT_WRITERS;

async function writePayoutsJson(session: Session, report: PayoutsReport, write: TextWriter): Promise<boolean> {
  const { tables } = payoutsDocument(report);
  const head = {
    report: 'payouts',
    from: report.from,
    to: report.to,
    proven: report.proven,
    ...Object.fromEntries(
      tables
        .filter(({ key }) => key !== 'credits')
        .map(({ key, columns, rows }) => [key, rows.map((row) => rowToJson(columns, row))]),
    ),
  };
  if (!(await write(`${jsonText(head).slice(0, -1)},"credits":[`))) return false;
  for (const [at, credit] of report.credits.entries()) {
    const own = jsonText(rowToJson(CREDIT_FIELDS, cellsOf(CREDIT_FIELDS, credit))).slice(0, -1);
    if (!(await write(`${at === 0 ? '' : ','}\n${own},"items":[`))) return false;
    if (credit.match !== undefined) {
      let first = true;
      for await (const page of payoutItemPages(session, credit.match.matchId)) {
        const texts = page.map((item) => jsonText(rowToJson(ITEM_FIELDS, cellsOf(ITEM_FIELDS, item))));
        if (!(await write(`${first ? '' : ','}\n  ${texts.join(',\n  ')}`))) return false;
        first = false;
      }
    }
    if (!(await write(']}'))) return false;
  }
  return write('\n]}\n');
}

/** Writes one line per credit, followed by one line per item. */
async function writePayoutsCsv(session: Session, report: PayoutsReport, write: TextWriter): Promise<boolean> {
  const columns = columnsFor('whole', [...CREDIT_FIELDS, ...ITEM_FIELDS]);
  const keys = [...new Set(columns.map(({ column }) => column.key))];
  const line = (section: string, cells: ReadonlyMap<string, Cell>): string =>
    csvLine([section, ...keys.map((key) => csvField(cells.get(key)))]);
  if (!(await write(csvLine(['section', ...keys.map(snakeCase)])))) return false;
  for (const credit of report.credits) {
    if (!(await write(line('credit', cellsByKey(CREDIT_FIELDS, credit))))) return false;
    if (credit.match === undefined) continue;
    for await (const page of payoutItemPages(session, credit.match.matchId)) {
      const lines = page.map((item) =>
        line('item', cellsByKey(ITEM_FIELDS, item).set('lineId', credit.lineId).set('bookingDate', credit.bookingDate)),
      );
      if (!(await write(lines.join('')))) return false;
    }
  }
  return true;
}

function cellsByKey<Thing>(fields: readonly Field<Thing>[], thing: Thing): Map<string, Cell> {
  return new Map(fields.map(({ key, cell }) => [key, cell(thing)]));
}

function jsonText(value: unknown): string {
  return escapeUnseen(JSON.stringify(value));
}
