// Light and dark colors by the reader's setting; the charts use the same variables.
const STYLE = `
:root { color-scheme: light dark; --text: #111; --page: #fff; --line: #ccc; --faint: #555; --wrong: #a00;
  --series-0: #1f5f99; --series-1: #c2571a; --series-2: #2c7a3f; --series-3: #7a3f9d; --series-4: #8a6d00; --series-5: #666; }
@media (prefers-color-scheme: dark) { :root { --text: #e8e8e8; --page: #16181b; --line: #444; --faint: #aaa;
  --wrong: #ff8080; --series-0: #6fb1e8; --series-1: #f0985f; --series-2: #77c48a; --series-3: #c093e0;
  --series-4: #d9bd4e; --series-5: #aaa; } }
body { font: 14px/1.4 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; color: var(--text);
  background: var(--page); }
h2 { font-size: 1.1rem; margin: 1.5rem 0 0.4rem; }
section > h2 { font-size: 1.3rem; border-top: 2px solid var(--line); padding-top: 1rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 0.3rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: 0.2rem 0.6rem; text-align: start; vertical-align: top; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.payment td:first-child { padding-left: 1.6rem; }
.wrong { color: var(--wrong); font-weight: bold; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.3rem 1.2rem; list-style: none; padding: 0; }
a { color: inherit; }
figure { margin: 0.5rem 0; }
svg { width: 100%; height: auto; }
svg text { font: 11px system-ui, sans-serif; fill: var(--faint); }
svg .axis { stroke: var(--line); }
${[0, 1, 2, 3, 4, 5].map((index) => `.s${index} { fill: var(--series-${index}); }`).join('\n')}
@media print { :root { color-scheme: light; --text: #111; --page: #fff; --line: #ccc; --faint: #555; --wrong: #a00; }
  body { margin: 0; max-width: none; } nav { display: none; } .wide { overflow: visible; font-size: 9px; }
  h2, h3 { break-after: avoid; } tr, figure { break-inside: avoid; } }
`;

/** The heading level of the parts of a report: below the page title, or below the title of one of several reports. */
export type Heading = 'h2' | 'h3';

/** Renders one self-contained page without scripts. `body` is HTML. */
export function htmlPage(title: string, body: readonly string[]): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    `<h1>${escapeHtml(title)}</h1>`,
    ...body,
    '</body>',
    '</html>',
    '',
  ].join('\n');
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
