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
  'body{font:15px/1.5 system-ui,sans-serif;margin:1rem auto;max-width:72rem;padding:0 1rem;color:#1b1f24;background:#fff}',
  'table{border-collapse:collapse;margin:.5rem 0 1.5rem;width:100%}.wide{overflow-x:auto}',
  'th,td{border-bottom:1px solid #d5dae0;padding:.25rem .6rem;text-align:left;vertical-align:top}',
  'td.n{text-align:right;font-variant-numeric:tabular-nums}',
  'pre{background:#f3f5f7;margin:0;padding:.5rem;white-space:pre-wrap;overflow-wrap:anywhere}',
  '.alarm{border-left:.3rem solid #b3261e;padding:.5rem 1rem;background:#fdecea}',
  'code{overflow-wrap:anywhere}form{margin:.25rem 0}button{font:inherit;min-height:2.25rem;padding:.25rem .75rem;margin:.1rem}',
  ':focus-visible{outline:3px solid #1a5fb4;outline-offset:1px}',
].join('');

/** Allows only the page's own style; the page loads and runs nothing else. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function page(title: string, body: Html): string {
  const head = markup`<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${{ text: STYLE }}</style>`;
  const whole = markup`<!doctype html>
<html lang="en"><head>${head}</head>
<body><main><h1>${title}</h1>
${body}
</main></body></html>
`;
  return whole.text;
}

export function table(heads: readonly string[], rows: readonly (readonly Value[])[]): Html {
  if (rows.length === 0) return markup`<p>none</p>`;
  const cell = (value: Value): Html =>
    typeof value === 'number' ? markup`<td class="n">${value}</td>` : markup`<td>${value}</td>`;
  const headRow = markup`<tr>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr>`;
  const bodyRows = rows.map((row) => markup`\n<tr>${row.map(cell)}</tr>`);
  return markup`<div class="wide" tabindex="0"><table>${headRow}${bodyRows}</table></div>`;
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
