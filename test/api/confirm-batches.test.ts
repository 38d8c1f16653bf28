import { beforeEach, expect, test } from '@jest/globals';
import { type ConfirmCommand, confirmPayments, decodeConfirm } from '../../src/agent-settlement/testing';
import { newId } from '../../src/kernel';
import { aDue, anAgent, assess, closeAgent, register } from '../support/factories';
import { sized } from '../support/faults';
import { type Random, randomFrom } from '../support/random';
import { breaksOf, describeApi, expectBooksRight, rows, type Said, startApi } from './support/api';

// Goal: a batch in one transaction leaves the same answers and rows as its calls one by one. Method: the same calls in
// both ways: a story, and random sequences.

const STORY: readonly [Said, string][] = [
  [{ transactionId: 'T1', agentId: '004711', amount: 0 }, 'invalid_amount'],
  [{ transactionId: 'T1', agentId: '004711', amount: 0 }, 'invalid_amount'],
  [{ transactionId: 'T1', agentId: 'unknown', amount: 5 }, 'unknown_agent'],
  [{ transactionId: 'T1', agentId: '004711', amount: 5 }, 'stored'],
  [{ transactionId: 'T1', agentId: '004711', amount: 5 }, 'duplicate_transaction'],
  [{ transactionId: 'T1', agentId: '004711', amount: 6 }, 'duplicate_transaction'],
  [{ transactionId: 'T1', agentId: '004711', amount: 6 }, 'duplicate_transaction'],
  [{ agentId: '004711', amount: 6 }, 'duplicate_transaction'],
  [{ transactionId: 'T2', agentId: '004711', amount: 7 }, 'stored'],
];

describeApi('confirms in batches', (current) => {
  beforeEach(() => register(current.api.millime, anAgent()));

  test.each([
    ['one by one', 1],
    ['three at a time', 3],
    ['all at once', STORY.length],
  ])('%s leave the same rows and breaks', async (_how, size) => {
    const { millime } = current.api;
    const { database, clock, calendar } = millime;
    const commands = STORY.map(([said]) => {
      const command = decodeConfirm(said, {
        attemptId: newId(),
        rawBody: JSON.stringify(said),
        receivedAt: clock.now(),
        caller: { subject: 'gateway', jti: 'jti-1' },
      });
      if (command === undefined) throw new Error('every call of the story is an object');
      return { ...command, followedUnavailable: false };
    });
    const outcomes: unknown[] = [];
    for (let at = 0; at < commands.length; at += size) {
      const batch = commands.slice(at, at + size);
      outcomes.push(...(await confirmPayments({ database, clock, calendar, amountMax: undefined }, batch)));
    }
    expect(outcomes).toEqual(STORY.map(([, outcome]) => outcome));
    expect(
      await rows(millime, 'agent_confirmations', ['transaction_id', 'amount_millimes', 'balance_before_millimes']),
    ).toEqual([
      { transaction_id: 'T1', amount_millimes: 5, balance_before_millimes: 0 },
      { transaction_id: 'T2', amount_millimes: 7, balance_before_millimes: -5 },
    ]);
    expect(await rows(millime, 'confirm_refusals', ['kind', 'times'])).toEqual([
      { kind: 'conflicting', times: 2 },
      { kind: 'identical', times: 1 },
      { kind: 'invalid_amount', times: 2 },
      { kind: 'unknown_agent', times: 1 },
      { kind: 'unusable_transaction', times: 1 },
    ]);
    expect((await breaksOf(millime)).map(({ subject }) => subject.facts['reason']).sort()).toEqual([
      'conflicting',
      'invalid_amount',
      'unknown_agent',
      'unusable_transaction',
    ]);
    // The two breaks of T1 that were there before it was stored know of it.
    expect(await rows(millime, 'recon_break_events', ['kind', 'detail'])).toEqual([
      { kind: 'linked', detail: '{"transactionId":"T1","reference":"service:T1"}' },
      { kind: 'linked', detail: '{"transactionId":"T1","reference":"service:T1"}' },
      { kind: 'opened', detail: '{"amountMillimes":5,"items":1,"lines":0,"direction":"may_have_moved"}' },
      { kind: 'opened', detail: '{"amountMillimes":6,"items":0,"lines":0,"direction":"may_have_moved"}' },
      { kind: 'opened', detail: '{"amountMillimes":6,"items":1,"lines":0,"direction":"may_have_moved"}' },
      { kind: 'opened', detail: '{"items":1,"lines":0,"direction":"may_have_moved"}' },
    ]);
  });

  const SEEDS = Array.from({ length: sized({ short: 3, full: 30 }) }, (_, index) => index + 1);

  test.each(SEEDS)('of random sizes answer and store what the calls one by one do (seed %d)', async (seed) => {
    const calls = randomCalls(randomFrom(seed), 60);
    const random = randomFrom(seed, 2);
    const [apart, together] = [
      await inANewDatabase(calls, () => 1),
      await inANewDatabase(calls, () => 1 + random.below(20)),
    ];
    expect(together).toEqual(apart);
    expect(new Set(apart.outcomes).size).toBeGreaterThan(3);
  });

  /** Runs the calls in batches of the given sizes on a database of their own, and returns everything that they left. */
  async function inANewDatabase(commands: readonly ConfirmCommand[], nextSize: () => number) {
    const api = await startApi((await current.harness.fresh()).url);
    try {
      const { millime } = api;
      await register(millime, anAgent({ agentId: 'a1' }), anAgent({ agentId: 'a2' }), anAgent({ agentId: 'closed' }));
      await assess(millime, aDue({ agentId: 'a1', reference: 'due-1' }));
      await closeAgent(millime, 'closed');
      const outcomes: unknown[] = [];
      for (let at = 0; at < commands.length;) {
        const batch = commands.slice(at, at + nextSize());
        at += batch.length;
        outcomes.push(...(await confirmPayments({ ...millime, amountMax: 1_000_000 }, batch, { mayRefuse })));
      }
      await expectBooksRight(millime);
      const breaks = await breaksOf(millime);
      return {
        outcomes,
        breaks: breaks.map((each) => JSON.stringify(each)).sort(),
        events: await rows(millime, 'recon_break_events', ['kind', 'detail']),
        balances: await rows(millime, 'ledger_balances', ['account', 'balance_millimes']),
        posted: await rows(millime, 'ledger_transactions', ['reference', 'code', 'occurred_at']),
        postings: await rows(millime, 'postings', ['debit_account', 'credit_account', 'amount_millimes']),
        stored: await rows(millime, 'agent_confirmations', [
          ...['transaction_id', 'agent_id', 'amount_millimes', 'attempt_id', 'balance_before_millimes'],
          ...['followed_unavailable', 'received_at'],
        ]),
        refusals: await rows(millime, 'confirm_refusals', [
          ...['kind', 'fingerprint', 'transaction_id', 'times', 'raw_body', 'first_at', 'last_at', 'last_attempt_id'],
        ]),
      };
    } finally {
      await api.close();
    }
  }
});

/** The caller of some commands has had too many refusals. */
function mayRefuse({ attemptId }: ConfirmCommand): boolean {
  return Number(attemptId) % 7 !== 0;
}

/** Few ids, agents and amounts, so that most calls meet an earlier one. */
function randomCalls(random: Random, count: number): ConfirmCommand[] {
  return Array.from({ length: count }, (_, index) => {
    const said = {
      ...(random.onceIn(8) ? {} : { transactionId: `T${random.below(10)}` }),
      agentId: random.oneOf(['a1', 'a1', 'a2', 'a2', 'closed', 'unknown']),
      amount: random.oneOf([5, 5, 5, 6, 0, 1.5, 2_000_000]),
    };
    const command = decodeConfirm(said, {
      attemptId: String(index).padStart(26, '0'),
      rawBody: JSON.stringify(said),
      receivedAt: Date.parse('2026-03-02T09:00:00.000Z') + index,
      caller: { subject: 'gateway', jti: 'jti-1' },
    });
    if (command === undefined) throw new Error('every random call is an object');
    return { ...command, followedUnavailable: random.onceIn(10) };
  });
}
