import { describe, expect, test } from '@jest/globals';
import { redactText } from '../../../src/logging/secret-text';

// A secret that no log may show, in the shapes in which secrets turn up in texts.
const CANARY = 'canary7secret';
const API_KEY_ID = '01JQZX6T0VN8R5W2Y3B4C5D6E7';

describe('S18: a text', () => {
  test.each<[string, string, string]>([
    ['a JWT', `token eyJhbGciOiJIUzI1NiJ9.${CANARY}.c2ln refused`, 'token [redacted] refused'],
    ['a JWT without a border before it', `token_eyJhbGciOiJIUzI1NiJ9.${CANARY}.c2ln`, 'token_[redacted]'],
    ['an encrypted JWT', `eyJhbGciOiJkaXIifQ..${CANARY}.${CANARY}.${CANARY}`, '[redacted]'],
    ['a bearer token', `Authorization: Bearer ${CANARY}`, 'Authorization: Bearer [redacted]'],
    ['a bearer token in other case', `bearer  ${CANARY}`, 'bearer [redacted]'],
    ['a bearer token in an address', `/x?a=Bearer%20${CANARY}`, '/x?a=Bearer [redacted]'],
    ['an API key header', `Api-Key ${CANARY}`, 'Api-Key [redacted]'],
    ['an API key', `of mlm_${API_KEY_ID}_${CANARY.padEnd(43, 'x')}.`, `of mlm_${API_KEY_ID}_[redacted].`],
    ['half an API key', `mlm_${API_KEY_ID}_${CANARY}`, `mlm_${API_KEY_ID}_[redacted]`],
    ['a database address', `mysql://millime:${CANARY}@db:3306/millime`, 'mysql://millime:[redacted]@db:3306/millime'],
    ['a password with @ and /', `mariadb://u:a@${CANARY}/b@h/d`, 'mariadb://u:[redacted]@h/d'],
    ['an address without a user', `redis://:${CANARY}@h`, 'redis://:[redacted]@h'],
    ['a JWK in JSON', `{"kty":"oct","k":"${CANARY}","alg":"HS256"}`, '{"kty":"oct","k":"[redacted]","alg":"HS256"}'],
    [
      'a JWK in JSON in JSON',
      `"{\\"kty\\":\\"oct\\",\\"k\\":\\"${CANARY}\\"}"`,
      '"{\\"kty\\":\\"oct\\",\\"k\\":"[redacted]"}"',
    ],
    ['the half of a JWK', `{"d": "${CANARY}`, '{"d": "[redacted]"'],
    ['a private key', `a\n-----BEGIN PRIVATE KEY-----\n${CANARY}\n-----END PRIVATE KEY-----\nb`, 'a\n[redacted]\nb'],
    ['half a private key', `-----BEGIN EC PRIVATE KEY-----\n${CANARY}`, '[redacted]'],
    ['a password in a query', `/x?password=${CANARY}&a=1`, '/x?password=[redacted]&a=1'],
    [
      'a secret of the environment',
      `SERVICE_JWT_SECRET=${CANARY} npm start`,
      'SERVICE_JWT_SECRET=[redacted] npm start',
    ],
    ['a password in JSON', `{"databasePassword": "${CANARY} x","a":1}`, '{"databasePassword": "[redacted]","a":1}'],
    ['a password in JSON in JSON', `"{\\"password\\":\\"${CANARY}\\"}"`, '"{\\"password\\":"[redacted]"}"'],
    ['the account of an agent', `agent_receivable:${CANARY} x`, 'agent_receivable:[personal]'],
  ])('does not show %s', (_what, text, shown) => {
    expect(redactText(text)).toBe(shown);
    expect(redactText(text)).not.toContain(CANARY);
  });

  test.each([
    'listening on http://127.0.0.1:8080',
    'DATABASE_URL: mysql://db-1:3306,db-2:3306/millime cannot be used',
    'SERVICE_JWT_SECRET: must have at least 32 bytes',
    'the token of the gateway has expired',
    '-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----',
    'gateway_clearing:agent',
    '',
  ])('stays as it is without a secret: %s', (text) => {
    expect(redactText(text)).toBe(text);
  });

  // What grows with the square of the length takes seconds on these; the limit is far above what they take.
  test.each([
    'eyJ',
    '_eyJ',
    '://a:',
    '-----BEGIN PRIVATE KEY-----',
    'bearer ',
    'Bearer\t',
    '\\',
    '"k"',
    'token',
    'mlm_',
    '"k":"',
  ])('is searched in bounded time when it repeats %s', (part) => {
    const startedAt = performance.now();
    redactText(part.repeat(Math.ceil(8_192 / part.length)));
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});
