import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { redact } from '../../../src/logging/redact';

// A secret that no log may show, in the places where secrets really turn up.
const CANARY = 'canary7secret';
const JWT = `eyJhbGciOiJIUzI1NiJ9.${CANARY}.c2lnbmF0dXJl`;

const shown = (value: unknown): string => inspect(redact(value), { depth: 20, maxArrayLength: 200 });

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
    ['the secret parts of a JWK', { kty: 'RSA', d: CANARY, p: CANARY, q: CANARY, dp: CANARY, dq: CANARY, qi: CANARY }],
    [
      'the secret of a JWK in a Map',
      new Map([
        ['kty', 'oct'],
        ['k', CANARY],
      ]),
    ],
    ['a body', { rawBody: { a: CANARY }, body: CANARY, responseBody: [CANARY] }],
    ['whole headers', { headers: { accept: CANARY }, rawHeaders: ['Accept', CANARY] }],
    ['a password in a Map', new Map([['password', CANARY]])],
    ['a token in a Set', new Set([JWT])],
    ['bytes', { bytes: Buffer.from(CANARY), more: new TextEncoder().encode(CANARY).buffer }],
    ['an address', new URL(`mysql://u:${CANARY}@h/d`)],
    ['a secret in the name of a field', { [`Bearer ${CANARY}`]: 1 }],
    ['a function', { run: () => CANARY }],
    ['a field behind __proto__', JSON.parse(`{"__proto__":{"password":"${CANARY}"}}`)],
    ['a secret at the cut of a long text', `${'x '.repeat(4_090)}mysql://u:${CANARY}@h/d`],
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
    expect(text).toMatch(/redacted|deep|Error|bytes|function|cut/);
  });

  test('keeps names, codes, places, and addresses without their password', () => {
    const error = Object.assign(new Error('refused'), { code: 'ER_DUP_ENTRY', errno: 1062 });
    expect(redact({ error })).toMatchObject({
      error: { name: 'Error', message: 'refused', code: 'ER_DUP_ENTRY', errno: 1062 },
    });
    expect(shown({ error })).toContain('redact.test');
    expect(redact(`mysql://millime:${CANARY}@db:3306/millime`)).toBe('mysql://millime:[redacted]@db:3306/millime');
  });

  test('keeps ordinary fields as they are, and shows a bigint as digits', () => {
    const fields = {
      transactionId: '004711',
      key: 'PRIMARY',
      amountMillimes: 5,
      times: [1, null, true],
      ok: undefined,
    };
    expect(redact(fields)).toEqual(fields);
    expect(redact({ total: 45_035_996_273_704_955n })).toEqual({ total: '45035996273704955' });
  });

  test('accepts an object that contains itself', () => {
    const loop: Record<string, unknown> = { name: 'loop' };
    loop['self'] = loop;
    expect(shown(loop)).toContain('[deep]');
  });

  test.each<[string, () => unknown, string | RegExp]>([
    [
      'a getter that throws',
      () => ({
        get a() {
          throw new Error('no');
        },
        b: 1,
      }),
      /a: '\[unreadable\]', b: 1/,
    ],
    [
      'a proxy that refuses',
      () =>
        new Proxy(
          {},
          {
            ownKeys: () => {
              throw new Error('no');
            },
          },
        ),
      '[unreadable]',
    ],
    [
      'an error that refuses',
      () =>
        Object.defineProperty(new Error('a'), 'message', {
          get() {
            throw new Error('no');
          },
        }),
      '[unreadable]',
    ],
    ['a long text', () => 'word '.repeat(1e6), /\[cut, 5000000 characters\]/],
    ['a long word', () => 'x'.repeat(1e6), '[cut, 1000000 characters]'],
    ['a long list', () => Array.from({ length: 1_000 }, () => 0), /\[900 more\]/],
    ['a list with holes', () => new Array<number>(1e9), /\[999999900 more\]/],
    [
      'a wide object',
      () => Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`f${index}`, index])),
      /'\[more\]': 900/,
    ],
    ['numbers that JSON does not know', () => [NaN, -Infinity], /NaN.*-Infinity/],
    ['dates', () => [new Date(0), new Date(NaN)], /1970-01-01T00:00:00\.000Z.*Invalid Date/],
    ['a symbol', () => Symbol('mark'), 'Symbol(mark)'],
    ['an object without a prototype', () => Object.assign(Object.create(null) as object, { a: 1 }), /a: 1/],
  ])('accepts %s', (_what, make, text) => {
    expect(shown(make())).toMatch(text);
  });

  test('stays small, however large its fields are', () => {
    const wide = (depth: number): unknown =>
      depth === 0 ? 'y '.repeat(9_000) : Array.from({ length: 9 }, () => wide(depth - 1));
    expect(JSON.stringify(redact(wide(5))).length).toBeLessThan(256 * 1024);
  });

  test('leaves every prototype unchanged', () => {
    const clean = redact(JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'));
    expect((clean as { polluted?: unknown }).polluted).toBeUndefined();
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('leaves its input unchanged', () => {
    const fields = { password: CANARY };
    redact(fields);
    expect(fields.password).toBe(CANARY);
  });
});

describe('S20: a person in a log record', () => {
  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      'an id of six characters or more keeps two',
      { agentId: '07654321', agent_id: 'AG-100' },
      { agentId: '***21', agent_id: '***00' },
    ],
    ['a short id keeps none', { agentId: 'AG-12', agentID: '' }, { agentId: '[personal]', agentID: '[personal]' }],
    ['an id may be a number', { agentId: 7_654_321 }, { agentId: '***21' }],
    ['characters are whole', { agentId: 'agent-🎉🎈' }, { agentId: '***🎉🎈' }],
    ['lists', { agentIds: ['07654321', 'AG'] }, { agentIds: ['***21', '[personal]'] }],
    ['telephones', { phone: '+21620123456', phoneNumber: '216' }, { phone: '***56', phoneNumber: '[personal]' }],
    ['what is no text', { agentId: { id: '07654321' } }, { agentId: '[personal]' }],
    [
      'names and remarks',
      { fullName: 'Salma', full_name: 'x', desc: 'x', memo: ['x'] },
      { fullName: '[personal]', full_name: '[personal]', desc: '[personal]', memo: '[personal]' },
    ],
    ['what is not there', { agentId: undefined, memo: null }, { agentId: undefined, memo: null }],
    ['deeper down', { a: [{ agentId: '07654321' }] }, { a: [{ agentId: '***21' }] }],
  ])('%s', (_rule, fields, clean) => {
    expect(redact(fields)).toEqual(clean);
  });
});
