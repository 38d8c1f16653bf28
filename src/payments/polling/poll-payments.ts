import { type PollResult, requireGateway } from '../../attempts';
import { resolveStaleRequests } from '../attempts/resolve-stale-requests';
import { checkOperations } from '../operations/check-operations';
import { type Payment, PAYMENT_KINDS, type PaymentKind } from '../payment';
import { openPaymentStore } from '../payment-store';
import type { PaymentsDeps } from '../payments';
import { checkSafely } from '../status-checks/check-safely';

/** The maximum number of status checks per run; the next run continues. */
const POLL_CHECKS_MAX = 500;
const POLL_PAGE = 50;
/** After this number of consecutive unanswered checks, a kind of question is left for the next run. */
const UNANSWERED_MAX = 2;

/**
 * Checks due payments, each once: triggered ones first, then those that have been due the longest. It ends when nothing
 * is due. When the budget of Verify ends, only the kinds that do not use Verify continue. So after an outage the
 * backlog is processed at the pace of the budget.
 *
 * @throws AppError `misconfigured`, or as `Database.transact` does.
 */
export async function pollPayments(deps: PaymentsDeps, signal?: AbortSignal): Promise<PollResult> {
  requireGateway(deps);
  await resolveStaleRequests(deps);
  await checkOperations(deps, signal);
  const { database, clock } = deps;
  const seen = new Set<string>();
  const unanswered = new Map<Question, number>();
  const isStopped = (): boolean => signal?.aborted === true;
  let checked = 0;
  let failed = 0;
  while (!isStopped() && seen.size < POLL_CHECKS_MAX) {
    const kinds = PAYMENT_KINDS.filter((kind) => (unanswered.get(questionOf(kind)) ?? 0) < UNANSWERED_MAX);
    // Rows of this run that are still due come first again and must not hide the others.
    const due = await database.read((session) =>
      openPaymentStore(session).dueForCheck(clock.now(), kinds, POLL_PAGE + seen.size),
    );
    const fresh = due.filter(({ trackingId }) => !seen.has(trackingId)).slice(0, POLL_PAGE);
    if (fresh.length === 0) break;
    for (const payment of fresh) {
      if (isStopped() || seen.size >= POLL_CHECKS_MAX) break;
      const question = questionOf(payment.kind);
      const inARow = unanswered.get(question) ?? 0;
      if (inARow >= UNANSWERED_MAX) continue;
      seen.add(payment.trackingId);
      const outcome = await checkSafely(deps, payment.trackingId);
      if (outcome.kind === 'nothing_to_ask') await stopChecking(deps, outcome.payment);
      if (outcome.kind === 'looked') checked += 1;
      if (outcome.kind === 'later') failed += 1;
      if (outcome.kind !== 'nothing_to_ask') {
        unanswered.set(question, outcome.kind === 'looked' ? 0 : inARow + (outcome.affectsAll ? UNANSWERED_MAX : 1));
      }
    }
  }
  const left = await database.read((session) =>
    openPaymentStore(session).dueForCheck(clock.now(), PAYMENT_KINDS, POLL_CHECKS_MAX),
  );
  return { checked, failed, left: left.length };
}

/** Kinds of payments that use the same operation of the gateway, and so fail together. */
type Question = 'verify' | 'pos' | 'qr' | 'wallet';

function questionOf(kind: PaymentKind): Question {
  return kind === 'pos' || kind === 'qr' || kind === 'wallet' ? kind : 'verify';
}

/** Ends the checks of a payment that cannot be checked. */
async function stopChecking({ database, clock }: PaymentsDeps, { trackingId, requestState }: Payment): Promise<void> {
  await database.transact(async (session) => {
    const store = openPaymentStore(session);
    const payment = await store.lock(trackingId);
    // The gateway created it meanwhile, so it can be checked.
    if (payment?.requestState !== requestState || (payment.nextCheckAt ?? 0) > clock.now()) return;
    await store.change(payment, { nextCheckAt: undefined, triggeredAt: undefined });
  });
}
