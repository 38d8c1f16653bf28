import { describe, expect, test } from '@jest/globals';
import { guessableFault } from '../../../src/kernel';
import { type Random, randomFrom } from '../../support/random';

const SECRET = { unknownMin: 12 };
const SHORT = { unknownMin: 6 };

describe('S30: guessableFault', () => {
  test.each([
    'a'.repeat(32),
    'ab'.repeat(16),
    'password'.repeat(4),
    '12345678901234567890123456789012',
    '0123456789abcdef0123456789abcdef',
    'abcdefghijklmnopqrstuvwxyz012345',
    'zyxwvutsrqponmlkjihgfedcba987654',
    'your-256-bit-secret-your-256-bit-secret!',
    'a-string-secret-at-least-256-bits-long',
    'your-super-secret-jwt-token-with-at-least-32-characters-long',
    'change-me-please-change-me-this-is-not-secure',
    'MySuperSecretPasswordForProduction2026!',
    'ThisIsMyVeryLongSecretKeyForMillime',
    'secret-xxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    'correct horse battery staple correct',
    'qwertyuiopasdfghjklzxcvbnm123456',
    'azertyuiopqsdfghjklmwxcvbn123456',
  ])('finds %p', (text) => {
    expect(guessableFault(text, SECRET)).toBeDefined();
  });

  test.each([
    'password',
    'Passw0rd',
    'hint-token',
    'changeme',
    'secret123',
    'millime1',
    'aaaaaaaa',
    '12345678',
    'abcdefgh',
  ])('finds the short text %p', (text) => {
    expect(guessableFault(text, SHORT)).toBeDefined();
  });

  test.each([
    '9f86d081884c7d659a2feaa0c55ad015',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'kE5r0Qy0cV3mPq7ZtW1uXh8LbN2sJdFg',
    'canary-3f9a61c07be24d58a1c6e0b7d2f4983a-secret',
    'plinth-otter-vacuum-sixteen-gravel-moss',
    '3141592653589793238462643383279502884197',
  ])('accepts %p', (text) => {
    expect(guessableFault(text, SECRET)).toBeUndefined();
  });

  test.each<[string, number, (random: Random) => string]>([
    ['32 hexadecimal digits', 32, ({ below }) => below(16).toString(16)],
    ['32 letters and digits', 32, ({ below }) => below(36).toString(36)],
    ['32 bytes', 32, ({ below }) => String.fromCharCode(below(256))],
    ['40 decimal digits', 40, ({ below }) => String(below(10))],
  ])('accepts every one of 5,000 random texts of %s', (_kind, length, character) => {
    const random = randomFrom(length, 30);
    const texts = Array.from({ length: 5_000 }, () => Array.from({ length }, () => character(random)).join(''));
    expect(texts.filter((text) => guessableFault(text, SECRET) !== undefined)).toEqual([]);
  });

  test('states a reason that has no part of the secret', () => {
    for (const secret of ['canary'.repeat(8), 'c'.repeat(40)]) {
      expect(guessableFault(secret, SECRET)).not.toContain('canary');
    }
  });
});
