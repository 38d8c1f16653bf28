import { expect, test } from '@jest/globals';
import { journalFaults, type StoredFacts } from './support/audit';
import type { Attempt, Confirm, Reply } from './support/journal';

// Goal: the audit at the end of every fault test detects each fault it is for.
// Method: a healthy journal with its facts, and one change at a time.

const CONFIRM: Confirm = { transactionId: 'T-1', agentId: 'A', amount: 400 };
const OPENING = new Map([['A', 1_000]]);

const attempt = (reply: Reply, change: Partial<Confirm> = {}): Attempt => ({ ...CONFIRM, ...change, reply, tookMs: 1 });

function facts(change: Partial<StoredFacts> = {}): StoredFacts {
  const payment = { transactionId: 'T-1', debit: 'gateway_clearing:agent', credit: 'agent_receivable:A', amount: 400 };
  return { confirms: [CONFIRM], payments: [payment], owed: new Map([['A', 600]]), ...change };
}

const NOTHING: StoredFacts = { confirms: [], payments: [], owed: new Map([['A', 1_000]]) };
const [PAYMENT] = facts().payments as [StoredFacts['payments'][number]];

test.each<[string, Attempt[], StoredFacts]>([
  ['0, stored', [attempt('0')], facts()],
  ['0, then 3 to a resend', [attempt('0'), attempt('3')], facts()],
  ['no answer, stored, then 3', [attempt('none'), attempt('3')], facts()],
  ['503, not stored, then 0', [attempt('503'), attempt('0')], facts()],
  ['1 and not stored', [attempt('1')], NOTHING],
])('accepts %s', (_name, attempts, stored) => {
  expect(journalFaults(attempts, stored, { opening: OPENING, settled: true })).toEqual([]);
});

test.each<[string, Attempt[], StoredFacts, string]>([
  ['a 0 that was lost', [attempt('0')], NOTHING, 'T-1: answered 0 and lost'],
  ['a second 0', [attempt('0'), attempt('0')], facts(), 'T-1: answered 0 2 times'],
  ['another amount', [attempt('0', { amount: 401 })], facts(), 'T-1: answered 0 for 401 of A, stored 400 of A'],
  ['another agent', [attempt('0', { agentId: 'B' })], facts(), 'T-1: answered 0 for 400 of B, stored 400 of A'],
  ['a 3 to an own first write', [attempt('3')], facts(), 'T-1: stored 400 of A, answered only 3'],
  ['a 3 for what is not stored', [attempt('none'), attempt('3')], NOTHING, 'T-1: answered 3, and not stored'],
  ['a 1 that was stored', [attempt('1')], facts(), 'T-1: stored 400 of A, answered only 1'],
  ['no code in the end', [attempt('0'), attempt('503')], facts(), 'T-1: never answered with a code'],
  ['an odd answer', [attempt('0'), attempt('unexpected 500 {}')], facts(), 'T-1: unexpected 500 {}'],
  ['a row out of nothing', [], facts(), 'T-1: stored, and nobody sent it'],
  ['a row twice', [attempt('0')], facts({ confirms: [CONFIRM, CONFIRM] }), 'T-1: stored 2 times'],
  ['no posting', [attempt('0')], facts({ payments: [] }), 'T-1: 0 postings'],
  ['two postings', [attempt('0')], facts({ payments: [PAYMENT, PAYMENT] }), 'T-1: 2 postings'],
  ['a balance that is off', [attempt('0')], facts({ owed: new Map([['A', 601]]) }), 'agent A: owes 601, expected 600'],
  ['a posting without confirm', [], { ...NOTHING, payments: [PAYMENT] }, 'T-1: in the ledger, and not confirmed'],
  [
    'a posting of another agent',
    [attempt('0')],
    facts({ payments: [{ ...PAYMENT, credit: 'agent_receivable:B' }] }),
    'T-1: posted as {"transactionId":"T-1","debit":"gateway_clearing:agent","credit":"agent_receivable:B","amount":400}',
  ],
])('reports %s', (_name, attempts, stored, fault) => {
  expect(journalFaults(attempts, stored, { opening: OPENING, settled: true })).toContain(fault);
});
