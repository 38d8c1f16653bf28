import { assert, type Instant, type Millimes, millimes, newId, ZERO_MILLIMES } from '../kernel';
import {
  BANK_UNMATCHED,
  type Channel,
  GATEWAY_FEES,
  GATEWAY_FEES_TVA,
  gatewayClearing,
  moved,
  type NewLedgerTransaction,
} from '../ledger';
import type { PayoutMatch } from './match';

/** Facts that every ledger transaction of a match shares. */
export interface PostedWith {
  /** The first instant of the day on which the bank booked the credit. */
  readonly occurredAt: Instant;
  readonly recordedAt: Instant;
  readonly recordedBy: string;
  /** The number of earlier matches of the credit. */
  readonly timesBefore: number;
}

export function payoutReference(lineId: string, timesBefore: number): string {
  return numbered(`payout:${lineId}`, timesBefore);
}

export function payoutFeeReference(lineId: string, timesBefore: number): string {
  return numbered(`fee:${lineId}`, timesBefore);
}

/** Returns the reference of the reversal of a payout. */
export function payoutBackReference(matchId: string): string {
  return `payout-back:${matchId}`;
}

function numbered(reference: string, timesBefore: number): string {
  return timesBefore === 0 ? reference : `${reference}:${timesBefore + 1}`;
}

/** Returns the fee on the payout as a whole and its TVA, which belong to no item. */
export function restOf({ fee, tva, parts }: PayoutMatch): { readonly fee: Millimes; readonly tva: Millimes } {
  return {
    fee: millimes(parts.reduce((left, part) => left - part.fee, Number(fee))),
    tva: millimes(parts.reduce((left, part) => left - part.tva, Number(tva))),
  };
}

/**
 * Returns the ledger transactions of a match: the net payout with one posting per channel, and the fee on the payout as
 * a whole, if any. Together with the fees of the items they clear the amounts of the items. Pure except for ids.
 */
export function payoutPostings(
  match: PayoutMatch,
  by: PostedWith,
): { payout: NewLedgerTransaction; all: NewLedgerTransaction[] } {
  const { timesBefore, ...facts } = by;
  const postings = [...netByChannel(match)]
    .filter(([, net]) => net !== 0)
    .map(([channel, net]) => moved(BANK_UNMATCHED, gatewayClearing(channel), net));
  assert(postings.length > 0, 'a credit is worth something');
  const payout: NewLedgerTransaction = {
    id: newId(),
    reference: payoutReference(match.lineId, timesBefore),
    code: 'payout',
    ...facts,
    postings,
  };
  const rest = restOf(match);
  const clearing = gatewayClearing(match.restChannel);
  const ofFee = [
    ...(rest.fee === ZERO_MILLIMES ? [] : [moved(GATEWAY_FEES, clearing, rest.fee)]),
    ...(rest.tva === ZERO_MILLIMES ? [] : [moved(GATEWAY_FEES_TVA, clearing, rest.tva)]),
  ];
  if (ofFee.length === 0) return { payout, all: [payout] };
  const reference = payoutFeeReference(match.lineId, timesBefore);
  return { payout, all: [payout, { id: newId(), reference, code: 'payout_fee', ...facts, postings: ofFee }] };
}

/** Returns the net amount per channel, by name; one channel bears the rest that belongs to no item. */
function netByChannel(match: PayoutMatch): [Channel, Millimes][] {
  const { parts, restChannel, remainder } = match;
  const rest = restOf(match);
  const nets = new Map<Channel, number>([[restChannel, remainder - rest.fee - rest.tva]]);
  for (const { channel, amount, fee, tva } of parts) {
    nets.set(channel, (nets.get(channel) ?? 0) + amount - fee - tva);
  }
  return [...nets].sort(([a], [b]) => (a < b ? -1 : 1)).map(([channel, net]) => [channel, millimes(net)]);
}
