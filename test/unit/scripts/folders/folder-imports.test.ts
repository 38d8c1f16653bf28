import { describe, expect, test } from '@jest/globals';
import { circularImports, folderImports, nameOf } from '../../../../scripts/folders/folder-imports';

const SOURCES: Readonly<Record<string, string>> = {
  'src/a/index.ts': "export { x } from './top/x';",
  'src/a/own.ts': "import { y } from './low/y';",
  'src/a/top/x.ts': "import type { y } from '../low/y';\nimport { b } from '../../b';",
  'src/a/low/y.ts': "const later = () => import('../top/x');",
};

const importsOf = (sources = SOURCES): string[] =>
  folderImports(Object.keys(sources), (path) => sources[path] ?? '').map(nameOf);

describe('folderImports', () => {
  test('finds the imports of types and the late ones, and leaves out index.ts and other rooms', () => {
    expect(importsOf()).toEqual(['src/a -> src/a/low', 'src/a/low -> src/a/top', 'src/a/top -> src/a/low']);
  });
});

describe('circularImports', () => {
  const named = (...pairs: readonly (readonly [string, string])[]) =>
    circularImports(pairs.map(([from, to]) => ({ from, to, file: from }))).map(nameOf);

  test('returns each import of a circle of any length, and none of those that lead to it', () => {
    expect(named(['a', 'b'], ['b', 'c'], ['c', 'a'], ['d', 'a'], ['c', 'e'])).toEqual(['a -> b', 'b -> c', 'c -> a']);
  });

  test('returns nothing when all imports go one way', () => {
    expect(named(['a', 'b'], ['a', 'c'], ['b', 'c'])).toEqual([]);
  });
});
