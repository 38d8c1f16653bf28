import { describe, expect, test } from '@jest/globals';
import { decodeConfirm } from '../../../src/agent-settlement/testing';

// Goal: a body is read from its three named fields only. Method: bodies as the text on the wire, parsed as the route
// does it.

const CONTEXT = {
  attemptId: 'attempt-1',
  rawBody: 'as it came',
  receivedAt: Date.parse('2026-03-02T09:00:00.000Z'),
  caller: { subject: 'gateway', jti: 'jti-1' },
};

function decoded(body: string): NonNullable<ReturnType<typeof decodeConfirm>> {
  const command = decodeConfirm(JSON.parse(body), CONTEXT);
  if (command === undefined) throw new Error('the body was not taken');
  return command;
}

const withAmount = (amount: string): string => `{"transactionId":"T1","agentId":"A1","amount":${amount}}`;
const GOOD = withAmount('1000');

test('decodes a valid body to its triple with the context of the request', () => {
  expect(decoded(GOOD)).toEqual({
    ...CONTEXT,
    transactionId: 'T1',
    agentId: 'A1',
    amount: 1_000,
    fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    said: { transactionId: '"T1"', agentId: '"A1"', amount: '1000' },
  });
});

test.each([['[]'], ['[1]'], ['null'], ['"text"'], ['1'], ['true']])('refuses %s, which is not an object', (body) => {
  expect(decodeConfirm(JSON.parse(body), CONTEXT)).toBeUndefined();
});

describe('F23: the amount', () => {
  test.each([
    ['1', 1],
    ['1000', 1_000],
    ['1e3', 1_000],
    ['1.0', 1],
    ['1000.000', 1_000],
    ['9007199254740991', 9_007_199_254_740_991],
  ])('%s is %d', (text, amount) => {
    expect(decoded(withAmount(text)).amount).toBe(amount);
  });

  test.each([
    ['0'],
    ['-0'],
    ['-1'],
    ['1.5'],
    ['0.001'],
    ['1e-1'],
    ['9007199254740992'],
    ['9007199254740993'],
    ['9223372036854775808'],
    ['1e400'],
    ['-1e400'],
    ['"1000"'],
    ['""'],
    ['null'],
    ['true'],
    ['false'],
    ['[]'],
    ['[1000]'],
    ['{}'],
    ['{"amount":1000}'],
  ])('%s is invalid', (text) => {
    expect(decoded(withAmount(text)).amount).toBeUndefined();
  });

  test('is invalid if missing', () => {
    expect(decoded('{"transactionId":"T1","agentId":"A1"}').amount).toBeUndefined();
  });
});

describe('S8: an identifier', () => {
  test.each([
    ['0'],
    ['4711'],
    ['true'],
    ['null'],
    ['[]'],
    ['[0]'],
    ['["A1"]'],
    ['{}'],
    ['{"agent_id":1}'],
    ['""'],
    ['" A1"'],
    ['"A1 "'],
    ['"A1\\u0000"'],
    ['"A1\\n"'],
    ['"\\ud800"'],
    [JSON.stringify('x'.repeat(256))],
  ])('is not %s', (text) => {
    const command = decoded(`{"transactionId":${text},"agentId":${text},"amount":1}`);
    expect([command.transactionId, command.agentId]).toEqual([undefined, undefined]);
  });

  test('may have 255 bytes', () => {
    const id = 'é'.repeat(127) + 'x';
    const command = decoded(JSON.stringify({ transactionId: id, agentId: id, amount: 1 }));
    expect([command.transactionId, command.agentId]).toEqual([id, id]);
  });
});

describe('S9: unexpected fields', () => {
  test('are ignored', () => {
    const extra = GOOD.replace('{', '{"attemptId":"x","receivedAt":0,"fingerprint":"x","caller":{"subject":"x"},');
    expect(decoded(extra)).toEqual(decoded(GOOD));
  });

  test.each([
    ['__proto__', `{"__proto__":${GOOD}}`],
    ['constructor', `{"constructor":{"prototype":${GOOD}}}`],
  ])('are not read through %s', (_name, body) => {
    expect(decoded(body)).toMatchObject({ transactionId: undefined, agentId: undefined, amount: undefined });
    expect(({} as Record<string, unknown>)['transactionId']).toBeUndefined();
  });

  test('do not replace fields of the body', () => {
    const body = GOOD.replace('{', '{"__proto__":{"agentId":"A2","amount":5},');
    expect(decoded(body)).toMatchObject({ transactionId: 'T1', agentId: 'A1', amount: 1_000 });
  });

  test('that repeat a key win as the last, as in JSON.parse (open point 132)', () => {
    expect(decoded('{"transactionId":"T1","agentId":"A1","amount":1,"amount":2}').amount).toBe(2);
  });
});

describe('the fingerprint', () => {
  const fingerprint = (body: string): string => decoded(body).fingerprint;

  test.each([
    ['the order of keys', '{"amount":1000,"agentId":"A1","transactionId":"T1"}'],
    ['white space', '{ "transactionId" : "T1",\n "agentId" : "A1", "amount" : 1000 }'],
    ['how the integer is written', withAmount('1e3')],
    ['how the text is escaped', '{"transactionId":"\\u0054\\u0031","agentId":"A1","amount":1000}'],
    ['other fields', GOOD.replace('{', '{"retry":true,')],
  ])('does not depend on %s', (_what, body) => {
    expect(fingerprint(body)).toBe(fingerprint(GOOD));
  });

  test('does not depend on the request', () => {
    const other = decodeConfirm(JSON.parse(GOOD), { ...CONTEXT, attemptId: 'attempt-2', receivedAt: 0, rawBody: '' });
    expect(other?.fingerprint).toBe(fingerprint(GOOD));
  });

  test('differs for every other triple, valid or not', () => {
    const bodies = [
      GOOD,
      '{"transactionId":"T2","agentId":"A1","amount":1000}',
      '{"transactionId":"A1","agentId":"T1","amount":1000}',
      '{"transactionId":"T1A","agentId":"1","amount":1000}',
      '{"transactionId":"T1","agentId":"a1","amount":1000}',
      '{"transactionId":"T1","agentId":"A1 ","amount":1000}',
      '{"transactionId":1,"agentId":"A1","amount":1000}',
      '{"transactionId":"1","agentId":"A1","amount":1000}',
      '{"transactionId":"\\ud800","agentId":"A1","amount":1000}',
      '{"transactionId":"\\ud801","agentId":"A1","amount":1000}',
      '{"transactionId":"\\ufffd","agentId":"A1","amount":1000}',
      '{"agentId":"A1","amount":1000}',
      '{"transactionId":null,"agentId":"A1","amount":1000}',
      '{"transactionId":"null","agentId":"A1","amount":1000}',
      withAmount('1001'),
      withAmount('"1000"'),
      withAmount('1000.5'),
      withAmount('0'),
      withAmount('null'),
      withAmount('true'),
      withAmount('[]'),
      withAmount('[1000]'),
      withAmount('{}'),
      withAmount('1e400'),
      withAmount('-1e400'),
      withAmount('"Infinity"'),
    ];
    const bodyOf = new Map(bodies.map((body) => [fingerprint(body), body]));
    expect([...bodyOf.values()]).toEqual(bodies);
  });
});

describe('the stored summary', () => {
  test('states what was missing and what was invalid', () => {
    expect(decoded('{"transactionId":[0],"amount":1e400}').said).toEqual({
      transactionId: '[0]',
      agentId: 'missing',
      amount: 'Infinity',
    });
  });

  test('is truncated if a field is long', () => {
    const { said } = decoded(JSON.stringify({ transactionId: 'x'.repeat(1_000), agentId: 'A1', amount: 1 }));
    expect(said.transactionId).toBe(`"${'x'.repeat(299)}…`);
  });
});
