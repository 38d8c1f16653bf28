import type { Session } from '../db';
import { assert, type Instant } from '../kernel';
import type { Movements } from './clearing-movements-read-model';
import {
  feesOfUnpaidItems,
  feesPaidAhead,
  forcedRemainders,
  itemsPaidAhead,
  unpaidItems,
} from './unpaid-items-read-model';

/**
 * - `unpaid_items`: items that no payout has paid; `fees_posted`: their posted fees.
 * - `paid_ahead`: items that a payout paid before their own day, or before the bank returned their first payout;
 *   `fees_ahead`: fees that such a payout deducted.
 * - `forced`: remainders of forced matches.
 * - `written_off`, `corrected`: all write-offs of two people, and all other postings, since the ledger began.
 * - `unexplained`: the rest; computed, never balanced.
 */
export type ClearingPartLabel =
  'unpaid_items' | 'fees_posted' | 'paid_ahead' | 'fees_ahead' | 'forced' | 'written_off' | 'corrected' | 'unexplained';

export interface ClearingPart {
  readonly label: ClearingPartLabel;
  readonly items: number | undefined;
  readonly amount: bigint;
}

/** Splits the balances of the clearing accounts at one instant. */
export interface ClearingParts {
  /** The channels with unpaid items. */
  readonly channels: readonly string[];
  /** Returns the parts of a balance that are not 0, and the unexplained rest. `total` is every movement until then. */
  parts(channel: string, balance: bigint, total: Movements): ClearingPart[];
}

/** Reads what the balances before `end` consist of. In millimes. */
export async function clearingParts(session: Session, end: Instant): Promise<ClearingParts> {
  const unpaid = new Map((await unpaidItems(session, end, [])).map((each) => [each.channel, each]));
  const fees = await feesOfUnpaidItems(session, end);
  const forced = await forcedRemainders(session, end);
  const ahead = await itemsPaidAhead(session, end);
  const feesAhead = await feesPaidAhead(session, end);
  return {
    channels: [...unpaid.keys()],
    parts(channel, balance, { writtenOff, corrected }) {
      const { count, amount } = unpaid.get(channel) ?? { count: 0, amount: 0n };
      return withRest(balance, [
        { label: 'unpaid_items', items: count, amount },
        { label: 'fees_posted', items: undefined, amount: -(fees.get(channel) ?? 0n) },
        { label: 'paid_ahead', items: undefined, amount: ahead.get(channel) ?? 0n },
        { label: 'fees_ahead', items: undefined, amount: feesAhead.get(channel) ?? 0n },
        { label: 'forced', items: undefined, amount: forced.get(channel) ?? 0n },
        { label: 'written_off', items: undefined, amount: writtenOff },
        { label: 'corrected', items: undefined, amount: corrected },
      ]);
    },
  };
}

function withRest(balance: bigint, known: readonly ClearingPart[]): ClearingPart[] {
  const left = known.reduce((rest, { amount }) => rest - amount, balance);
  const parts: ClearingPart[] = [
    ...known.filter(({ amount, items }) => amount !== 0n || (items ?? 0) > 0),
    { label: 'unexplained', items: undefined, amount: left },
  ];
  assert(parts.reduce((sum, { amount }) => sum + amount, 0n) === balance, 'the parts are the balance');
  return parts;
}
