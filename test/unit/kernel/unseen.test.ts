import { expect, test } from '@jest/globals';
import { escapeUnseen } from '../../../src/kernel';

test('escapes invisible and direction-changing characters, and parsing restores them', () => {
  const text = 'a\u202eb\u200bc\u2028d\u009be\ufefff\u00adg وكيل 😀 é';
  const json = escapeUnseen(JSON.stringify({ text }));
  expect(json).toBe('{"text":"a\\u202eb\\u200bc\\u2028d\\u009be\\ufefff\\u00adg وكيل 😀 é"}');
  expect(JSON.parse(json)).toEqual({ text });
});
