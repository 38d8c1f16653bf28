import { inspect } from 'node:util';
import { expect, test } from '@jest/globals';
import { decodeKeyFile, encodeKeyFile } from '../../../src/service-tokens/key-file-codec';

const SECRET_BYTES = Buffer.alloc(32, 0x5a);
const K = SECRET_BYTES.toString('base64url');
const KEY = { kid: 'one', kty: 'oct', alg: 'HS256', status: 'active', k: K };
const file = (...keys: unknown[]): string => JSON.stringify({ keys });

test('reads back what the first start writes', () => {
  const content = decodeKeyFile(encodeKeyFile('one', SECRET_BYTES));
  expect(content).toMatchObject({ ok: true, keys: [{ kid: 'one', alg: 'HS256', status: 'active' }] });
  expect(content.ok && content.keys[0]?.material.export()).toEqual(SECRET_BYTES);
});

test('takes other fields of a JWK, and keys that only verify', () => {
  const content = decodeKeyFile(file({ ...KEY, use: 'sig' }, { ...KEY, kid: 'two', status: 'verify_only' }));
  expect(content).toMatchObject({ ok: true, keys: [{ kid: 'one' }, { kid: 'two', status: 'verify_only' }] });
});

test('never shows a key when it is printed', () => {
  const printed = inspect(decodeKeyFile(file(KEY)), { depth: 10, showHidden: true });
  expect(printed).not.toContain(K);
  expect(printed).not.toContain('5a 5a');
});

test.each([
  ['an empty file', '', 'is not valid JSON'],
  ['text that is not JSON', `{"keys": ${K}`, 'is not valid JSON'],
  [
    'a key named twice',
    `{"keys":[{"kid":"a","kid":"one","kty":"oct","alg":"HS256","status":"active","k":"${K}"}]}`,
    'is not valid JSON',
  ],
  ['a list at the top', JSON.stringify([KEY]), 'has no list "keys"'],
  ['no keys', file(), 'holds no key'],
  ['an entry that is text', file(K), 'key 1 is not an object'],
  ['no kid', file({ ...KEY, kid: undefined }), 'key 1 has no usable kid'],
  ['an empty kid', file({ ...KEY, kid: '' }), 'key 1 has no usable kid'],
  ['a number for kid', file({ ...KEY, kid: 1 }), 'key 1 has no usable kid'],
  ['another kty', file({ ...KEY, kty: 'RSA' }), 'key 1 must have the kty "oct"'],
  ['no alg', file({ ...KEY, alg: undefined }), 'key 1 must have one of the alg HS256'],
  ['another alg', file(KEY, { ...KEY, kid: 'two', alg: 'HS512' }), 'key 2 must have one of the alg HS256'],
  ['alg in small letters', file({ ...KEY, alg: 'hs256' }), 'key 1 must have one of the alg HS256'],
  ['no status', file({ ...KEY, status: undefined }), 'key 1 must have one of the status active, verify_only'],
  ['no k', file({ ...KEY, k: undefined }), 'key 1 must have its bytes in "k" as base64url without padding'],
  ['padding', file({ ...KEY, k: `${K}=` }), 'key 1 must have its bytes in "k" as base64url without padding'],
  ['31 bytes', file({ ...KEY, k: SECRET_BYTES.subarray(1).toString('base64url') }), 'key 1 is shorter than 32 bytes'],
  ['one kid twice', file(KEY, KEY), 'key 2 has the kid of an earlier key'],
])('refuses %s, in one line without the key', (_name, text, fault) => {
  expect(decodeKeyFile(text)).toEqual({ ok: false, fault });
  expect(fault).not.toContain(K);
});
