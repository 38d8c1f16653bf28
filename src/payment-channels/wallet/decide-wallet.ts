import { UNKNOWN_GRACE_MS, UNKNOWN_WORKING_DAYS_MAX } from '../../attempts';
import type { WalletOperation } from '../../gateway';
import { DAY_MS } from '../../kernel';
import type { ChannelDecision, ChannelFacts, FoundByStatusCheck } from '../../payments';
import { NOT_LISTED } from '../payment-channels';

/** How long a payment that does not end, or is not listed, is followed. */
const WALLET_FOLLOWED_MS = 10 * DAY_MS;
const CANDIDATES_SHOWN_MAX = 10;
const PENDING = 'PENDING';
/** The only words of the interface for a payment without money (section 3.1). It lists none for wallets. */
const NOT_PAID = ['FAILURE', 'EXPIRED'];

export interface WalletFacts extends ChannelFacts {
  /** The operation with the payment's reference. */
  readonly found: WalletOperation | undefined;
  /**
   * Operations with the payment's product that belong to no other payment: one may be the payment of unknown outcome.
   */
  readonly candidates: readonly WalletOperation[];
}

/**
 * Decides by the history of a wallet. The history has no amounts, so nothing is posted, and a person resolves a payment
 * of unknown outcome (open point 129). Pure.
 */
export function decideWallet(facts: WalletFacts): ChannelDecision {
  if (facts.payment.requestState !== 'unknown') return decideMade(facts);
  return facts.candidates.length === 0 ? decideUnlisted(facts) : decideCandidates(facts);
}

/**
 * Decides about a payment that the gateway may never have received: a break notifies a person, and after enough time
 * without an operation the payment is abandoned.
 */
function decideUnlisted(facts: WalletFacts): ChannelDecision {
  const { payment, startedAt, observedAt, calendar, workingDays, nextCheck } = facts;
  const graceEndsAt = startedAt + UNKNOWN_GRACE_MS;
  if (observedAt < graceEndsAt) {
    const next = nextCheck(graceEndsAt);
    return { change: { nextCheckAt: Math.min(next ?? graceEndsAt, graceEndsAt) }, items: [], breaks: [] };
  }
  const found: FoundByStatusCheck = {
    breakClass: 'outcome_unknown',
    // Operations that are listed later are new facts, and open another break.
    detail: NOT_LISTED,
    amount: payment.amount,
    facts: { operation: 'wallet.pay', reason: 'not listed', candidates: 0 },
  };
  const daysWaited = workingDays.countBetween(calendar.dateOf(startedAt), calendar.dateOf(observedAt));
  const change: ChannelDecision['change'] =
    daysWaited > UNKNOWN_WORKING_DAYS_MAX
      ? { requestState: 'abandoned', isLive: false, nextCheckAt: undefined }
      : { nextCheckAt: nextCheck(Infinity) };
  return { change, items: [], breaks: [found] };
}

/**
 * Decides about a payment with possible operations. No status check can tell which one it is, so it waits for a person
 * and its reference stays taken.
 */
function decideCandidates({ payment, candidates }: WalletFacts): ChannelDecision {
  const shown = candidates.slice(0, CANDIDATES_SHOWN_MAX);
  const found: FoundByStatusCheck = {
    breakClass: 'outcome_unknown',
    amount: payment.amount,
    facts: {
      operation: 'wallet.pay',
      candidates: candidates.length,
      references: shown.map((each) => `${refOf(each) ?? each.operationId} ${each.status}`).join(', '),
    },
  };
  return { change: { nextCheckAt: undefined }, items: [], breaks: [found] };
}

function decideMade({ payment, startedAt, found, nextCheck }: WalletFacts): ChannelDecision {
  const next = nextCheck(startedAt + WALLET_FOLLOWED_MS);
  const isOver = found !== undefined && found.status.toUpperCase() !== PENDING;
  if (isOver) {
    const isNotPaid = NOT_PAID.includes(found.status);
    const change = { status: found.status, nextCheckAt: undefined, ...(isNotPaid ? { isLive: false } : {}) };
    return { change, items: [], breaks: [] };
  }
  const change = { ...(found === undefined ? {} : { status: found.status }), nextCheckAt: next };
  if (next !== undefined) return { change, items: [], breaks: [] };
  const facts = { operation: 'wallet.pay', reason: found === undefined ? 'not listed' : 'does not end' };
  return { change, items: [], breaks: [{ breakClass: 'outcome_unknown', amount: payment.amount, facts }] };
}

/** Returns the reference in a row of the history. */
export function refOf({ payload }: WalletOperation): string | undefined {
  const { blockchainRef } = payload;
  return typeof blockchainRef === 'string' ? blockchainRef : undefined;
}
