// Goal: the engine's process cannot generate a world, so it cannot know a truth.
// Method: follow the imports of its module, without type-only imports.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = join(__dirname, '..', '..', '..');
const ENGINE = join(ROOT, 'scripts', 'evaluate', 'score', 'engine-process.ts');
const IMPORT = /^(?:import|export) (?!type )[^;]*?from '(?<path>\.[^']*)';/gmsu;

function fileOf(path: string): string {
  const file = [`${path}.ts`, join(path, 'index.ts')].find((each) => existsSync(each));
  if (file === undefined) throw new Error(`no module ${path}`);
  return file;
}

function reached(file: string, known: Set<string>): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  for (const { groups } of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    reached(fileOf(join(dirname(file), groups?.['path'] ?? '')), known);
  }
  return known;
}

test('holds the engine, the kernel and two files that hand over the question', () => {
  const files = [...reached(ENGINE, new Set())].map((file) => relative(ROOT, file));
  expect(files).toContain('src/payout-inference/infer-payouts.ts');
  expect(files.filter((file) => !/^src\/(payout-inference|kernel)\//.test(file)).sort()).toEqual([
    'scripts/evaluate/score/answer-question.ts',
    'scripts/evaluate/score/engine-process.ts',
  ]);
});
