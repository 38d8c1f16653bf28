import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { mergedPhrases } from '../src/texts';
import { readErrorPhrases, translatedBy } from './language/error-phrases';
import { readPlainTexts } from './language/plain-texts';
import { type KnownTexts, readTextUses } from './language/text-calls';

// Compares the texts of assets/texts with their uses in the sources, and finds texts of the command line outside them.
//   npm run texts                              fails for calls whose values are not those of their text
//                                              and for phrases of errors that have no French
//   npm run texts -- --cli                     prints each text of src/cli that is in no catalog, exempt or not
//   npm run texts -- --unused                  fails also for texts that no source uses, and prints them

const ROOT = join(__dirname, '..');
const TEXTS = join(ROOT, 'assets', 'texts', 'fr');
/** Programs read these texts by codes that only the running program knows. */
const READ_BY_CODE = ['words', 'problems', 'help', 'phrases', 'reports', 'sentences'];
const EXEMPT_FILE = join(__dirname, 'language', 'english-cli.txt');
const EXEMPT_PHRASES = join(__dirname, 'language', 'english-phrases.txt');

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

interface Source {
  readonly path: string;
  readonly text: string;
}

function readSources(): Source[] {
  return readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ path: relative(ROOT, path), text: readFileSync(path, 'utf8') }));
}

function readCatalog(name: string): Record<string, string> {
  return JSON.parse(readFileSync(join(TEXTS, `${name}.json`), 'utf8')) as Record<string, string>;
}

/** Returns the phrases of errors that the command line would show in English to a French reader. */
function readPhraseFaults(sources: readonly Source[]): string[] {
  const isTranslated = translatedBy(mergedPhrases([readCatalog('sentences'), readCatalog('phrases')]));
  const exempt = readFileSync(EXEMPT_PHRASES, 'utf8')
    .split('\n')
    .flatMap((line) => /^(src\/\S+) \S/.exec(line)?.[1] ?? []);
  return sources
    .filter(({ path }) => !exempt.some((start) => path.startsWith(start)))
    .flatMap(({ path, text }) =>
      readErrorPhrases(path, text)
        .filter((phrase) => !isTranslated(phrase))
        .map((phrase) => `${path}:${phrase.line}: no French in phrases.json: ${JSON.stringify(phrase.text)}`),
    );
}

/** Returns the files of the command line whose number of texts outside the catalogs is not the exempt one. */
function readCliFaults(isPrinted: boolean): string[] {
  const phrases = Object.keys(readCatalog('phrases'));
  const exempt = readFileSync(EXEMPT_FILE, 'utf8')
    .split('\n')
    .map((line) => /^(\S+\.ts) (\d+) \S/.exec(line));
  const most = new Map(
    exempt.flatMap((entry) => (entry === null ? [] : [[entry[1] ?? '', Number(entry[2])] as const])),
  );
  const folder = join(ROOT, 'src', 'cli');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const found = readPlainTexts(name, readFileSync(join(folder, name), 'utf8'), phrases);
      if (isPrinted) {
        for (const { line, text } of found) console.log(`src/cli/${name}:${line}: ${JSON.stringify(text)}`);
      }
      const allowed = most.get(name) ?? 0;
      if (found.length === allowed) return [];
      const places = found.map(({ line }) => line).join(', ');
      return [`src/cli/${name}: ${found.length} texts outside the catalogs, ${allowed} are exempt; lines ${places}`];
    });
}

function main(args: readonly string[]): void {
  const known = readTexts();
  const sources = readSources();
  const found = sources.map(({ path, text }) => ({ path, uses: readTextUses(path, text, known) }));
  const faults = found.flatMap(({ path, uses }) => uses.faults.map(({ line, fault }) => `${path}:${line}: ${fault}`));
  const keys = new Set(found.flatMap(({ uses }) => uses.keys));
  const patterns = found.flatMap(({ uses }) => uses.patterns);
  const unused = [...known.keys()].filter((key) => !keys.has(key) && !patterns.some((pattern) => pattern.test(key)));
  faults.push(...readCliFaults(args.includes('--cli')), ...readPhraseFaults(sources));
  for (const fault of faults) console.log(fault);
  if (args.includes('--unused')) for (const key of unused) console.log(`${key}: no source uses this text`);
  if (faults.length > 0 || (args.includes('--unused') && unused.length > 0)) process.exitCode = 1;
}

main(process.argv.slice(2));
