import type { Channel } from '../../ledger';

/** The effect of an observed settlement status on the stored one. */
export type SettlementStep =
  | { readonly kind: 'moved'; readonly status: string }
  | { readonly kind: 'unchanged' }
  /** A payout was returned: the state follows the money back, and a person is notified. */
  | { readonly kind: 'came_back'; readonly status: string }
  /**
   * The interface does not allow it for this channel, or after this state: the state stays, and a person is notified.
   */
  | { readonly kind: 'refused' };

/** The states of card money, in order (interface section 3.3). */
const WAY = ['PROCESSING', 'AVAILABLE', 'IN_PAYOUT', 'PAID'] as const;
const ALL: readonly string[] = WAY;
const INSTANT: readonly string[] = ['AVAILABLE'];

/** The states that a channel may show: all of them for a card payment, and for a type that is not known yet. */
const OF_CHANNEL: Partial<Record<Channel, readonly string[]>> = {
  wallet: INSTANT,
  mpayment: INSTANT,
  pos: ['PROCESSING', 'AVAILABLE'],
};

const OUTSIDE = 'NOT_APPLICABLE';
const FIRST_OF_PAYOUT = WAY.indexOf('IN_PAYOUT');

/**
 * Returns the next settlement status of an item (interface section 3.3, open points 46 and 47). A missing status
 * changes nothing. NOT_APPLICABLE may follow and precede every state: it applies before authorization and after a
 * refund, even after PAID. Skipping states that no check saw is a step forward. Pure.
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
