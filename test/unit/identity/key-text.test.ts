import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatKeyText, freshSecret, parseKeyText, secretDigest } from '../../../src/identity/keys/key-text';
import { newId } from '../../../src/kernel';

// Goal: one key has one text, and no other text is accepted for it.

const ID = '01KA9ZT3Q5W8XH2M4N6P7R8S9T';
const SECRET = 'A'.repeat(43);
const GOOD = `mlm_${ID}_${SECRET}`;

describe('the text of a key', () => {
  test('gives back its id and its 32 bytes', () => {
    expect(parseKeyText(GOOD)).toEqual({ keyId: ID, secret: Buffer.alloc(32) });
  });

  test('round-trips with any secret', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const key = { keyId: newId(), secret: Buffer.from(bytes) };
        expect(parseKeyText(formatKeyText(key))).toEqual(key);
      }),
    );
  });

  test.each([
    ['nothing', ''],
    ['the start alone', 'mlm_'],
    ['no id', `mlm__${SECRET}`],
    ['no secret', `mlm_${ID}_`],
    ['no start', `${ID}_${SECRET}`],
    ['another start', `mlk_${ID}_${SECRET}`],
    ['a start in capitals', `MLM_${ID}_${SECRET}`],
    ['an id in small letters', `mlm_${ID.toLowerCase()}_${SECRET}`],
    ['an id that is too short', `mlm_${ID.slice(1)}_${SECRET}`],
    ['an id that is too long', `mlm_0${ID}_${SECRET}`],
    ['an id with a letter that a ULID does not have', `mlm_${ID.replace('K', 'U')}_${SECRET}`],
    ['an id of more than 128 bits', `mlm_8${ID.slice(1)}_${SECRET}`],
    ['a secret that is too short', GOOD.slice(0, -1)],
    ['a secret that is too long', `${GOOD}A`],
    ['a secret with stray bits at its end', `${GOOD.slice(0, -1)}B`],
    ['a secret with padding', `${GOOD}=`],
    ['a secret in base64', `mlm_${ID}_${'+/'.repeat(21)}A`],
    ['a space before it', ` ${GOOD}`],
    ['a line break after it', `${GOOD}\n`],
    ['a NUL in it', `mlm_${ID}_${'A'.repeat(42)}\0`],
    ['quotation marks', `"${GOOD}"`],
    ['the word of a header', `Bearer ${GOOD}`],
    ['full-width letters', GOOD.replace('mlm', 'ｍｌｍ')],
    ['two keys', `${GOOD},${GOOD}`],
    ['a megabyte', `mlm_${ID}_${'A'.repeat(1_048_576)}`],
  ])('is not %s', (_what, text) => {
    expect(parseKeyText(text)).toBeUndefined();
  });
});

test('each secret is different and stored as a digest', () => {
  const secrets = Array.from({ length: 100 }, freshSecret);
  expect(new Set(secrets.map((secret) => secret.toString('hex'))).size).toBe(100);
  // SHA-256 of 32 zero bytes.
  expect(secretDigest(Buffer.alloc(32)).toString('hex')).toBe(
    '66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925',
  );
});
