import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type KnownTexts, readTextUses, type TextUses } from './language/text-calls';

// Compares the texts of assets/texts with their uses in the sources.
//   npm run texts                              fails for calls whose values are not those of their text
//   npm run texts -- --unused                  fails also for texts that no source uses, and prints them

const ROOT = join(__dirname, '..');
const TEXTS = join(ROOT, 'assets', 'texts', 'fr');
/** Programs read these texts by codes that only the running program knows. */
const READ_BY_CODE = ['words', 'problems'];

function readTexts(): KnownTexts {
  const known = new Map<string, { holes: string[] }>();
  for (const file of readdirSync(TEXTS)) {
    const namespace = file.replace(/\.json$/, '');
    if (READ_BY_CODE.includes(namespace)) continue;
    addTexts(known, `${namespace}:`, JSON.parse(readFileSync(join(TEXTS, file), 'utf8')) as Texts);
  }
  return known;
}

interface Texts {
  readonly [key: string]: string | Texts;
}

function addTexts(known: Map<string, { holes: string[] }>, path: string, texts: Texts): void {
  for (const [key, text] of Object.entries(texts)) {
    if (typeof text !== 'string') {
      addTexts(known, `${path}${key}.`, text);
      continue;
    }
    const name = `${path}${key.replace(/_(?:zero|one|two|few|many|other)$/, '')}`;
    const holes = [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, hole = '']) => hole);
    known.set(name, { holes: [...new Set([...(known.get(name)?.holes ?? []), ...holes])] });
  }
}

function readUses(known: KnownTexts): { path: string; uses: TextUses }[] {
  const folder = join(ROOT, 'src');
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ path: relative(ROOT, path), uses: readTextUses(path, readFileSync(path, 'utf8'), known) }));
}

function main(args: readonly string[]): void {
  const known = readTexts();
  const found = readUses(known);
  const faults = found.flatMap(({ path, uses }) => uses.faults.map(({ line, fault }) => `${path}:${line}: ${fault}`));
  const keys = new Set(found.flatMap(({ uses }) => uses.keys));
  const patterns = found.flatMap(({ uses }) => uses.patterns);
  const unused = [...known.keys()].filter((key) => !keys.has(key) && !patterns.some((pattern) => pattern.test(key)));
  for (const fault of faults) console.log(fault);
  if (args.includes('--unused')) for (const key of unused) console.log(`${key}: no source uses this text`);
  if (faults.length > 0 || (args.includes('--unused') && unused.length > 0)) process.exitCode = 1;
}

main(process.argv.slice(2));
