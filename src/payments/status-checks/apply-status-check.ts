import { STATUS_CHECK_ACTOR, withoutRepeatedDetail } from '../../attempts';
import { type BreakStore, type NewBreak, openBreakStore, type ReconBreak, type Resolution } from '../../breaks';
import type { Session } from '../../db';
import { type GatewayItem, openItemStore, postItem } from '../../gateway-items';
import { assert, type BusinessDate, type Instant } from '../../kernel';
import type { Payment, PaymentObservation, PaymentOperation } from '../payment';
import { openPaymentObservations } from '../payment-observation-store';
import { openPaymentOperations } from '../payment-operation-store';
import { openPaymentStore, type PaymentChange, type PaymentStore } from '../payment-store';
import type { PaymentsDeps } from '../payments';
import { lastCheckOf } from './last-check';
import { isCancelDone, isPaidOrStillHeld } from './payment-status';
import { statusCheckBreak } from './status-check-break';
import { mismatchPrefix } from './webhook-mismatch';

/** The stored state of a payment, read while its row is locked and before an answer is applied. */
export interface StatusCheckFacts {
  readonly payment: Payment;
  /** Its captures, cancels and refunds, oldest first. */
  readonly operations: readonly PaymentOperation[];
  /** Its `webhook_mismatch` breaks, including resolved ones. */
  readonly mismatches: readonly ReconBreak[];
  /** The item of its posted money; undefined before posting. */
  readonly item: GatewayItem | undefined;
}

/** The effects of an answer on a payment. */
export interface StatusCheckDecision {
  /**
   * The new state. `applyStatusCheck` adds the fields of the status check itself (`lastCheckAt`, `checks`, failures,
   * trigger).
   */
  readonly change: PaymentChange;
  /** Posted in this order, each at most once. */
  readonly items: readonly GatewayItem[];
  /** Opened, unless they were opened before. */
  readonly breaks: readonly NewBreak[];
  /** Opened, and replaced or reopened when their amount changes. */
  readonly growing?: readonly NewBreak[];
  /** Ids of breaks that this answer resolves, and of those that it reopens. */
  readonly resolve?: readonly { readonly id: string; readonly resolution: Resolution }[];
  readonly reopen?: readonly { readonly id: string; readonly now: NewBreak }[];
}

export interface AnsweredStatusCheck {
  /** Its `detail` is the whole decoded body, which is stored only when it changes. */
  readonly observation: PaymentObservation;
  /** The answer covers triggers until this instant; undefined: none. */
  readonly eventsCoveredUntil: Instant | undefined;
}

export interface AppliedStatusCheck {
  readonly payment: Payment;
  /** False if an equally recent status check was applied before; then nothing changed. */
  readonly isApplied: boolean;
}

/**
 * Stores one answer of the gateway: the observation, the new state, the money and the breaks, all or nothing. An answer
 * that is not newer than the last status check changes nothing, so a second run with the same answer is harmless.
 *
 * `decide` may read in the transaction and write rows of its own channel; it must not call the gateway.
 *
 * @throws AppError as `Database.transact` does.
 */
export async function applyStatusCheck(
  deps: PaymentsDeps,
  { observation, eventsCoveredUntil }: AnsweredStatusCheck,
  decide: (facts: StatusCheckFacts, session: Session) => StatusCheckDecision | Promise<StatusCheckDecision>,
): Promise<AppliedStatusCheck> {
  const { trackingId, observedAt } = observation;
  return deps.database.transact(
    async (session) => {
      const store = openPaymentStore(session);
      const locked = await store.lock(trackingId);
      assert(locked !== undefined, 'a checked payment exists');
      const now = deps.clock.now();
      const payment: Payment = { ...locked, lastCheckAt: lastCheckOf(locked, now) };
      if (payment.lastCheckAt !== undefined && observedAt <= payment.lastCheckAt) {
        return { payment: locked, isApplied: false };
      }
      const facts = await readFacts(session, payment);
      const decided = await decide(facts, session);
      const breaks = await withPaidTwice(store, { facts, decided, since: deps.calendar.dateOf(observedAt) });
      const decision = { ...decided, breaks };
      const news = await withoutRepeatedDetail(session, 'payment_observations', observation);
      await openPaymentObservations(session).append(news, now);
      for (const item of decision.items) {
        await postItem(session, item, { recordedAt: now, recordedBy: STATUS_CHECK_ACTOR });
      }
      await writeBreaks(session, decision, now);
      const change = await withFreeReference(store, payment, {
        ...decision.change,
        ...recordedCheck(payment, observedAt, eventsCoveredUntil),
      });
      await store.change(payment, change);
      return { payment: { ...payment, ...change }, isApplied: true };
    },
    { retryDuplicate: true, retryUnknownOutcome: true },
  );
}

/** Reads the facts of a decision inside one transaction. A caller that writes must have locked the row. */
export async function readFacts(session: Session, payment: Payment): Promise<StatusCheckFacts> {
  const { trackingId, itemId } = payment;
  return {
    payment,
    operations: await openPaymentOperations(session).ofPayment(trackingId),
    mismatches: await openBreakStore(session).under(mismatchPrefix(trackingId)),
    item: itemId === undefined ? undefined : await openItemStore(session).find(itemId),
  };
}

function recordedCheck(payment: Payment, observedAt: Instant, eventsCoveredUntil: Instant | undefined): PaymentChange {
  const { triggeredAt, checks } = payment;
  const isServed = triggeredAt === undefined || (eventsCoveredUntil !== undefined && triggeredAt <= eventsCoveredUntil);
  return {
    lastCheckAt: observedAt,
    checks: checks + 1,
    failedChecks: 0,
    lastCheckError: undefined,
    // A newer event has arrived, so its status check is still due.
    ...(isServed ? { triggeredAt: undefined } : { nextCheckAt: payment.nextCheckAt }),
  };
}

async function writeBreaks(session: Session, decision: StatusCheckDecision, at: Instant): Promise<void> {
  const store = openBreakStore(session);
  for (const each of decision.growing ?? []) await openOrGrow(store, each, at);
  await store.openNew(decision.breaks, at, STATUS_CHECK_ACTOR);
  for (const { id, resolution } of decision.resolve ?? []) await store.resolve(id, resolution, at, STATUS_CHECK_ACTOR);
  for (const { id, now } of decision.reopen ?? []) await store.reopen(id, now, at, STATUS_CHECK_ACTOR);
}

/** Opens a break, or replaces it if its amount changed; a break that a person had resolved is reopened. */
async function openOrGrow(store: BreakStore, now: NewBreak, at: Instant): Promise<void> {
  const before = (await store.byFingerprint([now.fingerprint])).get(now.fingerprint);
  if (before === undefined) return store.open([now], at, STATUS_CHECK_ACTOR);
  if (before.amount === now.amount) return;
  await (before.status === 'resolved'
    ? store.reopen(before.id, now, at, STATUS_CHECK_ACTOR)
    : store.change(before.id, now, at, STATUS_CHECK_ACTOR));
}

/**
 * Adds a break if an attempt that lost its reference is paid or reserved after all, while another attempt has the
 * reference: the money is posted, and a person must know (open point 40).
 */
async function withPaidTwice(
  store: PaymentStore,
  { facts, decided, since }: { facts: StatusCheckFacts; decided: StatusCheckDecision; since: BusinessDate },
): Promise<readonly NewBreak[]> {
  const { payment } = facts;
  const { reference, isLive, status } = payment;
  if (!takesMoney(facts, decided.change.status) || isLive || reference === undefined) return decided.breaks;
  const live = await store.live(reference);
  if (live === undefined) return decided.breaks;
  const told = { reference, otherAttempt: live.trackingId, ...(status === undefined ? {} : { from: status }) };
  const others = decided.breaks.filter(({ breakClass }) => breakClass !== 'late_success');
  return [...others, statusCheckBreak(payment, { breakClass: 'late_success', since, facts: told })];
}

/** Returns whether an answer is the first to report the money as paid, or as reserved and not cancelled. Pure. */
function takesMoney({ payment, operations }: StatusCheckFacts, status: string | undefined): boolean {
  return status !== payment.status && isPaidOrStillHeld(status, isCancelDone(operations));
}

/** Returns the change. A late success takes its reference back, unless another attempt has it by now. */
async function withFreeReference(store: PaymentStore, payment: Payment, change: PaymentChange): Promise<PaymentChange> {
  if (change.isLive !== true || payment.isLive || payment.reference === undefined) return change;
  const { isLive: _, ...rest } = change;
  return (await store.live(payment.reference)) === undefined ? change : rest;
}
