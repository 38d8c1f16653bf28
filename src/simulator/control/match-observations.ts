import type { Instant } from '../../kernel';
import type { World } from '../core/world';
import type { ItemObservation, ListedItem } from '../payouts/match-files';
import type { PayableItem } from '../payouts/payable-item';
import type { Payout } from '../payouts/payout';

// Simulates an integrator that checks every payment each half hour, which is enough to test a matcher.

const CHECK_INTERVAL_MS = 30 * 60_000;

interface Seen {
  readonly at: Instant;
  readonly settlementStatus: 'PROCESSING' | 'AVAILABLE' | 'IN_PAYOUT' | 'PAID';
}

/** Returns the items that the integrator knows by now, and when it saw card money become available. */
export function matchItems({ earned, now }: World): ListedItem[] {
  return earned
    .filter(({ succeededAt }) => succeededAt <= now)
    .map((item) => {
      const until = nextCheckFrom(item.availableAt);
      if (!waits(item) || until > now) return item;
      return { ...item, seenAvailable: { after: Math.max(item.succeededAt, until - CHECK_INTERVAL_MS), until } };
    });
}

/** Returns the first observation of each settlement status of each payment. Agents' money and refunds have none. */
export function matchObservations({ earned, payoutBook, now }: World): ItemObservation[] {
  const payouts = new Map(payoutBook.payouts.flatMap((payout) => payout.lines.map((line) => [line.itemId, payout])));
  return earned
    .filter(({ channel, refundOf }) => channel !== 'agent' && refundOf === undefined)
    .flatMap((item) =>
      seenOf(item, payouts.get(item.itemId)).map((seen) => ({ item, ...seen, at: nextCheckFrom(seen.at) })),
    )
    .filter(({ at }) => at <= now)
    .filter(({ item, at }, index, all) => {
      const next = all[index + 1];
      return next?.item !== item || next.at > at; // if two changes fall between two checks, only the later one is seen
    })
    .map(({ item, at, settlementStatus }) => ({
      itemId: item.itemId,
      observedAt: at,
      status: item.channel === 'pos' ? 'PS' : 'SUCCESS',
      settlementStatus,
    }))
    .sort((a, b) => a.observedAt - b.observedAt);
}

/** Returns the observed statuses. Only cards pass through all of them (interface section 3.3). */
function seenOf(item: PayableItem, payout: Payout | undefined): Seen[] {
  const { channel, succeededAt, availableAt } = item;
  const available: Seen = { at: availableAt, settlementStatus: 'AVAILABLE' };
  const before: Seen[] = waits(item) ? [{ at: succeededAt, settlementStatus: 'PROCESSING' }] : [];
  const after: Seen[] =
    channel !== 'card' || payout === undefined
      ? []
      : [
          { at: payout.cutAt, settlementStatus: 'IN_PAYOUT' },
          { at: payout.transferAt, settlementStatus: 'PAID' },
        ];
  return [...before, available, ...after];
}

function waits({ channel, refundOf, succeededAt, availableAt }: PayableItem): boolean {
  return channel === 'card' && refundOf === undefined && availableAt > succeededAt;
}

function nextCheckFrom(at: Instant): Instant {
  return Math.ceil(at / CHECK_INTERVAL_MS) * CHECK_INTERVAL_MS;
}
