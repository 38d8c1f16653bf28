import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { redact } from '../../../src/logging/redact';

// A secret that no log may show, in the places where secrets really turn up.
const CANARY = 'canary7secret';
const JWT = `eyJhbGciOiJIUzI1NiJ9.${CANARY}.c2lnbmF0dXJl`;

const shown = (value: unknown): string => inspect(redact(value), { depth: 20 });

describe('a log record', () => {
  test.each<[string, unknown]>([
    ['a JWT in a text', `token ${JWT} refused`],
    ['a JWT in a list', [['x', JWT]]],
    ['a bearer token', `Authorization: Bearer ${CANARY}`],
    ['a bearer token in other case', `bearer ${CANARY}`],
    ['an API key header', `Api-Key ${CANARY}`],
    ['the password of a database address', `mysql://millime:${CANARY}@db:3306/millime`],
    ['the password of a mariadb address', { url: `mariadb://millime:${CANARY}@db/millime` }],
    ['a field called password', { password: CANARY }],
    ['a field called databasePassword', { database: { databasePassword: CANARY } }],
    ['headers', { headers: { Authorization: CANARY, 'x-api-key': CANARY, cookie: CANARY } }],
    ['a private key', { privateKey: CANARY, GATEWAY_PRIVATE_KEY: CANARY }],
    ['a secret', { SERVICE_JWT_SECRET: CANARY }],
    ['a token', { token: CANARY, refreshToken: CANARY }],
    ['a signature', { signature: CANARY }],
    ['an object in place of a secret', { token: { inner: CANARY } }],
    ['an error', new Error(`Bearer ${CANARY}`)],
    ['the cause of a cause', new Error('a', { cause: new Error('b', { cause: new Error(`Bearer ${CANARY}`) }) })],
    ['a cause that is no error', new Error('a', { cause: { password: CANARY } })],
    ['what a driver hangs on an error', Object.assign(new Error('a'), { sql: CANARY, config: { user: CANARY } })],
    ['an error in a field', { error: new Error(`mysql://u:${CANARY}@h/d`) }],
    ['something very deep', { a: { b: { c: { d: { e: { f: { g: CANARY } } } } } } }],
  ])('does not show %s', (_where, value) => {
    const text = shown(value);
    expect(text).not.toContain(CANARY);
    expect(text).toMatch(/redacted|deep|Error/);
  });

  test('keeps what helps: names, codes, the place, and the address without its password', () => {
    const error = Object.assign(new Error('refused'), { code: 'ER_DUP_ENTRY', errno: 1062 });
    expect(redact({ error })).toMatchObject({
      error: { name: 'Error', message: 'refused', code: 'ER_DUP_ENTRY', errno: 1062 },
    });
    expect(shown({ error })).toContain('redact.test');
    expect(redact(`mysql://millime:${CANARY}@db:3306/millime`)).toBe('mysql://millime:[redacted]@db:3306/millime');
  });

  test('keeps ordinary fields as they are, and shows a bigint as digits', () => {
    const fields = { agentId: '004711', amountMillimes: 5, times: [1, null, true], ok: undefined };
    expect(redact(fields)).toEqual(fields);
    expect(redact({ total: 45_035_996_273_704_955n })).toEqual({ total: '45035996273704955' });
  });

  test('ends on an object that holds itself', () => {
    const loop: Record<string, unknown> = { name: 'loop' };
    loop['self'] = loop;
    expect(shown(loop)).toContain('[deep]');
  });

  test('does not change what it was given', () => {
    const fields = { password: CANARY };
    redact(fields);
    expect(fields.password).toBe(CANARY);
  });
});
