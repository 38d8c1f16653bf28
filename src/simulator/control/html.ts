import { createHash } from 'node:crypto';

/** A piece of a page that is already escaped. */
export interface Html {
  readonly text: string;
}

type Value = string | number | Html | readonly Html[];

/** Builds markup. Inserted values are escaped, unless they are markup themselves. */
export function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { text: parts.map((part, index) => `${index === 0 ? '' : textOf(values[index - 1])}${part}`).join('') };
}

export const NOTHING: Html = { text: '' };

const STYLE = [
  'body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:#1b1f24}',
  'table{border-collapse:collapse;margin:.5rem 0 1.5rem;width:100%}',
  'th,td{border-bottom:1px solid #d5dae0;padding:.25rem .6rem;text-align:left;vertical-align:top}',
  'td.n{text-align:right;font-variant-numeric:tabular-nums}',
  'code{overflow-wrap:anywhere}form{display:inline}button{font:inherit;padding:.15rem .6rem}',
].join('');

/** Allows only the page's own style; the page loads and runs nothing else. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function page(title: string, body: Html): string {
  const head = markup`<meta charset="utf-8"><title>${title}</title><style>${{ text: STYLE }}</style>`;
  const whole = markup`<!doctype html>
<html lang="en"><head>${head}</head>
<body><h1>${title}</h1>
${body}
</body></html>
`;
  return whole.text;
}

export function table(heads: readonly string[], rows: readonly (readonly Value[])[]): Html {
  if (rows.length === 0) return markup`<p>none</p>`;
  const cell = (value: Value): Html =>
    typeof value === 'number' ? markup`<td class="n">${value}</td>` : markup`<td>${value}</td>`;
  const headRow = markup`<tr>${heads.map((head) => markup`<th>${head}</th>`)}</tr>`;
  return markup`<table>${headRow}${rows.map((row) => markup`\n<tr>${row.map(cell)}</tr>`)}</table>`;
}

function textOf(value: Value | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return 'text' in value ? value.text : value.map(({ text }) => text).join('');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
