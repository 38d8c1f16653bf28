import { beforeEach, describe, expect, test } from '@jest/globals';
import { rowsOf } from '../../src/db';
import { millimes } from '../../src/kernel';
import { aDue, anAgent, assess, closeAgent, register } from '../support/factories';
import { recordingLogger } from '../support/fakes';
import { breaksOf, count, describeApi, NOW, rows, type Said } from './support/api';

const GOOD = { transactionId: 'T1', agentId: '004711', amount: 150_000 };
const CONFIRM_COLUMNS = [
  'transaction_id',
  'agent_id',
  'amount_millimes',
  'balance_before_millimes',
  'followed_unavailable',
  'token_sub',
  'received_at',
];
const REFUSAL_COLUMNS = ['transaction_id', 'kind', 'times'];

const logger = recordingLogger();

describeApi(
  'the log of confirms',
  (current) => {
    /** The fields of what is logged while `work` runs. */
    const logged = async (work: () => Promise<unknown>): Promise<object[]> => {
      const before = logger.entries.length;
      await work();
      return logger.entries.slice(before).map(({ fields }) => fields);
    };

    test.each<[string, Said, string]>([
      ['without a transaction id', { agentId: '004711', amount: 1 }, 'missing transactionId'],
      ['with an unusable one', { transactionId: 7, agentId: '004711', amount: 1 }, 'unusable transactionId'],
    ])('names the fault of a confirm %s, and no duplicate', async (_what, said, fault) => {
      const lines = await logged(async () => expect(await current.api.confirmCode(said)).toBe('3'));
      expect(lines).toMatchObject([{ event: 'agent_settlement.unusable_transaction', fault, agentId: '004711' }]);
    });

    test('has the agent and the amount of a stored confirm, and names a duplicate as before', async () => {
      await register(current.api.millime, anAgent());
      const lines = await logged(async () => {
        expect([await current.api.confirmCode(GOOD), await current.api.confirmCode(GOOD)]).toEqual(['0', '3']);
      });
      const facts = { transactionId: 'T1', agentId: '004711', amountMillimes: 150_000 };
      expect(lines).toEqual([
        { event: 'agent_settlement.stored', ...facts },
        { event: 'agent_settlement.duplicate_transaction', ...facts },
      ]);
    });
  },
  { replace: () => ({ logger }) },
);

describeApi('4.6 Confirm Payment', (current) => {
  const confirm = (said: Said): Promise<string> => current.api.confirmCode(said);
  const refusals = (): Promise<unknown> => rows(current.api.millime, 'confirm_refusals', REFUSAL_COLUMNS);
  const breaks = (): ReturnType<typeof breaksOf> => breaksOf(current.api.millime);
  const history = async (): Promise<unknown[]> => {
    const { millime } = current.api;
    const [each] = await millime.breaks.list({ includeResolved: true });
    const shown = await millime.breakWorkflow.show(each?.id ?? '');
    return shown.history.map(({ kind, actor, detail }) => ({ kind, actor, detail }));
  };

  beforeEach(async () => {
    const { api } = current;
    api.setClock(NOW);
    await register(api.millime, anAgent(), anAgent({ agentId: 'other', fullName: 'Nour' }));
    await assess(api.millime, aDue({ amount: millimes(150_000) }));
  });

  describe('the answer', () => {
    test('is exactly code 0 for a valid call', async () => {
      const { status, text, headers } = await current.api.confirm(GOOD);
      expect([status, text]).toEqual([200, '{"code":"0"}']);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(headers['cache-control']).toBe('no-store');
    });

    test.each<[string, Said, string]>([
      ['an unknown agent id', { ...GOOD, agentId: 'unknown' }, '1'],
      ['a bad amount', { ...GOOD, amount: 0 }, '2'],
      ['no transaction id', { agentId: '004711', amount: 1 }, '3'],
      ['an unknown agent and a bad amount', { ...GOOD, agentId: 'unknown', amount: 0 }, '1'],
      ['no transaction id and an unknown agent', { agentId: 'unknown', amount: 1 }, '3'],
      ['no transaction id and a bad amount', { agentId: '004711', amount: 0 }, '3'],
      ['nothing at all', {}, '3'],
    ])('follows the precedence 3, 1, 2 for %s', async (_what, said, code) => {
      expect(await confirm(said)).toBe(code);
      expect(await count(current.api.millime, 'agent_confirmations')).toBe(0);
    });

    test.each<[string, Said]>([
      ['the same call', GOOD],
      ['another amount', { ...GOOD, amount: 1 }],
      ['another agent', { ...GOOD, agentId: 'other' }],
      ['an unknown agent', { ...GOOD, agentId: 'unknown' }],
      ['a bad amount', { ...GOOD, amount: -1 }],
      ['an unknown agent and a bad amount', { ...GOOD, agentId: 'unknown', amount: null }],
    ])('is 3 for %s with a registered id', async (_what, again) => {
      expect(await confirm(GOOD)).toBe('0');
      expect(await confirm(again)).toBe('3');
      expect(await current.api.millime.dues.dueOf('004711')).toMatchObject({ due: 0, credit: 0 });
    });

    test('is 3 for a registered transaction, even if the agent was closed since', async () => {
      expect(await confirm(GOOD)).toBe('0');
      await closeAgent(current.api.millime, '004711');
      expect(await confirm(GOOD)).toBe('3');
      expect(await confirm({ ...GOOD, transactionId: 'T2' })).toBe('1');
    });
  });

  describe('the stored payment', () => {
    test('keeps the call, its caller and what the agent owed before it', async () => {
      expect(await confirm(GOOD)).toBe('0');
      expect(await rows(current.api.millime, 'agent_confirmations', CONFIRM_COLUMNS)).toEqual([
        {
          transaction_id: 'T1',
          agent_id: '004711',
          amount_millimes: 150_000,
          balance_before_millimes: 150_000,
          followed_unavailable: 0,
          token_sub: 'gateway',
          received_at: Date.parse(NOW),
        },
      ]);
    });

    test('is one ledger transaction that moves the debt from the agent to the gateway', async () => {
      expect(await confirm(GOOD)).toBe('0');
      const { millime } = current.api;
      expect(
        await rows(millime, 'postings', ['amount_millimes', 'debit_account', 'credit_account', 'position']),
      ).toContainEqual({
        amount_millimes: 150_000,
        debit_account: 'gateway_clearing:agent',
        credit_account: 'agent_receivable:004711',
        position: 1,
      });
      expect(await rows(millime, 'ledger_transactions', ['reference', 'code'])).toContainEqual({
        reference: 'service:T1',
        code: 'agent_payment',
      });
      expect(await count(millime, 'postings')).toBe(2); // the due and the payment
    });

    test.each([
      ['a part of the due', 50_000, { due: 100_000, credit: 0 }],
      ['the whole due', 150_000, { due: 0, credit: 0 }],
      ['more than the due', 200_000, { due: 0, credit: 50_000 }],
      ['one millime', 1, { due: 149_999, credit: 0 }],
    ])('accepts %s', async (_what, amount, left) => {
      expect(await confirm({ ...GOOD, amount })).toBe('0');
      expect(await current.api.millime.dues.dueOf('004711')).toMatchObject(left);
    });

    test('accepts repeated payments by an agent without dues', async () => {
      expect(await confirm({ ...GOOD, agentId: 'other', amount: 5 })).toBe('0');
      expect(await confirm({ ...GOOD, agentId: 'other', amount: 7, transactionId: 'T2' })).toBe('0');
      expect(await current.api.millime.dues.dueOf('other')).toMatchObject({ due: 0, credit: 12 });
    });

    test('refuses a payment beyond the largest credit that can be counted', async () => {
      const big = { agentId: 'other', amount: 9_007_199_254_740_991 };
      expect(await confirm({ ...big, transactionId: 'T1' })).toBe('0');
      expect(await confirm({ agentId: 'other', amount: 1, transactionId: 'T2' })).toBe('2');
      expect(await current.api.millime.dues.dueOf('other')).toMatchObject({ credit: 9_007_199_254_740_991 });
    });
  });

  describe('F23: an invalid amount', () => {
    test.each([
      ['0'],
      ['-0'],
      ['-1'],
      ['1.5'],
      ['"1000"'],
      ['9007199254740992'],
      ['9223372036854775808'],
      ['1e400'],
      ['null'],
      ['true'],
      ['[]'],
      ['[1000]'],
      ['{}'],
      ['missing'],
    ])('is answered 2 and posts nothing: %s', async (amount) => {
      const { api } = current;
      const spoken = amount === 'missing' ? '' : `,"amount":${amount}`;
      const answer = await api.call({
        method: 'POST',
        path: '/service/confirm',
        headers: { 'Content-Type': 'application/json' },
        body: `{"transactionId":"T1","agentId":"004711"${spoken}}`,
      });
      expect([answer.status, answer.text]).toEqual([200, '{"code":"2"}']);
      expect(await count(api.millime, 'postings')).toBe(1); // the due
      expect(await refusals()).toEqual([{ transaction_id: 'T1', kind: 'invalid_amount', times: 1 }]);
    });

    test.each([
      ['1e3', 1_000],
      ['1.0', 1],
    ])('accepts %s, which is an integer in JSON', async (amount, paid) => {
      const answer = await current.api.call({
        method: 'POST',
        path: '/service/confirm',
        headers: { 'Content-Type': 'application/json' },
        body: `{"transactionId":"T1","agentId":"004711","amount":${amount}}`,
      });
      expect(answer.text).toBe('{"code":"0"}');
      expect(await current.api.millime.dues.dueOf('004711')).toMatchObject({ due: 150_000 - paid });
    });
  });

  describe('S8: ids of another type', () => {
    const WRONG = [0, 4711, true, null, [], [0], ['004711'], {}, { agent_id: 1 }];

    test.each(WRONG.map((value) => [JSON.stringify(value), value]))(
      'answers 1 to agentId %s',
      async (_json, agentId) => {
        await register(
          current.api.millime,
          ...['0', '1', '4711', 'true', 'null'].map((id) => anAgent({ agentId: id })),
        );
        expect(await confirm({ ...GOOD, agentId })).toBe('1');
        expect(await count(current.api.millime, 'agent_confirmations')).toBe(0);
        expect(await count(current.api.millime, 'postings')).toBe(1); // the due
      },
    );

    test.each(WRONG.map((value) => [JSON.stringify(value), value]))(
      'answers 3 to transactionId %s, whatever is registered',
      async (_json, transactionId) => {
        for (const id of ['0', '4711', 'true', 'null', '004711']) {
          expect(await confirm({ ...GOOD, transactionId: id, amount: 1 })).toBe('0');
        }
        expect(await confirm({ ...GOOD, transactionId })).toBe('3');
        expect(await confirm({ transactionId, agentId: transactionId, amount: transactionId })).toBe('3');
        expect(await count(current.api.millime, 'agent_confirmations')).toBe(5);
        const found = await breaks();
        expect(found.map(({ breakClass, subject }) => [breakClass, subject.facts['reason']])).toEqual([
          ['paid_but_rejected', 'unusable_transaction'],
          ['paid_but_rejected', 'unusable_transaction'],
        ]);
      },
    );
  });

  describe('a refused call', () => {
    test.each<[string, Said, unknown]>([
      [
        '1',
        { ...GOOD, agentId: 'unknown' },
        { transactionId: '"T1"', agentId: '"unknown"', amount: '150000', reason: 'unknown_agent' },
      ],
      [
        '2',
        { ...GOOD, amount: '150000' },
        { transactionId: '"T1"', agentId: '"004711"', amount: '"150000"', reason: 'invalid_amount' },
      ],
      [
        '3',
        { agentId: '004711', amount: 150_000 },
        { transactionId: 'missing', agentId: '"004711"', amount: '150000', reason: 'unusable_transaction' },
      ],
    ])('opens one break paid_but_rejected, however often it comes: %s', async (code, said, facts) => {
      const { api } = current;
      expect([await confirm(said), await confirm(said)]).toEqual([code, code]);
      api.setClock('2026-03-03T23:30:00.000Z'); // the 4th in Tunis
      expect(await confirm(said)).toBe(code);
      const id = said.transactionId;
      expect(await breaks()).toEqual([
        {
          breakClass: 'paid_but_rejected',
          status: 'open',
          since: '2026-03-02',
          amount: said.amount === 150_000 ? 150_000 : undefined,
          subject: { itemIds: id === undefined ? [] : ['service:T1'], lineIds: [], facts },
          resolution: undefined,
        },
      ]);
      expect(await rows(api.millime, 'confirm_refusals', ['times', 'first_at', 'last_at', 'raw_body'])).toEqual([
        {
          times: 3,
          first_at: Date.parse(NOW),
          last_at: Date.parse('2026-03-03T23:30:00.000Z'),
          raw_body: JSON.stringify(said),
        },
      ]);
      expect(await count(api.millime, 'agent_confirmations')).toBe(0);
    });

    test('S26: is stored shortened, and recognized by the whole of it', async () => {
      const { api } = current;
      const long = (end: string): Said => ({ ...GOOD, agentId: `${'é'.repeat(7_000)}${end}` });
      expect([await confirm(long('a')), await confirm(long('b')), await confirm(long('a'))]).toEqual(['1', '1', '1']);
      const kept = await rows(api.millime, 'confirm_refusals', ['times', 'raw_body']);
      expect(kept.map((row) => Number(row['times'])).sort()).toEqual([1, 2]);
      expect(await count(api.millime, 'recon_breaks')).toBe(2);
      const whole = JSON.stringify(long('a'));
      const beginning = Buffer.from(whole).subarray(0, 1_023).toString(); // the next character has two bytes
      for (const row of kept) expect(row['raw_body']).toBe(`${beginning}… (${Buffer.byteLength(whole)} bytes)`);
    });

    test.each(['x', '€', '"', '\\', '\u0001', '\ud800', '𐍈'])(
      'S26: stores less than 5 kB in all its rows, if each value is a long text of %j',
      async (filler) => {
        const { millime } = current.api;
        const text = filler.repeat(800);
        expect(await confirm({ transactionId: 't'.repeat(255), agentId: text, amount: text })).toBe('1');
        let bytes = 0;
        for (const table of ['confirm_refusals', 'recon_breaks', 'recon_break_events']) {
          const [row, ...others] = await millime.database.read((session) => rowsOf(session(table).select('*')));
          expect(others).toEqual([]);
          for (const value of Object.values(row ?? {})) bytes += Buffer.byteLength(String(value));
        }
        expect(bytes).toBeGreaterThan(1_024);
        expect(bytes).toBeLessThan(5_000);
      },
    );

    test('opens one break for each distinct triple', async () => {
      await confirm({ ...GOOD, agentId: 'unknown' });
      await confirm({ ...GOOD, agentId: 'unknown', amount: 1 });
      await confirm({ ...GOOD, agentId: 'unknown two' });
      await confirm({ ...GOOD, agentId: 'unknown', transactionId: 'T2' });
      await confirm({ ...GOOD, agentId: 'unknown' });
      expect(await count(current.api.millime, 'recon_breaks')).toBe(4);
    });

    test('opens one break when the same triple is refused first with 1 and then with 2', async () => {
      const said = { transactionId: 'T1', agentId: 'later', amount: 0 };
      expect(await confirm(said)).toBe('1');
      await register(current.api.millime, anAgent({ agentId: 'later' }));
      expect(await confirm(said)).toBe('2');
      expect(await count(current.api.millime, 'recon_breaks')).toBe(1);
      expect(await refusals()).toEqual([
        { transaction_id: 'T1', kind: 'invalid_amount', times: 1 },
        { transaction_id: 'T1', kind: 'unknown_agent', times: 1 },
      ]);
    });

    test('keeps the day in Tunis on which it first came', async () => {
      current.api.setClock('2026-03-02T23:30:00.000Z');
      await confirm({ ...GOOD, agentId: 'unknown' });
      expect((await breaks()).map(({ since }) => since)).toEqual(['2026-03-03']);
    });
  });

  describe('a resend of a registered id', () => {
    test('is counted and opens no break if it is identical', async () => {
      expect(await confirm(GOOD)).toBe('0');
      expect([await confirm(GOOD), await confirm(GOOD)]).toEqual(['3', '3']);
      expect(await refusals()).toEqual([{ transaction_id: 'T1', kind: 'identical', times: 2 }]);
      expect(await breaks()).toEqual([]);
    });

    test('is identical in any notation', async () => {
      const { api } = current;
      expect(await confirm(GOOD)).toBe('0');
      const answer = await api.call({
        method: 'POST',
        path: '/service/confirm',
        headers: { 'Content-Type': 'application/json' },
        body: '{ "amount": 15e4, "retry": true, "agentId": "00\\u0034711", "transactionId": "T1" }',
      });
      expect(answer.text).toBe('{"code":"3"}');
      expect(await breaks()).toEqual([]);
    });

    test('is counted and opens one break if it conflicts', async () => {
      const conflicting = { ...GOOD, amount: 1 };
      expect(await confirm(GOOD)).toBe('0');
      expect([await confirm(conflicting), await confirm(conflicting)]).toEqual(['3', '3']);
      expect(await refusals()).toEqual([{ transaction_id: 'T1', kind: 'conflicting', times: 2 }]);
      expect(await breaks()).toEqual([
        {
          breakClass: 'conflicting_duplicate',
          status: 'open',
          since: '2026-03-02',
          amount: 1,
          subject: {
            itemIds: ['service:T1'],
            lineIds: [],
            facts: { transactionId: '"T1"', agentId: '"004711"', amount: '1', reason: 'conflicting' },
          },
          resolution: undefined,
        },
      ]);
    });

    test('opens one break for each distinct conflict', async () => {
      expect(await confirm(GOOD)).toBe('0');
      await confirm({ ...GOOD, amount: 1 });
      await confirm({ ...GOOD, agentId: 'other' });
      await confirm({ ...GOOD, agentId: 'unknown', amount: null });
      expect((await breaks()).map(({ breakClass }) => breakClass)).toEqual([
        'conflicting_duplicate',
        'conflicting_duplicate',
        'conflicting_duplicate',
      ]);
    });
  });

  describe('an id that was refused with 1 or 2 (open point 89)', () => {
    test('is stored when the agent exists at the resend, which resolves its break', async () => {
      const said = { ...GOOD, agentId: 'later' };
      expect(await confirm(said)).toBe('1');
      await register(current.api.millime, anAgent({ agentId: 'later' }));
      expect(await confirm(said)).toBe('0');
      expect(await confirm(said)).toBe('3');
      expect(await breaks()).toMatchObject([
        { breakClass: 'paid_but_rejected', status: 'resolved', resolution: 'stored_later' },
      ]);
      expect(await history()).toEqual([
        {
          kind: 'opened',
          actor: 'gateway',
          detail: { amountMillimes: 150_000, items: 1, lines: 0, direction: 'may_have_moved' },
        },
        {
          kind: 'resolved',
          actor: 'gateway',
          detail: { resolution: 'stored_later', transactionId: 'T1', reference: 'service:T1' },
        },
      ]);
    });

    test('is stored when it comes again with another amount, and its break stays open with a link', async () => {
      expect(await confirm({ ...GOOD, amount: -5 })).toBe('2');
      expect(await confirm(GOOD)).toBe('0');
      expect(await breaks()).toMatchObject([{ breakClass: 'paid_but_rejected', status: 'open' }]);
      expect(await history()).toEqual([
        { kind: 'opened', actor: 'gateway', detail: { items: 1, lines: 0, direction: 'may_have_moved' } },
        { kind: 'linked', actor: 'gateway', detail: { transactionId: 'T1', reference: 'service:T1' } },
      ]);
    });

    test('resolves its own break and links the others', async () => {
      const said = { ...GOOD, agentId: 'later' };
      expect(await confirm(said)).toBe('1');
      expect(await confirm({ ...said, amount: 7 })).toBe('1');
      expect(await confirm({ ...said, transactionId: 'T2' })).toBe('1');
      await register(current.api.millime, anAgent({ agentId: 'later' }));
      expect(await confirm(said)).toBe('0');
      const found = await breaks();
      expect(
        found.map(({ status, amount, subject }) => `${subject.itemIds.join()} ${amount ?? ''} ${status}`).sort(),
      ).toEqual(['service:T1 150000 resolved', 'service:T1 7 open', 'service:T2 150000 open']);
    });

    test('is a conflict if the refused call comes again after another one was stored', async () => {
      const refused = { ...GOOD, agentId: 'unknown' };
      expect([await confirm(refused), await confirm(GOOD), await confirm(refused)]).toEqual(['1', '0', '3']);
      expect((await breaks()).map(({ breakClass, status }) => `${breakClass} ${status}`)).toEqual([
        'conflicting_duplicate open',
        'paid_but_rejected open',
      ]);
    });
  });
});

describeApi(
  'SERVICE_CONFIRM_MAX_MILLIMES',
  (current) => {
    test('limits the amount of one confirm', async () => {
      await register(current.api.millime, anAgent());
      const pay = (transactionId: string, amount: number): Promise<string> =>
        current.api.confirmCode({ transactionId, agentId: '004711', amount });
      expect([await pay('T1', 500), await pay('T2', 501), await pay('T1', 501)]).toEqual(['0', '2', '3']);
    });
  },
  { environment: { SERVICE_CONFIRM_MAX_MILLIMES: '500' } },
);
