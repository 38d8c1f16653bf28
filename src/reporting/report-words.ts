import type { BreakEnd } from './break-ends-read-model';

// What the page says instead of the stored words. A word that is not listed is shown as it is stored.

const EVIDENCE_WORDS: Readonly<Record<string, string>> = {
  reported: 'The gateway or the bank names the payments.',
  inferred_by_tracer: 'A payment whose payout is known shows which others were paid with it.',
  inferred_by_cut: 'The payments between two closing times of the gateway add up to the credit.',
  inferred_by_sum: 'Only these payments add up to the credit.',
  asserted: 'A person named the payments.',
};

const BREAK_WORDS: Readonly<Record<string, string>> = {
  ambiguous_payout: 'credit with several explanations',
  amount_differs: 'credit whose amount differs',
  clearing_unexplained: 'unexplained amount of the gateway',
  conflicting_duplicate: 'one transaction with two contents',
  duplicate_charge_period: 'subscription charged twice',
  fee_unexplained: 'fee that changed',
  late_settlement: 'card money that is late',
  late_success: 'late success',
  missing_in_bank: 'payments that the bank has not received',
  missing_in_book: 'credit without payments',
  outcome_unknown: 'request with an unknown outcome',
  paid_but_rejected: 'money for an unknown agent',
  pos_unknown: 'terminal payment without an end',
  qr_paid_twice: 'QR code paid twice',
  refund_not_reflected: 'refund that only one side shows',
  returned_payout: 'payout returned by the bank',
  settlement_regressed: 'status withdrawn by the gateway',
  statement_gap: 'missing bank statement',
  webhook_mismatch: 'payment that differs from its request',
};

const CHANNEL_WORDS: Readonly<Record<string, string>> = {
  agent: 'agents',
  card: 'cards',
  wallet: 'wallets',
  mpayment: 'mobile payment',
  pos: 'terminals',
  qr: 'QR codes',
  subscription: 'subscriptions',
};

/** The resolutions of breaks. */
const END_WORDS: Readonly<Record<string, string>> = {
  written_off: 'written off',
  force_matched: 'matched by two people',
  accepted: 'accepted',
  by_hand: 'resolved',
  disappeared: 'no longer found',
};

/** Describes how a break has ended since: `written off on 2026-11-23, booked that day`. */
export function breakEndText({ resolution, endedOn, bookedOn }: BreakEnd): string {
  const words = `${END_WORDS[resolution] ?? `resolved (${resolution})`} on ${endedOn}`;
  if (bookedOn === undefined) return words;
  return `${words}, booked ${bookedOn === endedOn ? 'that day' : `on ${bookedOn}`}`;
}

/** Explains in one sentence how a match is known. */
export function evidenceWords(evidence: string): string {
  return EVIDENCE_WORDS[evidence] ?? evidence;
}

export function breakWords(breakClass: string): string {
  return BREAK_WORDS[breakClass] ?? breakClass;
}

export function channelWords(channel: string): string {
  return CHANNEL_WORDS[channel] ?? channel;
}
