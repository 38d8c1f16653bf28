import { beforeEach, describe, expect, test } from '@jest/globals';
import { millimes } from '../../src/kernel';
import { aDue, anAgent, assess, closeAgent, register } from '../support/factories';
import { count, describeApi, startApi } from './support/api';

const UNKNOWN = '{"code":"1","desc":"","amount":"0"}';

const withoutPath = ['http://', 'http://?', 'http://:80', '*'];

describeApi('a request target without a path', (current) => {
  test.each(withoutPath)('%p gets the JSON answer of an unknown path, never an HTML page', async (path) => {
    const { status, text, headers } = await current.api.call({ path });
    expect({ status, text, type: headers['content-type'] }).toEqual({
      status: 404,
      text: '{"error":"not_found"}',
      type: 'application/json; charset=utf-8',
    });
  });
});

describeApi('4.6 Check Agent', (current) => {
  beforeEach(async () => {
    await register(current.api.millime, anAgent());
    await assess(current.api.millime, aDue({ amount: millimes(150_000) }), aDue({ amount: millimes(500) }));
  });

  describe('the answer', () => {
    test('holds exactly the code, the name and the total due, as strings', async () => {
      const { status, text } = await current.api.check('004711');
      expect([status, text]).toEqual([200, '{"code":"0","desc":"Amal Trabelsi","amount":"150500"}']);
    });

    test('is 1 with an empty name and 0 for an unknown agent', async () => {
      const { status, text } = await current.api.check('4711');
      expect([status, text]).toEqual([200, UNKNOWN]);
    });

    test('is the same for a closed agent and an unknown one', async () => {
      await closeAgent(current.api.millime, '004711');
      const { status, text } = await current.api.check('004711');
      expect([status, text]).toEqual([200, UNKNOWN]);
    });

    test('is 0 millimes for an agent without dues', async () => {
      await register(current.api.millime, anAgent({ agentId: 'new', fullName: 'Nour' }));
      expect((await current.api.check('new')).text).toBe('{"code":"0","desc":"Nour","amount":"0"}');
    });

    test('shows each payment at once, and 0 for an agent in credit', async () => {
      const { api } = current;
      const pay = (transactionId: string, amount: number): Promise<string> =>
        api.confirmCode({ transactionId, agentId: '004711', amount });
      expect(await pay('T1', 500)).toBe('0');
      expect((await api.check('004711')).text).toBe('{"code":"0","desc":"Amal Trabelsi","amount":"150000"}');
      expect(await pay('T2', 149_999)).toBe('0');
      expect((await api.check('004711')).text).toBe('{"code":"0","desc":"Amal Trabelsi","amount":"1"}');
      expect(await pay('T3', 21)).toBe('0');
      expect((await api.check('004711')).text).toBe('{"code":"0","desc":"Amal Trabelsi","amount":"0"}');
      expect(await api.millime.dues.dueOf('004711')).toMatchObject({ due: 0, credit: 20 });
    });

    test('returns the name byte for byte, with JSON escapes', async () => {
      const fullName = 'آمال "Mimi" \\ <b>O\'Tră</b> 👩🏽‍💻 cafe\u0301';
      await register(current.api.millime, anAgent({ fullName }));
      expect(JSON.parse((await current.api.check('004711')).text)).toEqual({
        code: '0',
        desc: fullName,
        amount: '150500',
      });
    });

    test('does not depend on a query string', async () => {
      const answers = await Promise.all(
        ['', '?', '?agentId=new', '?a[b]=1&__proto__=x', '?%zz'].map((query) => current.api.check(`004711${query}`)),
      );
      expect(new Set(answers.map(({ text }) => text))).toEqual(
        new Set(['{"code":"0","desc":"Amal Trabelsi","amount":"150500"}']),
      );
    });

    test('writes nothing to the ledger', async () => {
      const before = await count(current.api.millime, 'ledger_transactions');
      await current.api.check('004711');
      await current.api.check('unknown');
      const { millime } = current.api;
      expect(await count(millime, 'ledger_transactions')).toBe(before);
      expect([await count(millime, 'confirm_refusals'), await count(millime, 'recon_breaks')]).toEqual([0, 0]);
    });
  });

  describe('caching', () => {
    test.each([
      ['If-None-Match', '*'],
      ['If-None-Match', '"x"'],
      ['If-None-Match', 'W/"2f-abc"'],
      ['If-Modified-Since', 'Mon, 02 Mar 2099 09:00:00 GMT'],
    ])('never answers 304: %s: %s', async (name, value) => {
      const answer = await current.api.call({ path: '/service/check/004711', headers: { [name]: value } });
      expect([answer.status, answer.text]).toEqual([200, '{"code":"0","desc":"Amal Trabelsi","amount":"150500"}']);
    });
  });

  test('S15: every response is uncacheable JSON without server details', async () => {
    const { api } = current;
    const answers = await Promise.all([
      api.check('004711'),
      api.check('unknown'),
      api.check('%zz'),
      api.check('a/b'),
      api.call({ path: '/service/check/004711', headers: { Authorization: 'Bearer x' } }),
      api.call({ method: 'DELETE', path: '/service/check/004711' }),
      api.call({ path: '/service/confirm' }),
      api.confirm({}),
      api.call({ method: 'POST', path: '/service/confirm', body: '{' }),
      api.call({ path: '/nothing/here' }),
      api.call({ path: '/%zz' }),
      api.call({ path: '/healthz' }),
      api.call({ path: '/readyz' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([
      200, 200, 200, 404, 403, 405, 405, 200, 415, 404, 404, 200, 200,
    ]);
    for (const { headers, text } of answers) {
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(headers['cache-control']).toBe('no-store');
      expect(headers).not.toHaveProperty('x-powered-by');
      expect(headers).not.toHaveProperty('etag');
      expect(typeof JSON.parse(text)).toBe('object');
    }
  });

  describe('S15: the path is matched strictly', () => {
    test.each([
      ['a trailing slash', '/service/check/004711/'],
      ['no id', '/service/check/'],
      ['no id and no slash', '/service/check'],
      ['two segments', '/service/check/004711/x'],
      ['an empty segment before the id', '/service/check//004711'],
      ['capitals in the last word', '/service/Check/004711'],
      ['capitals in the first word', '/SERVICE/check/004711'],
      ['dots that nobody resolves', '/service/x/../check/004711'],
      ['a slash that is encoded', '/service%2Fcheck/004711'],
      ['the prefix alone', '/service'],
      ['the prefix and a slash', '/service/'],
      ['another word', '/service/agents'],
      ['a longer word', '/service/confirmation'],
      ['confirm with a trailing slash', '/service/confirm/'],
      ['confirm in capitals', '/service/Confirm'],
      ['nothing', '/'],
    ])('%s is 404', async (_what, path) => {
      const { status, text } = await current.api.call({ path });
      expect([status, text]).toEqual([404, '{"error":"not_found"}']);
    });
  });

  describe('other methods', () => {
    test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])('%s is 405', async (method) => {
      const answer = await current.api.call({ method, path: '/service/check/004711' });
      expect([answer.status, answer.text]).toEqual([405, '{"error":"method_not_allowed"}']);
      expect(answer.headers.allow).toBe('GET');
    });

    test('HEAD is 405 and has no body', async () => {
      const answer = await current.api.call({ method: 'HEAD', path: '/service/check/004711' });
      expect([answer.status, answer.text, answer.headers.allow]).toEqual([405, '', 'GET']);
    });

    test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s is 405 on confirm', async (method) => {
      const answer = await current.api.call({ method, path: '/service/confirm' });
      expect([answer.status, answer.text]).toEqual([405, '{"error":"method_not_allowed"}']);
      expect(answer.headers.allow).toBe('POST');
    });
  });

  test('never shows a due of before a confirm that was answered, also through another process', async () => {
    const second = await startApi(current.harness.url);
    let stop = false;
    // Reads that are under way all the time, which a later check must not share.
    const load = [current.api, second].map(async (api) => {
      while (!stop) await Promise.all(Array.from({ length: 8 }, () => api.check('004711')));
    });
    try {
      for (let paid = 1; paid <= 40; paid += 1) {
        const payer = paid % 2 === 0 ? current.api : second;
        const call = { transactionId: `fresh-${paid}`, agentId: '004711', amount: 100 };
        expect(await payer.confirmCode(call)).toBe('0');
        const due = `{"code":"0","desc":"Amal Trabelsi","amount":"${150_500 - paid * 100}"}`;
        const answers = await Promise.all([current.api.check('004711'), second.check('004711')]);
        expect(answers.map(({ text }) => text)).toEqual([due, due]);
      }
    } finally {
      stop = true;
      await Promise.all(load);
      await second.close();
    }
  });
});
