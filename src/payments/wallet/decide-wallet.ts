import type { WalletOperation } from '../../gateway';
import type { BusinessCalendar, Instant, WorkingDays } from '../../kernel';
import type { LookDecision } from '../looks/apply-look';
import { NOT_LISTED, startOf } from '../looks/channel-look';
import { lookBreak } from '../looks/look-break';
import { DAY_MS, nextChannelLook } from '../looks/next-channel-look';
import { UNKNOWN_WORKING_DAYS_MAX } from '../looks/next-look';
import type { Payment } from '../payment';
import type { PaymentChange } from '../payment-store';

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
 * What a wallet's history says of a payment. It carries no amount, so nothing is posted, and a payment whose outcome
 * nobody knows is for a person to settle (open point 129). Pure.
 */
export function decideWallet(days: WalletDays, facts: WalletFacts): LookDecision {
  if (facts.payment.requestState !== 'unknown') return decideMade(days, facts);
  return facts.candidates.length === 0 ? decideUnlisted(days, facts) : decideCandidates(days, facts);
}

/** The gateway may never have had it: a person is told, and when nothing came for long enough it is given up. */
function decideUnlisted(
  { calendar, workingDays }: WalletDays,
  { payment, observedAt }: Pick<WalletFacts, 'payment' | 'observedAt'>,
): LookDecision {
  const startedAt = startOf(payment);
  const graceEndsAt = startedAt + UNKNOWN_GRACE_MS;
  if (observedAt < graceEndsAt) {
    const next = nextChannelLook({ startedAt, followedUntil: graceEndsAt }, observedAt);
    return { change: { nextLookAt: Math.min(next ?? graceEndsAt, graceEndsAt) }, items: [], breaks: [] };
  }
  const found = lookBreak(payment, {
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
      ? { requestState: 'abandoned', isLive: false, nextLookAt: undefined }
      : { nextLookAt: nextChannelLook({ startedAt, followedUntil: Infinity }, observedAt) };
  return { change, items: [], breaks: [found] };
}

/** One of them may be it, which no look can tell: it is a person's now, and its reference stays taken. */
function decideCandidates({ calendar }: WalletDays, { payment, observedAt, candidates }: WalletFacts): LookDecision {
  const shown = candidates.slice(0, CANDIDATES_SHOWN_MAX);
  const found = lookBreak(payment, {
    breakClass: 'outcome_unknown',
    since: calendar.dateOf(observedAt),
    amount: payment.amount,
    facts: {
      operation: 'wallet.pay',
      candidates: candidates.length,
      references: shown.map((each) => `${refOf(each) ?? each.operationId} ${each.status}`).join(', '),
    },
  });
  return { change: { nextLookAt: undefined }, items: [], breaks: [found] };
}

function decideMade({ calendar }: WalletDays, { payment, observedAt, found }: WalletFacts): LookDecision {
  const startedAt = startOf(payment);
  const next = nextChannelLook({ startedAt, followedUntil: startedAt + WALLET_FOLLOWED_MS }, observedAt);
  const isOver = found !== undefined && found.status.toUpperCase() !== PENDING;
  if (isOver) {
    const isNotPaid = NOT_PAID.includes(found.status);
    const change = { status: found.status, nextLookAt: undefined, ...(isNotPaid ? { isLive: false } : {}) };
    return { change, items: [], breaks: [] };
  }
  const change = { ...(found === undefined ? {} : { status: found.status }), nextLookAt: next };
  if (next !== undefined) return { change, items: [], breaks: [] };
  const facts = { operation: 'wallet.pay', reason: found === undefined ? 'not listed' : 'does not end' };
  const since = calendar.dateOf(observedAt);
  const unclear = lookBreak(payment, { breakClass: 'outcome_unknown', since, amount: payment.amount, facts });
  return { change, items: [], breaks: [unclear] };
}

/** What a row of the history names as its reference. */
export function refOf({ payload }: WalletOperation): string | undefined {
  const { blockchainRef } = payload;
  return typeof blockchainRef === 'string' ? blockchainRef : undefined;
}
