import { expect, test } from '@jest/globals';
import { type BusinessDate, businessDate } from '../../../src/kernel';
import type { PastPayout, Stream } from '../../../src/payout-inference';
import { channelsOf, groupOf, groupsBefore, streamOf } from '../../../src/payout-inference/channel-groups';

// Goal: a group has one name, and earlier payouts tell the groups, whatever the order.

const DAY: BusinessDate = businessDate('2026-03-03');
const paid = (stream: Stream, until: number): PastPayout => ({
  stream,
  cut: { after: until - 1, until },
  bookingDate: DAY,
});

test('names a group by its channels in one order', () => {
  expect(groupOf(['mpayment', 'wallet'])).toBe('wallet+mpayment');
  expect(groupOf(['card'])).toBe('card');
  expect(channelsOf('wallet+mpayment')).toEqual(['wallet', 'mpayment']);
  expect([channelsOf('all'), channelsOf('item')]).toEqual([[], []]);
});

test.each([
  [{ model: 'sweep-all' } as const, 'all'],
  [{ model: 'per-item' } as const, 'item'],
  [{ model: 'sweep-per-channel' } as const, 'wallet'],
  [{ model: 'sweep-by-group', groups: ['card', 'wallet+mpayment'] } as const, 'wallet+mpayment'],
  [{ model: 'sweep-by-group', groups: ['card+mpayment'] } as const, 'wallet'],
])('returns the stream of a channel under %j', (model, stream) => {
  expect(streamOf(model, 'wallet')).toBe(stream);
});

test('takes the groups of the latest payouts, and each other channel alone', () => {
  const payouts = [paid('wallet+mpayment', 1), paid('card', 2), paid('wallet+mpayment+qr', 3), paid('all', 4)];
  const groups = ['wallet+mpayment+qr', 'card', 'agent', 'pos', 'subscription'];
  expect(groupsBefore({ model: 'sweep-by-group', payouts })).toEqual(groups);
  expect(groupsBefore({ model: 'sweep-by-group', payouts: [...payouts].reverse() })).toEqual(groups);
  expect(groupsBefore({ model: 'sweep-per-channel', payouts })).toBeUndefined();
  expect(groupsBefore(undefined)).toBeUndefined();
});
