import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareBytes, millimes } from '../../../src/kernel';
import {
  agentReceivable,
  BANK_UNMATCHED,
  bankAccount,
  DUES_ASSESSED,
  gatewayClearing,
  OPENING_BALANCES,
} from '../../../src/ledger';
import { keepsBalance, toAccount } from '../../../src/ledger/accounts';
import { balanceChanges, type NewLedgerTransaction, swapped } from '../../../src/ledger/ledger-transaction';

const accounts = [
  agentReceivable('1'),
  agentReceivable('é'),
  agentReceivable('a'),
  gatewayClearing('agent'),
  DUES_ASSESSED,
];

const aPosting = fc
  .record({
    debit: fc.constantFrom(...accounts),
    credit: fc.constantFrom(...accounts),
    amount: fc.integer({ min: 1, max: 1_000_000 }).map(millimes),
  })
  .filter(({ debit, credit }) => debit !== credit);

const transactionOf = (postings: NewLedgerTransaction['postings']): NewLedgerTransaction => ({
  id: 'id',
  reference: 'reference',
  code: 'due_assessed',
  occurredAt: 0,
  recordedAt: 0,
  recordedBy: 'test',
  postings,
});

describe('the effect of postings on stored balances', () => {
  test('is undone by posting them reversed', () => {
    fc.assert(
      fc.property(fc.array(aPosting, { minLength: 1 }), (postings) => {
        const changes = balanceChanges([transactionOf(postings), transactionOf(swapped(postings))]);
        expect(changes.every(([, change]) => change === 0)).toBe(true);
      }),
    );
  });

  test('is stated once per agent, in byte order, and balances with the other accounts', () => {
    fc.assert(
      fc.property(fc.array(aPosting, { minLength: 1 }), (postings) => {
        const changes = balanceChanges([transactionOf(postings)]);
        const names = changes.map(([account]) => account);
        expect(names).toEqual([...new Set(names)].sort(compareBytes));
        const others = postings.reduce(
          (sum, { debit, credit, amount }) =>
            sum + (keepsBalance(debit) ? 0 : amount) - (keepsBalance(credit) ? 0 : amount),
          0,
        );
        expect(changes.reduce((sum, [, change]) => sum + change, 0) + others).toBe(0);
      }),
    );
  });
});

describe('the chart of accounts', () => {
  test.each([
    [agentReceivable('a:b'), true],
    [gatewayClearing('card'), false],
    [bankAccount('1'), false],
    [BANK_UNMATCHED, false],
    [DUES_ASSESSED, false],
    [OPENING_BALANCES, false],
  ])('has %s, and keeps its balance in a row: %p', (account, kept) => {
    expect(toAccount(account)).toBe(account);
    expect(keepsBalance(account)).toBe(kept);
  });

  test.each(['', 'bank2:1', 'agent_receivabl', 7])('has no account %p', (name) => {
    expect(() => toAccount(name)).toThrow();
  });
});
