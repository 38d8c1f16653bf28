import { describe, expect, test } from '@jest/globals';
import { addDays, millimes } from '../../../src/kernel';
import type { BankLine } from '../../../src/payout-inference';
import { findReturnedPayouts, saysReturned } from '../../../src/payout-inference/find-returned-payouts';
import { aGrid, FIRST_DATE } from './a-stream';

const GRID = aGrid({ days: 60 });

describe('payouts that the bank debited back', () => {
  test('are found with the credit that replaced them', () => {
    expect(find([line('in', 1, 9_000), line('back', 3, -9_000, 'REJET'), line('again', 4, 9_000)])).toEqual([
      { lineId: 'in', debitLineId: 'back', paidAgainLineId: 'again', orElse: [] },
    ]);
  });

  test('are found where no second credit came', () => {
    expect(find([line('in', 1, 9_000), line('back', 3, -9_000, 'REJET')])).toEqual([
      { lineId: 'in', debitLineId: 'back', paidAgainLineId: undefined, orElse: [] },
    ]);
  });

  test('are the last credit of the amount before the debit, not an earlier one', () => {
    const found = find([line('first', 1, 9_000), line('second', 2, 9_000), line('back', 3, -9_000, 'REJET')]);
    expect(found.map(({ lineId, orElse }) => [lineId, orElse])).toEqual([['second', ['first']]]);
  });

  test('are the one that the debit names, among several of the amount', () => {
    const lines = [line('first', 1, 9_000, 'PAYOUT 17'), line('second', 2, 9_000, 'PAYOUT 18')];
    const found = find([...lines, line('back', 3, -9_000, 'REJET PAYOUT 17')]);
    expect(found.map(({ lineId, orElse }) => [lineId, orElse])).toEqual([['first', []]]);
  });

  test('are each returned once: a second debit takes back another credit', () => {
    const lines = [
      line('first', 1, 9_000),
      line('second', 2, 9_000),
      line('a', 3, -9_000, 'REJET'),
      line('b', 4, -9_000, 'REJET'),
    ];
    expect(find(lines).map(({ lineId, debitLineId }) => [lineId, debitLineId])).toEqual([
      ['second', 'a'],
      ['first', 'b'],
    ]);
  });

  test('are given back once more when they came again', () => {
    const lines = [
      ...[line('in', 1, 9_000), line('back', 2, -9_000, 'REJET'), line('again', 3, 9_000)],
      ...[line('back2', 4, -9_000, 'REJET'), line('third', 5, 9_000)],
    ];
    expect(find(lines).map(({ lineId, paidAgainLineId }) => [lineId, paidAgainLineId])).toEqual([
      ['in', 'again'],
      ['again', 'third'],
    ]);
  });

  test.each<[string, BankLine[]]>([
    ['a debit of another amount', [line('in', 1, 9_000), line('back', 3, -9_001, 'REJET')]],
    ['a debit before the credit', [line('back', 1, -9_000, 'REJET'), line('in', 3, 9_000)]],
    ['a debit weeks later', [line('in', 1, 9_000), line('back', 29, -9_000, 'REJET')]],
    [
      'a debit to another party that does not say so',
      [line('in', 1, 9_000), line('rent', 3, -9_000, 'LOYER', 'LANDLORD')],
    ],
  ])('are not found in %s', (_what, lines) => {
    expect(find(lines)).toEqual([]);
  });

  test.each<[string, BankLine]>([
    ['of another party with another text', line('other', 4, 9_000, 'FACTURE', 'CUSTOMER')],
    ['of weeks later', line('later', 40, 9_000)],
    ['of another amount', line('less', 4, 8_999)],
  ])('are not paid again by a credit %s', (_what, other) => {
    const [found] = find([line('in', 1, 9_000), line('back', 3, -9_000, 'REJET'), other]);
    expect(found).toMatchObject({ lineId: 'in', paidAgainLineId: undefined });
  });
});

describe('a debit', () => {
  const credit = { counterparty: 'Gateway', remittance: 'PAYOUT 17' };

  test.each([
    ['says it in its text', { counterparty: '', remittance: 'RETOUR VIR' }],
    ['says it in other letters', { counterparty: '', remittance: 'virement rejeté' }],
    ['names the party', { counterparty: ' GATEWAY ', remittance: '' }],
    ['names the transfer', { counterparty: '', remittance: 'vir payout 17 du 03/03' }],
  ])('gives a credit back where it %s', (_what, debit) => {
    expect(saysReturned(debit, credit)).toBe(true);
  });

  test.each([
    ['nothing is said', { counterparty: '', remittance: '' }],
    ['a word only holds one', { counterparty: 'PROJET SARL', remittance: '' }],
  ])('gives back no credit where %s', (_what, debit) => {
    expect(saysReturned(debit, credit)).toBe(false);
    expect(saysReturned(debit, { counterparty: '', remittance: '' })).toBe(false);
  });
});

function find(lines: readonly BankLine[]): ReturnType<typeof findReturnedPayouts> {
  return findReturnedPayouts(lines, GRID);
}

function line(lineId: string, day: number, amount: number, remittance = 'PAYOUT', counterparty = 'GATEWAY'): BankLine {
  const date = addDays(FIRST_DATE, day);
  return { lineId, bookingDate: date, valueDate: date, amount: millimes(amount), counterparty, remittance };
}
