import { expect, test } from '@jest/globals';
import { readEvaluateArguments } from '../../../scripts/evaluate/score/evaluate-arguments';

const KNOWN = ['clean-daily', 'tight-cut'];

test('scores three worlds of every scenario by default', () => {
  expect(readEvaluateArguments([], KNOWN)).toEqual({
    seeds: 3,
    firstSeed: 1,
    scenarios: undefined,
    size: 1,
    jobs: 2,
    json: undefined,
    markdown: undefined,
    shuffles: 0,
    explain: undefined,
    maxError: 0.001,
    help: false,
  });
});

test('accepts every option', () => {
  const args =
    '--seeds 20 --first-seed 7 --scenarios tight-cut,clean-daily --size 0.5 --jobs 1 --shuffles 4 --json x.json --markdown x.md --max-error 0.3';
  expect(readEvaluateArguments(args.split(' '), KNOWN)).toMatchObject({
    seeds: 20,
    firstSeed: 7,
    scenarios: ['tight-cut', 'clean-daily'],
    size: 0.5,
    jobs: 1,
    shuffles: 4,
    json: 'x.json',
    markdown: 'x.md',
    maxError: 0.3,
  });
});

test('explains a whole world, or one line whose id may have colons', () => {
  const explained = (text: string): unknown => readEvaluateArguments(['--explain', text], KNOWN);
  expect(explained('tight-cut:3')).toMatchObject({ explain: { scenario: 'tight-cut', seed: 3, lineId: undefined } });
  expect(explained('tight-cut:3:a:b')).toMatchObject({ explain: { scenario: 'tight-cut', seed: 3, lineId: 'a:b' } });
});

test.each([
  ['--seeds', '0'],
  ['--seeds', '1.5'],
  ['--first-seed', '-1'],
  ['--scenarios', 'clean-daily,no-such'],
  ['--size', '0'],
  ['--size', 'big'],
  ['--jobs', '65'],
  ['--shuffles', 'x'],
  ['--explain', 'clean-daily'],
  ['--explain', 'no-such:1'],
  ['--no-such', '1'],
])('refuses %s %s in one line', (option, value) => {
  const given = readEvaluateArguments([`${option}=${value}`], KNOWN);
  expect(given).toEqual(expect.stringMatching(/^[^\n]*--?[a-z]+[^\n]*$/));
});
