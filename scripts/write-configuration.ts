import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { listSettings, type Setting } from '../src/config';

// Writes docs/CONFIGURATION.md from the schema of the environment; with `--check` it only compares.

const FILE = join(__dirname, '..', 'docs', 'CONFIGURATION.md');

const INTRODUCTION = `# Configuration

Millime reads its settings from environment variables, once, at the start. Every default works in a fresh clone.

- A bad value stops the start with one line that names the variable and the value that it takes. The line never shows
  the value that it got, because it may be a secret.
- A variable that is set but empty stops the start, too.
- A feature whose variables are missing is off. \`npx millime doctor\` lists what is off and which variable it needs.

This page is generated from \`src/config/settings.ts\`. Edit that file, then run \`npm run docs:config\`.
`;

const HEADINGS = ['Variable', 'Value', 'Default', 'Meaning'];

function renderPage(settings: readonly Setting[]): string {
  const groups = [...new Set(settings.map(({ group }) => group))];
  const sections = groups.map((group) => {
    const rows = settings.filter((setting) => setting.group === group).map(rowOf);
    return `\n## ${group}\n\n${renderTable([HEADINGS, ...rows])}`;
  });
  return [INTRODUCTION, ...sections].join('');
}

function rowOf({ name, expected, byDefault, description }: Setting): string[] {
  return [`\`${name}\``, expected, 'words' in byDefault ? byDefault.words : shownDefault(byDefault.value), description];
}

/** The path of a file in the package depends on where the package is installed. */
function shownDefault(value: string): string {
  return value.startsWith('/') ? `the shipped \`${basename(value)}\`` : `\`${value}\``;
}

function renderTable(rows: readonly string[][]): string {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const lines = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
  lines.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  return `${lines.join('\n')}\n`;
}

const page = renderPage(listSettings());
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, page);
} else if (readFileSync(FILE, 'utf8') !== page) {
  console.log('docs/CONFIGURATION.md differs from src/config/settings.ts: run "npm run docs:config"');
  process.exitCode = 1;
}
