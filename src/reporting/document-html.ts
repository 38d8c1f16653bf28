import type { BusinessCalendar } from '../kernel';
import { barChartSvg } from './bar-chart-svg';
import { escapeHtml, type Heading, htmlPage } from './html-page';
import {
  type Cell,
  columnsFor,
  peopleCell,
  provenText,
  type ReportDocument,
  type ReportTable,
} from './report-document';

/** A part of a page as HTML, with its anchor for the list at the top. */
export interface PagePart {
  readonly key: string;
  readonly title: string;
  readonly body: readonly string[];
}

/** Renders one report as a page. */
export function documentToHtml(document: ReportDocument, calendar: BusinessCalendar): string {
  return htmlPage(document.title, documentBody(document, calendar, 'h2'));
}

/** Renders several reports as one page, with a list of them at the top. */
export function partsToHtml(title: string, parts: readonly PagePart[]): string {
  const links = parts.map((part) => `<li><a href="#${part.key}">${escapeHtml(part.title)}</a></li>`);
  return htmlPage(title, [
    `<nav aria-label="parts of the report"><ul>${links.join('')}</ul></nav>`,
    ...parts.flatMap((part) => [
      `<section id="${part.key}">`,
      `<h2>${escapeHtml(part.title)}</h2>`,
      ...part.body,
      '</section>',
    ]),
  ]);
}

/** Renders the body of a report below its title, with headings of the given level. */
export function documentBody(
  { key, facts, tables, proven }: ReportDocument,
  calendar: BusinessCalendar,
  heading: Heading,
): string[] {
  return [
    ...facts.map(({ label, value }) => `<p>${escapeHtml(label)}: ${cellHtml(value, calendar)}</p>`),
    ...(proven === undefined ? [] : [`<p${proven ? '' : ' class="wrong"'}>Proof: ${provenText(proven)}.</p>`]),
    ...tables.flatMap((table) => tableHtml(table, `${key}-${table.key}`, heading, calendar)),
  ];
}

function tableHtml(
  { title, columns, rows, plot }: ReportTable,
  id: string,
  heading: Heading,
  calendar: BusinessCalendar,
): string[] {
  const headingLine = `<${heading}>${escapeHtml(title)}</${heading}>`;
  if (rows.length === 0) return [headingLine, '<p>none</p>'];
  const seen = columnsFor('whole', columns);
  const isFigure = columns.map((_, at) =>
    rows.some((row) => typeof row[at] === 'bigint' || typeof row[at] === 'number'),
  );
  const head = seen.map(
    ({ column, index }) => `<th scope="col"${numberClass(isFigure[index])}>${escapeHtml(column.label)}</th>`,
  );
  return [
    headingLine,
    ...(plot === undefined || plot.categories.length === 0 ? [] : ['<figure>', barChartSvg(plot, id), '</figure>']),
    '<div class="wide">',
    '<table>',
    `<thead><tr>${head.join('')}</tr></thead><tbody>`,
    ...rows.map((row) => {
      const cells = seen.map(
        ({ index }) => `<td${numberClass(isFigure[index])}>${cellHtml(row[index], calendar)}</td>`,
      );
      return `<tr>${cells.join('')}</tr>`;
    }),
    '</tbody></table>',
    '</div>',
  ];
}

function numberClass(isFigure: boolean | undefined): string {
  return isFigure === true ? ' class="number"' : '';
}

function cellHtml(cell: Cell, calendar: BusinessCalendar): string {
  const text = escapeHtml(peopleCell(cell, calendar));
  // A text has its own direction, so an Arabic name does not reorder the text beside it.
  return typeof cell === 'string' ? `<bdi dir="auto">${text}</bdi>` : text;
}
