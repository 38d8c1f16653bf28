import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readTestFiles } from '../../../../scripts/fault-runs';
import { numbersIn, numbersOfFile, readFaultList } from '../../../../scripts/faults/fault-list';

const ROOT = join(__dirname, '..', '..', '..', '..');
describe('the list of faults', () => {
  const list = readFaultList(readFileSync(join(ROOT, 'docs', 'RELIABILITY.md'), 'utf8'));
  const listed = list.map(({ number }) => number);

  test('numbers them without a gap', () => {
    const upTo = (kind: string): string[] =>
      listed.filter((number) => number.startsWith(kind)).map((_, index) => `${kind}${index + 1}`);
    expect(listed).toEqual([...upTo('F'), ...upTo('S')]);
    expect(upTo('F').length).toBeGreaterThanOrEqual(31);
    expect(upTo('S').length).toBeGreaterThanOrEqual(33);
    for (const { fault, expected } of list) expect(Math.min(fault.length, expected.length)).toBeGreaterThan(0);
  });

  test('has a test for each number, and every number that a test names', () => {
    const named = new Set(readTestFiles(join(ROOT, 'test')).flatMap(({ numbers }) => numbers));
    expect(listed.filter((number) => !named.has(number))).toEqual([]);
    expect([...named].filter((number) => !listed.includes(number))).toEqual([]);
  });
});

// As values and not as tables of `test.each`, whose rows would name these numbers.
const NAMES: readonly [name: string, numbers: readonly string[]][] = [
  ['F7: answers', ['F7']],
  ['a suite S2, S4: refuses', ['S2', 'S4']],
  ['a suite F1: a part S2: ends', ['F1', 'S2']],
  ['F7 answers', []],
  ['PDF7: is read', []],
  ['S1-S4: refuses', []],
];
const SOURCES: readonly [source: string, numbers: readonly string[]][] = [
  ["test('F7: answers', () => undefined)", ['F7']],
  ["describeOnEachDatabase('S2, S4: a suite', () => { test('F1: a part', () => undefined); })", ['S2', 'S4', 'F1']],
  ["test.each([['S3: a row', 1]])('of %s', () => undefined)", ['S3']],
  ['test(`F21: ${n} clients`, () => undefined)', ['F21']],
  ["const title = 'F7: of no test';", []],
  ["test('a part', () => { call('F7: of no title'); })", []],
  ["recordFault('F7: a figure')", []],
];

test('the name of a test has the numbers before a colon', () => {
  for (const [name, numbers] of NAMES) expect([name, numbersIn(name)]).toEqual([name, numbers]);
});

test('a file names the numbers in its titles and in the rows of its tables', () => {
  for (const [source, numbers] of SOURCES) expect([source, numbersOfFile(source)]).toEqual([source, numbers]);
});
