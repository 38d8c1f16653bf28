import type { WalletOperation } from '../../gateway';
import type { BusinessCalendar, Instant, WorkingDays } from '../../kernel';
import {
  DAY_MS,
  nextChannelCheck,
  NOT_LISTED,
  type Payment,
  type PaymentChange,
  startOf,
  statusCheckBreak,
  type StatusCheckDecision,
  UNKNOWN_WORKING_DAYS_MAX,
} from '../../payments';

/** How long a payment that does not end, or is not listed, is followed. */
const WALLET_FOLLOWED_MS = 10 * DAY_MS;
/** Open point 129: until then an operation may still appear. */
const UNKNOWN_GRACE_MS = 40 * 60 * 1_000;
const CANDIDATES_SHOWN_MAX = 10;
const PENDING = 'PENDING';
/** The only words of the interface that say that no money came (section 3.1); of a wallet it shows none. */
const NOT_PAID = ['FAILURE', 'EXPIRED'];

export interface WalletDays {
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
}

export interface WalletFacts {
  readonly payment: Payment;
  readonly observedAt: Instant;
  /** The operation with our reference. */
  readonly found: WalletOperation | undefined;
  /** Operations of our product that are no other payment's: one of them may be the one of an unknown outcome. */
  readonly candidates: readonly WalletOperation[];
}

/**
 * Decides by the history of a wallet. It has no amounts, so nothing is posted, and a person resolves a payment of
 * unknown outcome (open point 129). Pure.
 */
export function decideWallet(days: WalletDays, facts: WalletFacts): StatusCheckDecision {
  if (facts.payment.requestState !== 'unknown') return decideMade(days, facts);
  return facts.candidates.length === 0 ? decideUnlisted(days, facts) : decideCandidates(days, facts);
}

/** The gateway may never have had it: a person is told, and when nothing came for long enough it is given up. */
function decideUnlisted(
  { calendar, workingDays }: WalletDays,
  { payment, observedAt }: Pick<WalletFacts, 'payment' | 'observedAt'>,
): StatusCheckDecision {
  const startedAt = startOf(payment);
  const graceEndsAt = startedAt + UNKNOWN_GRACE_MS;
  if (observedAt < graceEndsAt) {
    const next = nextChannelCheck({ startedAt, followedUntil: graceEndsAt }, observedAt);
    return { change: { nextCheckAt: Math.min(next ?? graceEndsAt, graceEndsAt) }, items: [], breaks: [] };
  }
  const found = statusCheckBreak(payment, {
    breakClass: 'outcome_unknown',
    // Operations that are listed later are news, and so another break.
    detail: NOT_LISTED,
    since: calendar.dateOf(observedAt),
    amount: payment.amount,
    facts: { operation: 'wallet.pay', reason: 'not listed', candidates: 0 },
  });
  const daysWaited = workingDays.countBetween(calendar.dateOf(startedAt), calendar.dateOf(observedAt));
  const change: PaymentChange =
    daysWaited > UNKNOWN_WORKING_DAYS_MAX
      ? { requestState: 'abandoned', isLive: false, nextCheckAt: undefined }
      : { nextCheckAt: nextChannelCheck({ startedAt, followedUntil: Infinity }, observedAt) };
  return { change, items: [], breaks: [found] };
}

/** One of them may be it, which no status check can tell: it is a person's now, and its reference stays taken. */
function decideCandidates(
  { calendar }: WalletDays,
  { payment, observedAt, candidates }: WalletFacts,
): StatusCheckDecision {
  const shown = candidates.slice(0, CANDIDATES_SHOWN_MAX);
  const found = statusCheckBreak(payment, {
    breakClass: 'outcome_unknown',
    since: calendar.dateOf(observedAt),
    amount: payment.amount,
    facts: {
      operation: 'wallet.pay',
      candidates: candidates.length,
      references: shown.map((each) => `${refOf(each) ?? each.operationId} ${each.status}`).join(', '),
    },
  });
  return { change: { nextCheckAt: undefined }, items: [], breaks: [found] };
}

function decideMade({ calendar }: WalletDays, { payment, observedAt, found }: WalletFacts): StatusCheckDecision {
  const startedAt = startOf(payment);
  const next = nextChannelCheck({ startedAt, followedUntil: startedAt + WALLET_FOLLOWED_MS }, observedAt);
  const isOver = found !== undefined && found.status.toUpperCase() !== PENDING;
  if (isOver) {
    const isNotPaid = NOT_PAID.includes(found.status);
    const change = { status: found.status, nextCheckAt: undefined, ...(isNotPaid ? { isLive: false } : {}) };
    return { change, items: [], breaks: [] };
  }
  const change = { ...(found === undefined ? {} : { status: found.status }), nextCheckAt: next };
  if (next !== undefined) return { change, items: [], breaks: [] };
  const facts = { operation: 'wallet.pay', reason: found === undefined ? 'not listed' : 'does not end' };
  const since = calendar.dateOf(observedAt);
  const unclear = statusCheckBreak(payment, { breakClass: 'outcome_unknown', since, amount: payment.amount, facts });
  return { change, items: [], breaks: [unclear] };
}

/** What a row of the history names as its reference. */
export function refOf({ payload }: WalletOperation): string | undefined {
  const { blockchainRef } = payload;
  return typeof blockchainRef === 'string' ? blockchainRef : undefined;
}
