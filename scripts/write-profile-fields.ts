import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { profilesFileSchema } from '../src/statements';

// Writes the JSON schema of the profiles file and the tables of its fields in docs/PROFILES.md, both from the schema that
// checks the file; with `--check` it only compares.

const DOCS = join(__dirname, '..', 'docs');
const PAGE = join(DOCS, 'PROFILES.md');
const SCHEMA = join(DOCS, 'statement-profile.schema.json');
const HEADINGS = ['Field', 'Value', 'Meaning'];

interface Node {
  readonly type?: string;
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly oneOf?: readonly Node[];
  readonly anyOf?: readonly Node[];
}

const schema = {
  ...z.toJSONSchema(profilesFileSchema, { io: 'input', unrepresentable: 'any' }),
  title: 'STATEMENT_PROFILES_FILE of Millime',
} as Node;

function renderTable(of: Node): string {
  const rows = [HEADINGS, ...rowsOf(of, '')];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const lines = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
  lines.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  return lines.join('\n');
}

/** Returns the rows of an object. Of one of several forms no field is required. */
function rowsOf({ properties = {}, required = [] }: Node, prefix: string, isOnly = true): string[][] {
  return Object.entries(properties).flatMap(([name, node]) => {
    const path = `${prefix}${name}`;
    const isRequired = required.includes(name) && isOnly ? ', required' : '';
    return [
      [`\`${path}\``, `${valueOf(node)}${isRequired}`, withDefault(node)],
      ...(node.anyOf ?? [node]).flatMap((choice) => rowsOf(choice, `${path}.`, node.anyOf === undefined)),
    ];
  });
}

function valueOf({ type, const: only, enum: words, anyOf, items }: Node): string {
  if (words !== undefined) return words.map((word) => `\`${word}\``).join(', ');
  if (only !== undefined) return `\`${only}\``;
  if (anyOf !== undefined) return [...new Set(anyOf.map(valueOf))].join(' or ');
  if (items !== undefined) return 'list of texts';
  return { string: 'text', integer: 'number', boolean: 'true or false' }[type ?? ''] ?? type ?? 'any';
}

function withDefault({ description = '', default: value }: Node): string {
  return value === undefined ? description : `${description} (default: \`${JSON.stringify(value)}\`)`;
}

/** Replaces the text between the two marks of a table. */
function withTable(page: string, name: string, table: string): string {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to === -1) throw new Error(`docs/PROFILES.md: expected the marks of ${name}, got none`);
  return `${page.slice(0, from + begin.length)}\n\n${table}\n\n${page.slice(to)}`;
}

const [csv = {}, other = {}] = schema.properties?.['profiles']?.items?.oneOf ?? [];
const page = readFileSync(PAGE, 'utf8');
const written: Readonly<Record<string, string>> = {
  [PAGE]: withTable(withTable(page, 'csv', renderTable(csv)), 'other', renderTable(other)),
  [SCHEMA]: `${JSON.stringify(schema, null, 2)}\n`,
};
for (const [path, text] of Object.entries(written)) {
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    console.log(`${path} differs from src/statements/reading/statement-profile.ts: run "npm run docs:profiles"`);
    process.exitCode = 1;
  }
}
