// Goal: a match posts the credit to the millime, one posting per channel, and clears the amounts of its items.
import { describe, expect, test } from '@jest/globals';
import { millimes } from '../../../src/kernel';
import { BANK_UNMATCHED, type Channel, GATEWAY_FEES, GATEWAY_FEES_TVA, gatewayClearing } from '../../../src/ledger';
import { payoutPostings } from '../../../src/reconciliation/payout-postings';
import type { MatchPart, PayoutMatch } from '../../../src/reconciliation/testing';

function part(itemId: string, channel: Channel, amount: number, fee = 0, tva = 0): MatchPart {
  return { itemId, channel, amount: millimes(amount), fee: millimes(fee), tva: millimes(tva), evidence: 'asserted' };
}

function matchOf(
  parts: readonly MatchPart[],
  over: Partial<Record<'fee' | 'tva' | 'remainder', number>> = {},
): PayoutMatch {
  const sum = (field: 'amount' | 'fee' | 'tva'): number => parts.reduce((total, each) => total + each[field], 0);
  return {
    id: 'M',
    lineId: 'L',
    kind: 'inferred',
    model: 'sweep-all',
    stream: 'all',
    evidence: 'inferred_by_cut',
    gross: millimes(sum('amount')),
    fee: millimes(over.fee ?? sum('fee')),
    tva: millimes(over.tva ?? sum('tva')),
    remainder: millimes(over.remainder ?? 0),
    restChannel: 'card',
    claimedError: 0,
    cut: undefined,
    parts,
    returned: undefined,
  };
}

function posted(match: PayoutMatch, timesBefore = 0) {
  const by = { occurredAt: 1, recordedAt: 2, recordedBy: 'test', timesBefore };
  return payoutPostings(match, by).all.map(({ reference, code, postings }) => ({ reference, code, postings }));
}

describe('the postings of a match', () => {
  test('are net, one for each channel by name', () => {
    const match = matchOf([part('a', 'wallet', 5_000), part('b', 'card', 200_000, 3_000, 570), part('c', 'card', 100)]);
    expect(posted(match)).toEqual([
      {
        reference: 'payout:L',
        code: 'payout',
        postings: [
          { debit: BANK_UNMATCHED, credit: gatewayClearing('card'), amount: 196_530 },
          { debit: BANK_UNMATCHED, credit: gatewayClearing('wallet'), amount: 5_000 },
        ],
      },
    ]);
  });

  test('reverse the sides for a clawback, and omit a channel with a net of 0', () => {
    const match = matchOf([
      part('a', 'card', 9_000),
      part('r', 'wallet', -4_000),
      part('p', 'pos', 5),
      part('q', 'pos', -5),
    ]);
    expect(posted(match)[0]?.postings).toEqual([
      { debit: BANK_UNMATCHED, credit: gatewayClearing('card'), amount: 9_000 },
      { debit: gatewayClearing('wallet'), credit: BANK_UNMATCHED, amount: 4_000 },
    ]);
  });

  test('post a fee of the payout to one channel, under its own reference, numbered for a repeated match', () => {
    const match = matchOf([part('a', 'card', 9_000), part('w', 'wallet', 1_000)], { fee: 100, tva: 19 });
    expect(posted(match, 1)).toEqual([
      {
        reference: 'payout:L:2',
        code: 'payout',
        postings: [
          { debit: BANK_UNMATCHED, credit: gatewayClearing('card'), amount: 8_881 },
          { debit: BANK_UNMATCHED, credit: gatewayClearing('wallet'), amount: 1_000 },
        ],
      },
      {
        reference: 'fee:L:2',
        code: 'payout_fee',
        postings: [
          { debit: GATEWAY_FEES, credit: gatewayClearing('card'), amount: 100 },
          { debit: GATEWAY_FEES_TVA, credit: gatewayClearing('card'), amount: 19 },
        ],
      },
    ]);
  });

  test('leave the remainder of a forced match in the clearing', () => {
    expect(posted(matchOf([part('a', 'card', 9_000)], { remainder: -40 }))[0]?.postings).toEqual([
      { debit: BANK_UNMATCHED, credit: gatewayClearing('card'), amount: 8_960 },
    ]);
  });

  test('refuse a match whose channels all have a net of 0', () => {
    expect(() => posted(matchOf([part('p', 'pos', 5), part('q', 'pos', -5)]))).toThrow('a credit is worth something');
  });
});
