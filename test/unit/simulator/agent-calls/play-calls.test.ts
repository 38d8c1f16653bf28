import { describe, expect, test } from '@jest/globals';
import { type AgentCaller, type ConfirmResult, playCalls } from '../../../../src/simulator';
import { readCalls } from '../../../../src/simulator/agent-calls/read-calls';

// Goal: a calls file is played in its order, group by group, and the first wrong answer ends it.
// Method: a caller that answers from a script and records its calls.

const AT = '2026-03-02T09:00:00+01:00';
const LATER = '2026-03-02T10:00:00+01:00';
const confirmLine = (transactionId: string, expected: string, more: object = {}): string =>
  JSON.stringify({ at: AT, confirm: { transactionId, agentId: 'A', amount: 1 }, expect: { code: expected }, ...more });

function scripted(codes: readonly string[]): { caller: AgentCaller; events: string[] } {
  const events: string[] = [];
  const waiting = [...codes];
  const answer = async (what: string): Promise<ConfirmResult> => {
    events.push(what);
    const code = waiting.shift();
    if (code === '503') return { kind: 'failed', status: 503, retryAfterMs: undefined };
    return { kind: 'answered', status: 200, body: { code: code === '3' ? '3' : '0' } };
  };
  const caller: AgentCaller = {
    async check(agentId) {
      events.push(`check ${agentId}`);
      return { kind: 'answered', status: 200, body: { code: '0', desc: 'Amira', amount: '10' } };
    },
    confirm: ({ transactionId }) => answer(transactionId),
    confirmWith: (body) => answer(String(body['transactionId'])),
  };
  return { caller, events };
}

describe('A player of a calls file', () => {
  test('makes the calls in order, reports each batch to the hook, and counts the answers', async () => {
    const { caller, events } = scripted(['0', '3', '0', '0']);
    const calls = [
      `{"at":"${AT}","check":"وكيل-12","expect":{"amount":"10","code":"0","desc":"Amira"}}`,
      confirmLine('T-1', '0', { group: 'g' }),
      confirmLine('T-1', '3', { group: 'g' }),
      confirmLine('T-2', '0', { at: LATER }),
      '',
    ].join('\n');
    const played = await playCalls({ caller, calls, at: (instant) => void events.push(`at ${instant}`) });
    expect(played).toEqual({
      kind: 'as_expected',
      calls: 4,
      atOnce: 2,
      answers: { 'check 0': 1, 'confirm 0': 2, 'confirm 3': 1 },
    });
    expect(events).toEqual([`at ${AT}`, 'check وكيل-12', `at ${AT}`, 'T-1', 'T-1', `at ${LATER}`, 'T-2']);
  });

  test('accepts the answers of one group in any order', async () => {
    const calls = [confirmLine('T-1', '0', { group: 'g' }), confirmLine('T-1', '3', { group: 'g' })].join('\n');
    const played = await playCalls({ caller: scripted(['3', '0']).caller, calls });
    expect(played.kind).toBe('as_expected');
  });

  test('ends at the first unexpected answer and states both answers', async () => {
    const { caller, events } = scripted(['3']);
    const calls = [confirmLine('T-1', '0'), confirmLine('T-2', '0')].join('\n');
    expect(await playCalls({ caller, calls })).toEqual({
      kind: 'otherwise',
      at: AT,
      got: ['{"code":"3"}'],
      expected: ['{"code":"0"}'],
    });
    expect(events).toEqual(['T-1']);
  });

  test('never accepts a missing answer for the expected one', async () => {
    const played = await playCalls({ caller: scripted(['503']).caller, calls: confirmLine('T-1', '0') });
    expect(played).toMatchObject({ kind: 'otherwise', got: ['failed 503'] });
  });
});

describe('A reader of a calls file', () => {
  test('separates two groups, and non-adjacent lines of one group', () => {
    const lines = ['g', 'g', 'h', undefined, 'g'].map((group, index) =>
      confirmLine(`T-${index}`, '0', group === undefined ? {} : { group }),
    );
    expect(readCalls(lines.join('\r\n')).map((batch) => batch.length)).toEqual([2, 1, 1, 1]);
  });

  test.each([
    ['no JSON', 'x', 'expected a JSON object'],
    ['no instant', '{"at":"today","check":"A","expect":{}}', 'at: expected an ISO 8601 instant with an offset'],
    ['no expected answer', `{"at":"${AT}","check":"A"}`, 'expect: expected an object of strings'],
    ['a number in the expected answer', `{"at":"${AT}","check":"A","expect":{"code":0}}`, /^expect/],
    ['neither call', `{"at":"${AT}","expect":{}}`, 'expected check with an agentId, or confirm with a body'],
    ['both calls', `{"at":"${AT}","check":"A","confirm":{},"expect":{}}`, /^expected check/],
    ['a number as group', `{"at":"${AT}","check":"A","expect":{},"group":1}`, 'group: expected a string'],
  ])('refuses a line with %s, and names it', (_what, line, fault) => {
    const read = (): unknown => readCalls(`${confirmLine('T-1', '0')}\n${line}`);
    expect(read).toThrow(expect.objectContaining({ code: 'bad_input' }));
    try {
      read();
    } catch (error) {
      const [detail = ''] = (error as { details: string[] }).details;
      expect(detail.slice(0, 8)).toBe('line 2: ');
      expect(detail.slice(8)).toEqual(expect.stringMatching(fault));
    }
  });
});
