import { dirname, join } from 'node:path';
import ts from 'typescript';

/** `from` imports `to`. Both are folders of the same room. */
export interface FolderImport {
  readonly from: string;
  readonly to: string;
  /** One file with such an import. */
  readonly file: string;
}

/**
 * Returns which folders of a room import each other, each pair once. An `index.ts` does not count: it is the public API
 * of its room and may export from every folder.
 *
 * @param files paths below `src/`
 */
export function folderImports(files: readonly string[], read: (path: string) => string): FolderImport[] {
  const known = new Set(files);
  const found = new Map<string, FolderImport>();
  for (const file of files.filter((path) => !/\/(index|testing)\.ts$/.test(path))) {
    const from = dirname(file);
    for (const { fileName } of ts.preProcessFile(read(file)).importedFiles) {
      if (!fileName.startsWith('.')) continue;
      const target = join(from, fileName);
      const to = known.has(`${target}.ts`) || known.has(`${target}.tsx`) ? dirname(target) : target;
      if (to !== from && roomOf(to) === roomOf(from)) found.set(nameOf({ from, to }), { from, to, file });
    }
  }
  return [...found.values()].sort((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
}

export function nameOf({ from, to }: Pick<FolderImport, 'from' | 'to'>): string {
  return `${from} -> ${to}`;
}

/** Returns the imports that close a circle: those whose target imports their origin again, directly or not. */
export function circularImports(imports: readonly FolderImport[]): FolderImport[] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
  return imports.filter(({ from, to }) => reaches(targets, to, from));
}

function reaches(targets: ReadonlyMap<string, readonly string[]>, start: string, goal: string): boolean {
  const seen = new Set([start]);
  for (const folder of seen) for (const next of targets.get(folder) ?? []) seen.add(next);
  return seen.has(goal);
}

/** Returns the room of a folder: the second part of `src/payments/attempts`. */
function roomOf(folder: string): string | undefined {
  return folder.split('/')[1];
}
