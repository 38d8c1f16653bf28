import type { BusinessCalendar, BusinessDate } from '../kernel';
import { escapeHtml, foreignHtml, type HtmlCell, htmlPage, htmlTable } from './html-page';
import { asOfText, type Known, LEDGER_DATE_TEXT } from './ledger-date';
import { plotHtml } from './plot-html';
import {
  type Cell,
  columnsFor,
  peopleCell,
  provenText,
  type ReportDocument,
  type ReportTable,
} from './report-document';
import { onPage, type Speech, TERMINAL_ENGLISH } from './speech';

/** Renders one report as a page. */
export function documentToHtml(document: ReportDocument, calendar: BusinessCalendar, given = TERMINAL_ENGLISH): string {
  const { facts, proven } = document;
  const speech = onPage(given);
  const { lang, say } = speech;
  // In English, facts have the codes that scripts read.
  const ofFacts = lang === 'en' ? given : speech;
  return htmlPage({
    lang,
    title: say(document.title),
    header: [
      ...(proven === undefined
        ? []
        : [
            `<p class="verdict ${proven ? 'good' : 'wrong'}"><strong>${escapeHtml(say(`The report ${provenText(proven)}.`))}</strong></p>`,
          ]),
      ...facts.map(
        ({ key, label, value }) =>
          `<p>${escapeHtml(say(`${say(label)}:`))} ${cellHtml(key, value, calendar, ofFacts).html}</p>`,
      ),
    ],
    main: documentBody(document, calendar, speech),
    footer: [`<p>${escapeHtml(say(LEDGER_DATE_TEXT))}</p>`],
  });
}

/** Renders the plots and tables of a report. The caption of a table is its heading. */
export function documentBody({ key, tables }: ReportDocument, calendar: BusinessCalendar, speech: Speech): string[] {
  return tables.flatMap((table) => [
    ...(table.plot === undefined ? [] : plotHtml(table.plot, `${key}-${table.key}`, speech)),
    ...tableHtml(table, calendar, speech),
  ]);
}

function tableHtml({ title, columns, rows }: ReportTable, calendar: BusinessCalendar, speech: Speech): string[] {
  const seen = columnsFor('page', columns);
  const isFigure = columns.map((_, at) =>
    rows.some((row) => typeof row[at] === 'bigint' || typeof row[at] === 'number'),
  );
  const table = {
    caption: title,
    columns: seen.map(({ column, index }) => ({ label: column.label, isFigure: isFigure[index] === true })),
    rows: rows.map((row) => ({
      cells: seen.map(({ column, index }) => ({
        ...cellHtml(column.key, row[index], calendar, speech),
        isFigure: isFigure[index] === true,
      })),
    })),
  };
  return htmlTable(table, speech);
}

function cellHtml(key: string, cell: Cell, calendar: BusinessCalendar, speech: Speech): HtmlCell {
  const text = peopleCell(key, cell, calendar, speech);
  return { html: typeof cell === 'string' ? foreignHtml(text) : escapeHtml(text) };
}

/** Renders the cut-off of a page. */
export function asOfHtml(
  { through, knownAt }: { readonly through: BusinessDate } & Known,
  calendar: BusinessCalendar,
  { say }: Speech,
): string {
  const cutOff = `Every figure is as of ${asOfText(through)}, from what was known at ${calendar.formatLocal(knownAt)}.`;
  return `<p>${escapeHtml(say(cutOff))} ${escapeHtml(say(LEDGER_DATE_TEXT))}</p>`;
}
