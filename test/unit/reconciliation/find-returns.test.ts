// Goal: a match is dropped only for a debit that can refer to no other credit.
// Method: the pure function over a few lines, each case one change from a plain return.
import { expect, test } from '@jest/globals';
import { businessDate, millimes, WorkingDays } from '../../../src/kernel';
import { findReturns, type ReturnFacts } from '../../../src/reconciliation/find-returns';
import type { StoredMatch } from '../../../src/reconciliation/testing';
import type { PayoutCandidate } from '../../../src/statements';

const ANY_MATCH: Omit<StoredMatch, 'lineId'> = {
  ...{ id: 'match', kind: 'inferred', model: 'sweep-all', stream: 'all', evidence: 'inferred_by_cut' },
  ...{ gross: millimes(500), fee: millimes(0), tva: millimes(0), remainder: millimes(0), restChannel: 'card' },
  ...{ claimedError: 0, cut: undefined, parts: [], returned: undefined, runId: undefined, recordedAt: 0 },
};

function aLine(lineId: string, day: string, amount: number, more: Partial<PayoutCandidate> = {}): PayoutCandidate {
  const texts = { counterparty: 'GATEWAY', remittance: `VIR ${lineId}`, account: '1', importedAt: 0 };
  const bookingDate = businessDate(day);
  return { lineId, bookingDate, valueDate: bookingDate, amount: millimes(amount), ...texts, ...more };
}

const CREDIT = aLine('credit', '2026-03-03', 500);
const DEBIT = aLine('debit', '2026-03-05', -500);

function returnsOf(more: Partial<ReturnFacts> = {}): string[][] {
  const facts = {
    credits: [CREDIT],
    debits: [DEBIT],
    matches: [{ ...ANY_MATCH, lineId: 'credit' }],
    unmatched: [],
    ...more,
  };
  return findReturns(facts, new WorkingDays([])).map(({ match, debit }) => [match.lineId, debit.lineId]);
}

test('reverses the match for a debit of the amount by the same party', () => {
  expect(returnsOf()).toEqual([['credit', 'debit']]);
});

test.each<[string, Partial<PayoutCandidate>, number]>([
  ['says so in its text', { counterparty: 'BANK', remittance: 'REJET VIREMENT' }, 1],
  ['names the transfer', { counterparty: 'BANK', remittance: 'ANNULE vir credit' }, 1],
  ['names the transfer and nothing else', { counterparty: '', remittance: 'Vir Credit du 3' }, 1],
  ['is of another party', { counterparty: 'LANDLORD', remittance: 'LOYER' }, 0],
  ['is of another account', { account: '2' }, 0],
  ['is of another amount', { amount: millimes(-501) }, 0],
  ['is booked before', { bookingDate: businessDate('2026-03-02') }, 0],
  ['is booked ten working days after', { bookingDate: businessDate('2026-03-17') }, 1],
  ['is booked eleven working days after', { bookingDate: businessDate('2026-03-18') }, 0],
])('a debit that %s', (_, change, found) => {
  expect(returnsOf({ debits: [{ ...DEBIT, ...change }] })).toHaveLength(found);
});

test('reverses none of two possible credits, whether the other is matched or not', () => {
  const credits = [CREDIT, aLine('other', '2026-03-04', 500)];
  expect(returnsOf({ credits })).toEqual([]);
  const matches = ['credit', 'other'].map((lineId) => ({ ...ANY_MATCH, id: lineId, lineId }));
  expect(returnsOf({ credits, matches })).toEqual([]);
});

test('uses none of two possible debits', () => {
  expect(returnsOf({ debits: [DEBIT, aLine('twin', '2026-03-06', -500)] })).toEqual([]);
});

test('ignores the lines of known returns', () => {
  const returned = { creditLineId: 'gone', debitLineId: 'debit' };
  const again = { ...ANY_MATCH, lineId: 'credit', returned };
  expect(returnsOf({ matches: [again] })).toEqual([]);
  const unmatched = [
    { matchId: 'm', lineId: 'other', kind: 'returned' as const, debitLineId: 'before', recordedAt: 0 },
  ];
  const credits = [CREDIT, aLine('other', '2026-03-03', 500)];
  const debits = [DEBIT, aLine('before', '2026-03-04', -500)];
  expect(returnsOf({ credits, debits, unmatched })).toEqual([['credit', 'debit']]);
});
