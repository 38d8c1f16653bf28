// Goal: a status check that contradicts a match is reported once per match; a difference of two clocks is no evidence.
import { describe, expect, test } from '@jest/globals';
import { businessCalendar, businessDate, millimes, MINUTE_MS } from '../../../src/kernel';
import type { Observation } from '../../../src/payout-inference';
import { findContradictions } from '../../../src/reconciliation/find-contradictions';
import type { StoredMatch } from '../../../src/reconciliation/testing';

const CALENDAR = businessCalendar('Africa/Tunis');
const CUT = { after: Date.parse('2026-03-02T10:00:00Z'), until: Date.parse('2026-03-02T11:00:00Z') };

const MATCH: StoredMatch = {
  id: 'M1',
  lineId: 'L1',
  kind: 'inferred',
  model: 'sweep-all',
  stream: 'all',
  evidence: 'inferred_by_cut',
  gross: millimes(10),
  fee: millimes(0),
  tva: millimes(0),
  remainder: millimes(0),
  restChannel: 'card',
  claimedError: 0,
  cut: CUT,
  parts: [
    ...(['a', 'b'] as const).map((itemId) => ({
      itemId,
      channel: 'card' as const,
      amount: millimes(5),
      fee: millimes(0),
      tva: millimes(0),
      evidence: 'inferred_by_cut' as const,
    })),
  ],
  returned: undefined,
  runId: 'R',
  recordedAt: 0,
};
const CREDIT = {
  lineId: 'L1',
  account: '1',
  bookingDate: businessDate('2026-03-03'),
  valueDate: undefined,
  amount: millimes(10),
  counterparty: '',
  remittance: '',
  importedAt: 0,
};

function seen(itemId: string, settlementStatus: string, observedAt: number): Observation {
  return { itemId, observedAt, status: 'SUCCESS', settlementStatus };
}

function found(observations: readonly Observation[], match = MATCH) {
  return findContradictions({ matches: [match], observations, credits: [CREDIT] }, CALENDAR);
}

describe('an observation of a matched item', () => {
  test('contradicts if it was available after the cut, or paid before it: one break for the match', () => {
    const looks = [seen('b', 'AVAILABLE', CUT.until + 3 * MINUTE_MS), seen('a', 'PAID', CUT.after - 3 * MINUTE_MS)];
    expect(found(looks)).toEqual([
      {
        fingerprint: 'ambiguous_payout:contradicted:M1',
        breakClass: 'ambiguous_payout',
        since: '2026-03-02',
        amount: 10,
        direction: 'unknown',
        subject: {
          itemIds: ['a', 'b'],
          lineIds: ['L1'],
          facts: { matchId: 'M1', seen: 'PAID', evidence: 'inferred_by_cut' },
        },
      },
    ]);
  });

  test.each([
    ['available before the cut ends', seen('a', 'AVAILABLE', CUT.until - 1)],
    ['available within the error of two clocks', seen('a', 'AVAILABLE', CUT.until + MINUTE_MS)],
    ['paid after the cut', seen('a', 'PAID', CUT.until + 1)],
    ['on its way at any time', seen('a', 'IN_PAYOUT', CUT.after - 9 * MINUTE_MS)],
    ['refunded since', seen('a', 'NOT_APPLICABLE', CUT.until + 9 * MINUTE_MS)],
    ['of an item that is not matched', seen('z', 'AVAILABLE', CUT.until + 9 * MINUTE_MS)],
  ])('agrees when it was %s', (_what, look) => {
    expect(found([look])).toEqual([]);
  });

  test('contradicts nothing in a channel whose items stay available', () => {
    const parts = MATCH.parts.map((part) => ({ ...part, channel: 'pos' as const }));
    expect(found([seen('a', 'AVAILABLE', CUT.until + 9 * MINUTE_MS)], { ...MATCH, parts })).toEqual([]);
  });

  test('contradicts no match by a person, which has no cut', () => {
    expect(found([seen('a', 'AVAILABLE', CUT.until + 9 * MINUTE_MS)], { ...MATCH, cut: undefined })).toEqual([]);
  });
});
