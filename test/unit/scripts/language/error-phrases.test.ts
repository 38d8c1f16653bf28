import { describe, expect, test } from '@jest/globals';
import { readErrorPhrases, translatedBy } from '../../../../scripts/language/error-phrases';

const phrasesIn = (source: string): string[] => readErrorPhrases('x.ts', source).map(({ text }) => text);

describe('readErrorPhrases', () => {
  test.each([
    ["new AppError('bad_input', { field, expected: 'a new phrase' });", ['a new phrase']],
    ['throw refusalAt(line, `expected ${name} in this row`);', ['expected {{}} in this row']],
    ["const fix = isOpen ? 'close the file' : `remove ${file} first`;", ['close the file', 'remove {{}} first']],
    ["function nameFault(name: string) { return name === '' ? 'has no text' : undefined; }", ['has no text']],
    ["const open = conflict((p) => `${p.day} is open`, () => 'close it first');", ['close it first']],
    ["fileFault('the text is long', { fix: 'cut ' + 'the file' });", ['the text is long', 'cut the file']],
    ['problems.add({ line, reason: `${name}: is already here` });', ['{{}}: is already here']],
    ["const importing = () => 'import one of them';", ['import one of them']],
  ])('finds the phrases of %s', (source, found) => {
    expect(phrasesIn(source)).toEqual(found);
  });

  test.each([
    "logger.warn('an event happened', { event: 'x' });",
    "new AppError('line_matched', { lineId, fault: 'not_sent' });",
    "const found = rows.find((row) => row.text === 'two words');",
    "conflict({ command: 'millime breaks list' });",
    "refuse(list.join(' or the '));",
  ])('finds none in %s', (source) => {
    expect(phrasesIn(source)).toEqual([]);
  });
});

describe('translatedBy', () => {
  const isTranslated = translatedBy({
    'at most {{saidA}}': 'au plus {{saidA}}',
    '{{a}} open files': '{{a}} fichiers ouverts',
    'expected {{saidA}}, got {{saidB}}': 'attendu : {{saidA}} ; reçu : {{saidB}}',
    'no other file': 'aucun autre fichier',
  });

  test.each(['at most {{}} open files', 'line {{}}: agent_id: no other file', 'expected no other file, got 3'])(
    'accepts %s',
    (text) => {
      expect(isTranslated({ line: 1, text })).toBe(true);
    },
  );

  test.each(['at most {{}} closed files', 'expected no other file, got two more files', 'is unknown here'])(
    'refuses %s',
    (text) => {
      expect(isTranslated({ line: 1, text })).toBe(false);
    },
  );
});
