import { beforeEach, describe, expect, test } from '@jest/globals';
import { millimes } from '../../src/kernel';
import { aDue, anAgent, assess, register } from '../support/factories';
import { breaksOf, count, describeApi, rows } from './support/api';

// Goal: no id is confused with another one, by Millime or by either database. Method: many ids with minimal
// differences, each with a different due, so that a confusion shows in the answer. Both databases follow one table.

const KNOWN = [
  '004711',
  '04711',
  '4711',
  '4711.0',
  '4.711e3',
  '0',
  '1',
  'true',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  'agent1',
  'AGENT1',
  'Agent1',
  'àgent1',
  'X',
  'x',
  'Ｘ',
  'a b',
  'a  b',
  'a\u00a0b',
  'ab',
  'a\u200db',
  'caf\u00e9',
  'cafe\u0301',
  'cafe',
  'strasse',
  'straße',
  'STRASSE',
  'ﬀ',
  'ff',
  'i',
  'ı',
  'İ',
  'وكيل',
  'وكيل\u200f',
  '\u200fوكيل',
  'وكيل-١',
  'وكيل-1',
  '👩🏽‍💻',
  '👩‍💻',
  '👩',
  '🀄',
  '🀅',
  '+21620000000',
  '21620000000',
  'a+b',
  'a/b',
  '..',
  '.',
  '../../etc/passwd',
  '%',
  '%00',
  '%2F',
  'a#b',
  'a?b',
  'a',
  "' or '1'='1",
  "X'; drop table agents; --",
  'X%',
  'X_',
  '\\',
  '\\\\',
  '"X"',
  'x'.repeat(254),
  'x'.repeat(255),
  'é'.repeat(127) + 'x',
];

/** Usable ids of no agent, each close to the id of one. */
const UNKNOWN = [
  '00004711',
  '4711.00',
  '47110',
  'AGENT',
  'agENT1',
  'Àgent1',
  'caf',
  'Cafe',
  'وكيل-٢',
  '👨',
  'x'.repeat(253),
  'y'.repeat(255),
  '%2f',
  '%25',
  '%%',
  '_',
  'X--',
  "'",
  'NaN',
  'false',
  '[object Object]',
  'A/B',
];

/** Ids that no agent can have, in JSON, which can write each of them. */
const UNUSABLE = [
  '""',
  '" X"',
  '"X "',
  '"X  "',
  '"\\u00a0X"',
  '"X\\u00a0"',
  '"X\\u3000"',
  '"\\ufeffX"',
  '" "',
  '"X\\u0000"',
  '"\\u0000"',
  '"X\\n"',
  '"X\\r\\nX"',
  '"X\\t"',
  '"\\u007fX"',
  '"X\\u0085"',
  '"a\\u2028b"',
  '"\\ud800"',
  '"X\\udc00"',
  JSON.stringify('x'.repeat(256)),
  JSON.stringify('é'.repeat(128)),
  JSON.stringify('X'.repeat(10_000)),
];

/** Segments of a path that say one of the known ids in another way. */
const WRITTEN_OTHERWISE = [
  ['percent-encoded though it need not be', '%58', 'X'],
  ['encoded in small letters', 'a%2fb', 'a/b'],
  ['encoded in capitals', 'a%2Fb', 'a/b'],
  ['encoded dots', '%2e%2e', '..'],
  ['dots as they stand', '..', '..'],
  ['encoded dots and slashes', '..%2f..%2fetc%2Fpasswd', '../../etc/passwd'],
  ['a plus sign, which is no space', 'a+b', 'a+b'],
  ['encoded twice', '%252F', '%2F'],
  ['followed by an empty query', 'X?', 'X'],
] as const;

/** Segments of a path that no agent can have as its id. */
const IMPOSSIBLE = [
  ['an outer space before', '%20X'],
  ['an outer space behind', 'X%20'],
  ['a no-break space behind', 'X%C2%A0'],
  ['only a space', '%20'],
  ['a NUL', 'X%00'],
  ['a line end', 'X%0D%0A'],
  ['a byte order mark', '%EF%BB%BFX'],
  ['a lone surrogate', 'X%ED%A0%80'],
  ['an overlong slash', 'a%C0%AFb'],
  ['an overlong NUL', '%C0%80'],
  ['bytes that are not UTF-8', 'X%FF'],
  ['latin-1 for UTF-8', 'caf%E9'],
  ['a character that is cut off', '%E0%A4%A'],
  ['percent and no digits', 'X%zz'],
  ['percent and nothing', 'X%'],
  ['percent alone', '%'],
  ['percent and one digit', 'X%4'],
  ['a Unicode escape of Java', '%u0058'],
  ['256 bytes', 'x'.repeat(256)],
  ['8,000 characters', 'X'.repeat(8_000)],
  ['a fragment, which no request has', 'X#'],
  ['a fragment with an id of its own', 'a#/agent1'],
  ['a slash at the end', 'X%2F'],
  ['a parameter of a path', 'X;v=1'],
] as const;

const UNKNOWN_AGENT = '{"code":"1","desc":"","amount":"0"}';
const nameOf = (id: string): string => `Agent ${id.slice(0, 60)}`;
const dueOf = (id: string): number => 1_000 + KNOWN.indexOf(id);

describeApi('F22: ids', (current) => {
  describe('of agents', () => {
    beforeEach(async () => {
      const { millime } = current.api;
      await register(millime, ...KNOWN.map((agentId) => anAgent({ agentId, fullName: nameOf(agentId) })));
      await assess(millime, ...KNOWN.map((agentId) => aDue({ agentId, amount: millimes(dueOf(agentId)) })));
    });

    test('are answered with the agent’s name and due if known', async () => {
      const answers: unknown[] = [];
      for (const id of KNOWN) {
        const { status, text } = await current.api.check(encodeURIComponent(id));
        answers.push([id, status, JSON.parse(text)]);
      }
      expect(answers).toEqual(KNOWN.map((id) => [id, 200, { code: '0', desc: nameOf(id), amount: String(dueOf(id)) }]));
    });

    test('are unknown however similar to a known one', async () => {
      const answers: unknown[] = [];
      for (const id of UNKNOWN) {
        const { status, text } = await current.api.check(encodeURIComponent(id));
        answers.push([id, status, text]);
      }
      expect(answers).toEqual(UNKNOWN.map((id) => [id, 200, UNKNOWN_AGENT]));
    });

    test('are accepted in several encodings', async () => {
      const answers: unknown[] = [];
      for (const [what, segment] of WRITTEN_OTHERWISE) {
        answers.push([what, JSON.parse((await current.api.check(segment)).text)]);
      }
      expect(answers).toEqual(
        WRITTEN_OTHERWISE.map(([what, , id]) => [what, { code: '0', desc: nameOf(id), amount: String(dueOf(id)) }]),
      );
    });

    test('are unknown, and no error, if no agent can have them', async () => {
      const answers: unknown[] = [];
      for (const [what, segment] of IMPOSSIBLE) {
        const { status, text } = await current.api.check(segment);
        answers.push([what, status, text]);
      }
      expect(answers).toEqual(IMPOSSIBLE.map(([what]) => [what, 200, UNKNOWN_AGENT]));
    });

    test.each([
      ['that a URL parser trims', 'X\u00a0'],
      ['of a letter', 'caf\u00e9'],
    ])('are refused as raw bytes outside ASCII: a byte %s', async (_what, segment) => {
      const { status, text } = await current.api.check(segment);
      expect([status, text]).toEqual([400, '']); // Node's own answer (open point 132)
    });

    test('credit the agent with exactly these bytes', async () => {
      const { api } = current;
      const codes: unknown[] = [];
      for (const [index, agentId] of KNOWN.entries()) {
        codes.push([agentId, await api.confirmCode({ transactionId: `T${index}`, agentId, amount: 10_000 + index })]);
      }
      expect(codes).toEqual(KNOWN.map((id) => [id, '0']));
      const stored = await rows(api.millime, 'agent_confirmations', ['amount_millimes', 'agent_id']);
      expect(stored).toEqual(KNOWN.map((id, index) => ({ amount_millimes: 10_000 + index, agent_id: id })));
      for (const id of KNOWN) {
        expect(await api.millime.dues.dueOf(id)).toMatchObject({ agentId: id, due: 0, credit: 9_000 });
      }
    });

    test('are answered 1 by confirm, recorded and credited to no one if unknown or invalid', async () => {
      const { api } = current;
      const before = await count(api.millime, 'postings');
      const spoken = [...UNKNOWN.map((id) => JSON.stringify(id)), ...UNUSABLE];
      const answers: unknown[] = [];
      for (const [index, id] of spoken.entries()) {
        const body = `{"transactionId":"T${index}","agentId":${id},"amount":1}`;
        const headers = { 'Content-Type': 'application/json' };
        const { status, text } = await api.call({ method: 'POST', path: '/service/confirm', headers, body });
        answers.push([id, status, text]);
      }
      expect(answers).toEqual(spoken.map((id) => [id, 200, '{"code":"1"}']));
      expect(await count(api.millime, 'postings')).toBe(before);
      expect(await count(api.millime, 'agent_confirmations')).toBe(0);
      expect(await rows(api.millime, 'confirm_refusals', ['kind', 'times'])).toEqual(
        spoken.map(() => ({ kind: 'unknown_agent', times: 1 })),
      );
      expect(await count(api.millime, 'recon_breaks')).toBe(spoken.length);
    });
  });

  describe('of transactions', () => {
    beforeEach(() => register(current.api.millime, anAgent()));

    test('are each stored once when they differ as little as possible', async () => {
      const { api } = current;
      const codes: unknown[] = [];
      for (const transactionId of KNOWN) {
        const said = { transactionId, agentId: '004711', amount: 1 };
        codes.push([transactionId, await api.confirmCode(said), await api.confirmCode(said)]);
      }
      expect(codes).toEqual(KNOWN.map((id) => [id, '0', '3']));
      const stored = await rows(api.millime, 'agent_confirmations', ['transaction_id']);
      expect(stored.map((row) => String(row['transaction_id'])).sort()).toEqual([...KNOWN].sort());
      expect(await api.millime.dues.dueOf('004711')).toMatchObject({ credit: KNOWN.length });
    });

    test('are answered 3, recorded and open a break each if invalid', async () => {
      const { api } = current;
      const answers: unknown[] = [];
      for (const id of UNUSABLE) {
        const body = `{"transactionId":${id},"agentId":"004711","amount":1}`;
        const headers = { 'Content-Type': 'application/json' };
        const { status, text } = await api.call({ method: 'POST', path: '/service/confirm', headers, body });
        answers.push([id, status, text]);
      }
      expect(answers).toEqual(UNUSABLE.map((id) => [id, 200, '{"code":"3"}']));
      expect(await count(api.millime, 'postings')).toBe(0);
      expect(await rows(api.millime, 'confirm_refusals', ['kind', 'times'])).toEqual(
        UNUSABLE.map(() => ({ kind: 'unusable_transaction', times: 1 })),
      );
      const breaks = await breaksOf(api.millime);
      expect(breaks).toHaveLength(UNUSABLE.length);
      expect(new Set(breaks.map(({ breakClass }) => breakClass))).toEqual(new Set(['paid_but_rejected']));
    });
  });
});
