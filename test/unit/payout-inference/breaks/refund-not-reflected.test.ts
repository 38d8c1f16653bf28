import { describe, expect, test } from '@jest/globals';
import { credit, dailyPayouts, fingerprints, judge, unpaid } from './judged-file';

describe('a refund that no payout took back', () => {
  const paid = unpaid('a', '2026-03-02 10:00', 100, { lineId: 'payout-2026-03-02', evidence: 'inferred_by_cut' });
  const refund = unpaid('a-back', '2026-03-04 10:00', -100, { refundOf: 'a' });

  test('is a break when a payout that was cut later is understood', () => {
    const credits = dailyPayouts('2026-03-02', '2026-03-04');
    expect(judge({ items: [paid, refund], credits }).breaks).toEqual([
      {
        fingerprint: 'refund_not_reflected:a-back',
        breakClass: 'refund_not_reflected',
        amount: -100,
        itemIds: ['a-back'],
        lineIds: [],
        since: '2026-03-05',
      },
    ]);
  });

  test('is none while its own cut is to come', () => {
    const credits = dailyPayouts('2026-03-02', '2026-03-03');
    const result = judge({ items: [paid, refund], credits });
    expect(result.breaks).toEqual([]);
    expect(result.items.map(({ state }) => state)).toEqual(['settled', 'pending']);
  });

  test('lacks in the bank like a payment when the payouts stopped before it', () => {
    const credits = dailyPayouts('2026-03-02', '2026-03-03');
    expect(fingerprints(judge({ items: [paid, refund], credits }, '2026-03-31'))).toEqual([
      'missing_in_bank:all:2026-03-04',
    ]);
  });

  test('is a break as well when its payment is older than the file', () => {
    const credits = dailyPayouts('2026-03-02', '2026-03-04');
    expect(fingerprints(judge({ items: [refund], credits }))).toEqual(['refund_not_reflected:a-back']);
  });

  test('opens no break for a full refund of an unpaid payment', () => {
    const credits = dailyPayouts('2026-03-02', '2026-03-31', ['2026-03-03', '2026-03-04']);
    const items = [unpaid('b', '2026-03-03 10:00', 300), unpaid('b-back', '2026-03-04 10:00', -300, { refundOf: 'b' })];
    expect(fingerprints(judge({ items, credits }))).toEqual([]);
  });

  test('belongs to the missing payout of its payment when it gives back a part of it', () => {
    const credits = dailyPayouts('2026-03-02', '2026-03-31', ['2026-03-03', '2026-03-04']);
    const items = [unpaid('b', '2026-03-03 10:00', 300), unpaid('b-back', '2026-03-04 10:00', -200, { refundOf: 'b' })];
    expect(fingerprints(judge({ items, credits }))).toEqual([
      'missing_in_bank:all:2026-03-03',
      'missing_in_bank:all:2026-03-04',
    ]);
  });

  test('belongs to a missing payout when payments before and after it were not paid either', () => {
    const credits = dailyPayouts('2026-03-02', '2026-03-31', ['2026-03-03']);
    const items = [
      paid,
      unpaid('b', '2026-03-03 10:00', 300),
      unpaid('a-back', '2026-03-03 11:00', -100, { refundOf: 'a' }),
      unpaid('c', '2026-03-03 12:00', 400),
    ];
    expect(fingerprints(judge({ items, credits }))).toEqual(['missing_in_bank:all:2026-03-03']);
  });

  test('is not reported while an ambiguous credit may have taken it', () => {
    const credits = [
      ...dailyPayouts('2026-03-02', '2026-03-05', ['2026-03-04']),
      credit('open', '2026-03-05', 50, { outcome: 'ambiguous', stream: 'all' }),
    ];
    expect(fingerprints(judge({ items: [paid, refund], credits }))).toEqual(['ambiguous_payout:open']);
  });
});
