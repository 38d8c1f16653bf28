import type { Channel } from '../../ledger';

/** What a settlement status that was read does to the one that is known. */
export type SettlementStep =
  | { readonly kind: 'moved'; readonly status: string }
  | { readonly kind: 'unchanged' }
  /** A payout came back: the money is here again, so the state follows it, and a person is told. */
  | { readonly kind: 'came_back'; readonly status: string }
  /** What the interface does not allow to this channel, or after this state: the state stays, and a person is told. */
  | { readonly kind: 'refused' };

/** The card's way, in order (interface 3.3). */
const WAY = ['PROCESSING', 'AVAILABLE', 'IN_PAYOUT', 'PAID'] as const;
const ALL: readonly string[] = WAY;
const INSTANT: readonly string[] = ['AVAILABLE'];

/** Which of the way's states a channel may show: without a word all, for a card payment whose type is not told yet. */
const OF_CHANNEL: Partial<Record<Channel, readonly string[]>> = {
  wallet: INSTANT,
  mpayment: INSTANT,
  pos: ['PROCESSING', 'AVAILABLE'],
};

const OUTSIDE = 'NOT_APPLICABLE';
const FIRST_OF_PAYOUT = WAY.indexOf('IN_PAYOUT');

/**
 * The next settlement status of an item (interface 3.3, open points 46 and 47). A status that the gateway did not say
 * changes nothing. NOT_APPLICABLE may follow and precede every state: it is said of what is not authorized yet and of
 * what was refunded, after PAID too. A step over states that no check saw is a step forward. Pure.
 */
export function nextSettlementStatus(
  channel: Channel,
  current: string | undefined,
  observed: string | undefined,
): SettlementStep {
  if (observed === undefined) return { kind: 'unchanged' };
  if (observed === OUTSIDE) return current === OUTSIDE ? { kind: 'unchanged' } : { kind: 'moved', status: observed };
  if (!(OF_CHANNEL[channel] ?? ALL).includes(observed)) return { kind: 'refused' };
  if (current === observed) return { kind: 'unchanged' };
  const from = current === undefined ? -1 : ALL.indexOf(current);
  const to = ALL.indexOf(observed);
  if (to > from) return { kind: 'moved', status: observed };
  return from >= FIRST_OF_PAYOUT && observed !== 'PROCESSING'
    ? { kind: 'came_back', status: observed }
    : { kind: 'refused' };
}
