import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { checkCitations, INTERFACE_PAGE } from './language/check-citations';
import { applyExemptions, checkFile, exemptionsFor, type Finding } from './language/check-texts';
import { checkTranslations } from './language/check-translations';

// Rejects the words that docs/STYLE.md replaces, in documents, string literals and comments, and citations of sections
// and open points of the gateway's interface that docs/GATEWAY.md does not have. Compares French documents with their originals.
//   npm run language                           checks
//   npm run language -- src/payments           prints every finding of these files and folders, exempt or not
//   npm run language -- --shrink               takes from the list of exempt files what no longer needs to be on it

const ROOT = join(__dirname, '..');
const EXEMPT_FILE = join(__dirname, 'language', 'exempt.txt');
const FOLDERS = ['src', 'docs', 'scripts', 'test/support', '.'];
const CITING_FOLDERS = ['src', 'docs', 'scripts', 'test', 'migrations', '.'];
const CITING_FILE = /\.(?:md|tsx?|json)$/;

function listFiles(folders: readonly string[], isWanted: (folder: string, name: string) => boolean): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: folder !== '.', withFileTypes: true })
        .filter((entry) => entry.isFile() && isWanted(folder, entry.name))
        .map((entry) => relative(ROOT, join(entry.parentPath, entry.name))),
    )
    .sort();
}

function isChecked(folder: string, name: string): boolean {
  return (
    (name.endsWith('.md') && !name.endsWith('.fr.md')) ||
    ((folder === 'src' || folder === 'scripts') && /\.tsx?$/.test(name))
  );
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function wrongCitations(): Finding[] {
  const paths = listFiles(CITING_FOLDERS, (_folder, name) => CITING_FILE.test(name));
  const sources = new Map(paths.map((path) => [path, read(path)]));
  return checkCitations(sources, read(INTERFACE_PAGE), (path) => existsSync(join(ROOT, path)));
}

function wrongTranslations(): Finding[] {
  const paths = listFiles(['docs', '.'], (_folder, name) => name.endsWith('.md'));
  return checkTranslations(new Map(paths.map((path) => [path, read(path)])));
}

function print(findings: readonly Finding[]): void {
  for (const { path, line, kind, word, instead } of findings) {
    console.log(`${path}:${line}: ${kind === 'comment' ? 'comment: ' : ''}"${word}" → ${instead}`);
  }
}

function main(args: readonly string[]): void {
  const findings = listFiles(FOLDERS, isChecked).flatMap((path) => checkFile(path, read(path)));
  const lines = readFileSync(EXEMPT_FILE, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const exempt = lines.filter((line) => !line.startsWith('#'));
  const { refused, idle } = applyExemptions(findings, exempt);
  if (args.includes('--shrink')) {
    const needed = exemptionsFor(findings.filter((finding) => !refused.includes(finding)));
    const heading = lines.filter((line) => line.startsWith('#'));
    writeFileSync(EXEMPT_FILE, [...heading, ...needed, ''].join('\n'));
    return;
  }
  if (args.length > 0) {
    print(findings.filter(({ path }) => args.some((place) => path === place || path.startsWith(`${place}/`))));
    return;
  }
  const others = [...wrongCitations(), ...wrongTranslations()];
  print([...refused, ...others]);
  for (const entry of idle) console.log(`${entry}: is clean; run "npm run language -- --shrink"`);
  if (refused.length + others.length + idle.length > 0) process.exitCode = 1;
}

main(process.argv.slice(2));
