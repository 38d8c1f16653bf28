import { expect, test } from '@jest/globals';
import { shownText } from '../../../src/gateway/shown-text';

const MAX = 200;

test('S19: terminal controls and line breaks are shown as JSON escapes', () => {
  const text = 'a\u001b[2Jb\nc\rd\te\u0000f\u007fg\u009bh\u2028i\u202ej';
  expect(shownText(text, MAX)).toBe('a\\u001b[2Jb\\nc\\rd\\te\\u0000f\\u007fg\\u009bh\\u2028i\\u202ej');
});

test('printable text is shown unchanged', () => {
  const text = 'Montant "trop bas" : 0,100 د.ت \\ 100 % 🙂';
  expect(shownText(text, MAX)).toBe(text);
});

test('S19: a shown text never exceeds its limit and never splits a character', () => {
  expect(shownText('\u001b'.repeat(1_000), MAX)).toHaveLength(MAX);
  expect(shownText('x'.repeat(1_000), MAX)).toBe('x'.repeat(MAX));
  expect(shownText(`${'x'.repeat(MAX - 1)}🙂`, MAX).isWellFormed()).toBe(true);
  expect(shownText('\ud800', MAX)).toBe('\ufffd');
});
