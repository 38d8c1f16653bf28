import { expect, test } from '@jest/globals';
import { shownText } from '../../../src/gateway/shown-text';

const MAX = 200;

test('S19 what a terminal obeys, and what makes a line, is shown as JSON escapes it', () => {
  const text = 'a\u001b[2Jb\nc\rd\te\u0000f\u007fg\u009bh\u2028i\u202ej';
  expect(shownText(text, MAX)).toBe('a\\u001b[2Jb\\nc\\rd\\te\\u0000f\\u007fg\\u009bh\\u2028i\\u202ej');
});

test('what a person reads stays as it is', () => {
  const text = 'Montant "trop bas" : 0,100 د.ت \\ 100 % 🙂';
  expect(shownText(text, MAX)).toBe(text);
});

test('S19 it is never longer than it may be, and never half a character', () => {
  expect(shownText('\u001b'.repeat(1_000), MAX)).toHaveLength(MAX);
  expect(shownText('x'.repeat(1_000), MAX)).toBe('x'.repeat(MAX));
  expect(shownText(`${'x'.repeat(MAX - 1)}🙂`, MAX).isWellFormed()).toBe(true);
  expect(shownText('\ud800', MAX)).toBe('\ufffd');
});
