import { describe, expect, test } from '@jest/globals';
import { readPlainTexts } from '../../../../scripts/language/plain-texts';

const textsIn = (source: string, phrases: readonly string[] = []): string[] =>
  readPlainTexts('x.ts', source, phrases).map(({ text }) => text);

describe('readPlainTexts', () => {
  test.each([
    ["const text = 'two words';", ['two words']],
    ["io.line('done');", ['done']],
    ['io.line(`item ${id}`);', ['item ']],
    ["command.description('show it');", ['show it']],
    ["new AppError('bad_input', { expected: 'a new phrase' });", ['a new phrase']],
  ])('finds the texts of %s', (source, found) => {
    expect(textsIn(source)).toEqual(found);
  });

  test.each([
    "io.line(t('cli:agents.added', { agentId }));",
    "import { a } from 'two words';",
    "const COLUMNS = ['gateway id'];",
    "command.option('--id <agent id>');",
    'run(`millime breaks approve ${id}`);',
  ])('finds none in %s', (source) => {
    expect(textsIn(source)).toEqual([]);
  });

  test('accepts the phrase of an error that is translated', () => {
    const source = 'new AppError("bad_input", { expected: `at most ${most} words`, fix: "try it again" });';
    expect(textsIn(source, ['at most {{a}} words', 'try it again'])).toEqual([]);
    const choice = 'const fix = isOpen ? "try it again" : `at most ${most} words`;';
    expect(textsIn(choice, ['at most {{a}} words', 'try it again'])).toEqual([]);
    expect(textsIn('new AppError("unavailable", `not for ${n} s`);', ['not for {{a}} s'])).toEqual([]);
  });
});
