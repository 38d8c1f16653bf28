import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { circularImports, folderImports, nameOf } from './folders/folder-imports';

// Rejects circular imports between the folders of a room: each folder uses the others in one direction only.
//   tsx scripts/check-folders.ts              checks; a part of "npm run deps"
//   tsx scripts/check-folders.ts --shrink     takes from the list of exceptions what no longer closes a circle

const ROOT = join(__dirname, '..');
const EXCEPTIONS_FILE = join(__dirname, 'folders', 'exceptions.txt');

function sourceFiles(): string[] {
  return readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort();
}

function main(args: readonly string[]): void {
  process.chdir(ROOT);
  const lines = readFileSync(EXCEPTIONS_FILE, 'utf8').split('\n');
  const exceptions = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const imports = folderImports(sourceFiles(), (path) => readFileSync(path, 'utf8'));
  const circular = new Set(circularImports(imports).map(nameOf));
  const idle = exceptions.filter((line) => !circular.has(line));
  if (args.includes('--shrink')) {
    writeFileSync(EXCEPTIONS_FILE, lines.filter((line) => !idle.includes(line)).join('\n'));
    return;
  }
  const refused = circularImports(imports.filter((each) => !exceptions.includes(nameOf(each))));
  for (const each of refused) console.log(`${each.file}: the import ${nameOf(each)} closes a circle of folders`);
  for (const line of idle) console.log(`${line}: closes no circle; run "npm run folders -- --shrink"`);
  if (refused.length + idle.length > 0) process.exitCode = 1;
}

main(process.argv.slice(2));
