import { beforeEach, expect, test } from '@jest/globals';
import { confirmPayments, decodeConfirm } from '../../src/agent-settlement/testing';
import { newId } from '../../src/kernel';
import { anAgent, register } from '../support/factories';
import { breaksOf, describeApi, rows, type Said } from './support/api';

// Goal: a batch in one transaction leaves the same rows as its calls one by one. Method: the same calls in both ways.

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
    const outcomes: string[] = [];
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
});
