import { expect, test } from '@jest/globals';
import { escapeUnseen } from '../../../src/kernel';

test('what turns a line around or cannot be seen is written as an escape, and parsing gives it back', () => {
  const text = 'a\u202eb\u200bc\u2028d\u009be\ufefff\u00adg وكيل 😀 é';
  const json = escapeUnseen(JSON.stringify({ text }));
  expect(json).toBe('{"text":"a\\u202eb\\u200bc\\u2028d\\u009be\\ufefff\\u00adg وكيل 😀 é"}');
  expect(JSON.parse(json)).toEqual({ text });
});
