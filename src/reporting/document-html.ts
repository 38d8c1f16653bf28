import type { BusinessCalendar } from '../kernel';
import { partWords } from './clearing-words';
import { escapeHtml, foreignHtml, type HtmlCell, htmlPage, htmlTable } from './html-page';
import { asOfText, LEDGER_DATE_TEXT } from './ledger-date';
import { plotHtml } from './plot-html';
import {
  type Cell,
  columnsFor,
  peopleCell,
  provenText,
  type ReportDocument,
  type ReportTable,
} from './report-document';
import { breakWords, channelWords, evidenceWords } from './report-words';

/** Renders one report as a page. */
export function documentToHtml(document: ReportDocument, calendar: BusinessCalendar): string {
  const { facts, proven } = document;
  return htmlPage({
    title: document.title,
    header: [
      ...(proven === undefined
        ? []
        : [`<p class="verdict ${proven ? 'good' : 'wrong'}"><strong>The report ${provenText(proven)}.</strong></p>`]),
      ...facts.map(({ label, value }) => `<p>${escapeHtml(label)}: ${cellHtml(value, calendar).html}</p>`),
    ],
    main: documentBody(document, calendar),
    footer: [`<p>${escapeHtml(LEDGER_DATE_TEXT)}</p>`],
  });
}

/** Renders the plots and tables of a report. The caption of a table is its heading. */
export function documentBody({ key, tables }: ReportDocument, calendar: BusinessCalendar): string[] {
  return tables.flatMap((table) => [
    ...(table.plot === undefined ? [] : plotHtml(table.plot, `${key}-${table.key}`)),
    ...tableHtml(table, calendar),
  ]);
}

function tableHtml({ title, columns, rows }: ReportTable, calendar: BusinessCalendar): string[] {
  const seen = columnsFor('page', columns);
  const isFigure = columns.map((_, at) =>
    rows.some((row) => typeof row[at] === 'bigint' || typeof row[at] === 'number'),
  );
  return htmlTable({
    caption: title,
    columns: seen.map(({ column, index }) => ({ label: column.label, isFigure: isFigure[index] === true })),
    rows: rows.map((row) => ({
      cells: seen.map(({ index }) => ({
        ...cellHtml(wordsFor(columns[index]?.key, row[index]), calendar),
        isFigure: isFigure[index] === true,
      })),
    })),
  });
}

/** The words for people of columns whose cells are words for machines. */
const WORDS_OF: Readonly<Record<string, (word: string) => string>> = {
  class: breakWords,
  breakClass: breakWords,
  channel: channelWords,
  evidence: evidenceWords,
  part: partWords,
};

function wordsFor(key: string | undefined, cell: Cell): Cell {
  const words = key === undefined ? undefined : WORDS_OF[key];
  return typeof cell === 'string' && words !== undefined ? words(cell) : cell;
}

function cellHtml(cell: Cell, calendar: BusinessCalendar): HtmlCell {
  const text = peopleCell(cell, calendar);
  return { html: typeof cell === 'string' ? foreignHtml(text) : escapeHtml(text) };
}

/** Renders the cut-off of a page. */
export function asOfHtml(through: Parameters<typeof asOfText>[0], knownAt: number, calendar: BusinessCalendar): string {
  return (
    `<p>Every figure is as of ${escapeHtml(asOfText(through))}, from what was known at ` +
    `${calendar.formatLocal(knownAt)}. ${escapeHtml(LEDGER_DATE_TEXT)}</p>`
  );
}
