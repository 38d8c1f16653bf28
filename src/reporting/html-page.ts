import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../kernel';
import type { Speech } from './speech';

// Colors differ in brightness as well as in hue, and nothing depends on a color alone. Dark mode follows the reader.
const STYLE = `
:root { color-scheme: light dark; --text: #17202a; --page: #fff; --card: #f4f6f8; --line: #c9d1d9; --faint: #4b5763;
  --first: #1b4f8f; --good: #1c6b3c; --attention: #8a4b00; --wrong: #a3161f;
  --soft: var(--faint); --line-strong: var(--faint); --sunk: var(--card); --link: var(--first); }
@media (prefers-color-scheme: dark) { :root { --text: #e7ebef; --page: #14181c; --card: #1f252b; --line: #47515b;
  --faint: #b4bec8; --first: #86b8ef; --good: #7fd1a0; --attention: #f2b866; --wrong: #ff9a9a; } }
* { box-sizing: border-box; }
body { font: 1rem/1.5 system-ui, "Noto Sans", "DejaVu Sans", sans-serif; margin: 0 auto; max-width: 76rem; padding: 1rem;
  color: var(--text); background: var(--page); overflow-wrap: break-word; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0.5rem 0; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 0.6rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 0.4rem; }
p { margin: 0.4rem 0; max-width: 45rem; }
a { color: var(--first); }
.faint, footer { color: var(--faint); font-size: 0.9rem; }
.verdict { border-inline-start: 0.4rem solid var(--mark); background: var(--card); padding: 0.8rem 1rem; margin: 1rem 0;
  max-width: none; }
.verdict strong { font-size: 1.25rem; color: var(--mark); }
.good { --mark: var(--good); } .attention { --mark: var(--attention); } .wrong { --mark: var(--wrong); }
p.wrong, td.wrong { color: var(--wrong); font-weight: bold; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(11.5rem, 1fr)); gap: 0.8rem; margin: 1rem 0; }
.figures div { background: var(--card); border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.7rem 0.9rem; }
.figures dt { color: var(--faint); font-size: 0.9rem; }
.figures dd { margin: 0; } .figures .amount { font-size: 1.3rem; font-weight: 600; white-space: nowrap; }
.figures .note { color: var(--faint); font-size: 0.9rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.3rem 1.2rem; list-style: none; padding: 0; margin: 0.5rem 0; }
.wide { overflow-x: auto; }
.money { white-space: nowrap; }
table { border-collapse: collapse; min-width: min(100%, 34rem); font-size: 0.9rem; margin: 0.6rem 0; }
caption { text-align: start; font-weight: 600; padding: 0.2rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: 0.3rem 0.5rem; text-align: start; vertical-align: top; }
th[scope="row"] { font-weight: normal; min-width: 7rem; }
thead th { color: var(--faint); font-size: 0.9rem; vertical-align: bottom; }
tr.sum th, tr.sum td { font-weight: 600; border-top: 2px solid var(--line); }
tr.part th { padding-inline-start: 1.6rem; color: var(--faint); }
.number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
code { font-size: 0.85em; overflow-wrap: anywhere; }
details { border: 1px solid var(--line); border-radius: 0.4rem; margin: 0.5rem 0; padding: 0 0.8rem; }
summary { cursor: pointer; padding: 0.5rem 0; }
summary .number { float: inline-end; font-weight: 600; margin-inline-start: 0.6rem; }
details > :last-child { margin-bottom: 0.6rem; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 34rem), 1fr)); gap: 1.2rem; }
.plot { margin: 0; max-width: 45rem; } .legend { list-style: none; padding: 0; margin: 0; }
@media (max-width: 30rem) { body { padding: 0.7rem; } th, td { padding: 0.25rem 0.4rem; } h1 { font-size: 1.35rem; }
  .figures { grid-template-columns: 1fr; gap: 0.4rem; } .figures div { padding: 0.5rem 0.7rem; }
  summary .number { float: none; display: block; margin: 0; } th[scope="row"] { min-width: 5.5rem; } .figures .amount { font-size: 1.15rem; }
  .wide th[scope="row"] { position: sticky; inset-inline-start: 0; background: var(--page); } }
@media print { @page { margin: 14mm; }
  :root { color-scheme: light; --text: #000; --page: #fff; --card: #fff; --line: #999; --faint: #333; --first: #1b4f8f;
    --good: #1c6b3c; --attention: #8a4b00; --wrong: #a3161f; }
  body { max-width: none; padding: 0; font-size: 9.5pt; } nav { display: none; } .wide { overflow: visible; }
  .figures { grid-template-columns: repeat(5, minmax(0, 1fr)); gap: 2mm; } .figures div { padding: 0.4rem 0.5rem; } .figures .amount { font-size: 1rem; }
  .plots { grid-template-columns: 1fr 1fr; }
  #payouts details::details-content, #trend details::details-content { content-visibility: visible; display: block;
    block-size: auto; }
  #aging > details, #clearing { display: none; }
  table, thead th { font-size: 8.5pt; } thead th, thead th.number { white-space: normal; } .canvas { min-inline-size: 0; }
  .wide table, .wide thead th { font-size: 7.5pt; } .wide th, .wide td { padding: 0.15rem 0.25rem; }
  .wide th[scope="row"] { min-width: 0; } h2, h3, summary { break-after: avoid; } tr, figure, .figures { break-inside: avoid; } }
`;

/** The parts of a page, as HTML. */
export interface Page {
  readonly lang: string;
  readonly title: string;
  /** Below the title. */
  readonly header?: readonly string[];
  readonly main: readonly string[];
  readonly footer?: readonly string[];
}

/** Renders one self-contained page without scripts. */
export function htmlPage({ lang, title, header = [], main, footer = [] }: Page): string {
  return [
    '<!doctype html>',
    `<html lang="${lang}">`,
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>${STYLE}${readFileSync(join(PACKAGE_ROOT, 'assets/console/plots.css'), 'utf8')}</style>`,
    '</head>',
    '<body>',
    '<header>',
    `<h1>${escapeHtml(title)}</h1>`,
    ...header,
    '</header>',
    '<main>',
    ...main,
    '</main>',
    ...(footer.length === 0 ? [] : ['<footer>', ...footer, '</footer>']),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** A cell of an HTML table: text or a figure, already escaped. */
export interface HtmlCell {
  readonly html: string;
  readonly isFigure?: boolean;
  readonly className?: string;
}

export interface HtmlTable {
  readonly caption: string;
  readonly columns: readonly { readonly label: string; readonly isFigure?: boolean }[];
  /** The first cell of a row is its heading. */
  readonly rows: readonly { readonly cells: readonly HtmlCell[]; readonly className?: string }[];
}

/**
 * Renders a table with a caption, and headings for columns and rows, which it translates. It scrolls in itself where it
 * is too wide.
 */
export function htmlTable({ caption: english, columns, rows }: HtmlTable, { say }: Speech): string[] {
  if (rows.length === 0) return [`<p class="faint">${escapeHtml(say(`${english}: none`))}</p>`];
  const caption = say(english);
  const head = columns.map(
    ({ label, isFigure }) => `<th scope="col"${numberClass(isFigure)}>${escapeHtml(say(label))}</th>`,
  );
  return [
    `<div class="wide" role="group" aria-label="${escapeHtml(caption)}" tabindex="0">`,
    `<table><caption>${escapeHtml(caption)}</caption>`,
    `<thead><tr>${head.join('')}</tr></thead><tbody>`,
    ...rows.map(({ cells, className }) => {
      const row = cells.map(({ html, isFigure, className: own }, at) =>
        at === 0 ? `<th scope="row">${html}</th>` : `<td${numberClass(isFigure, own)}>${html}</td>`,
      );
      return `<tr${className === undefined ? '' : ` class="${className}"`}>${row.join('')}</tr>`;
    }),
    '</tbody></table></div>',
  ];
}

function numberClass(isFigure = false, own?: string): string {
  const names = [...(isFigure ? ['number'] : []), ...(own === undefined ? [] : [own])];
  return names.length === 0 ? '' : ` class="${names.join(' ')}"`;
}

/** Renders foreign text in its own direction, so that an Arabic name does not reorder the text beside it. */
export function foreignHtml(text: string): string {
  return text === '' ? '' : `<bdi dir="auto">${escapeHtml(text)}</bdi>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
