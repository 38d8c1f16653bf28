import { SENDING_MAX_MS, STATUS_CHECK_ACTOR } from '../../attempts';
import { openBreakStore } from '../../breaks';
import type { Session } from '../../db';
import { assert, MINUTE_MS } from '../../kernel';
import type { PaymentOperation } from '../payment';
import { openPaymentObservations } from '../payment-observation-store';
import { openPaymentOperations } from '../payment-operation-store';
import type { PaymentsDeps } from '../payments';
import { checkSafely } from '../status-checks/check-safely';
import { statusCheckBreak } from '../status-checks/status-check-break';
import { decideOperation } from './decide-operation';
import { endOperation, lockOperation } from './end-operation';

const OPERATIONS_PER_RUN_MAX = 100;
/** The minimum wait after a check that the gateway did not answer. */
const RETRY_MIN_MS = MINUTE_MS;
const NEVER_SEEN = 'outcome_unknown: not seen in five days of status checks';

/**
 * Resolves captures, cancels and refunds of unknown outcome by status checks (open point 129). They are never sent
 * again.
 *
 * @throws AppError `misconfigured`, or as `Database.transact` does.
 */
export async function checkOperations(deps: PaymentsDeps, signal?: AbortSignal): Promise<void> {
  const { database, clock } = deps;
  await markStuck(deps);
  const due = await database.read((session) =>
    openPaymentOperations(session).dueToCheck(clock.now(), OPERATIONS_PER_RUN_MAX),
  );
  for (const operation of due) {
    if (signal?.aborted === true) return;
    // An answer from before the operation proves nothing about it. Each check asks the gateway again, because the
    // payment itself may no longer be checked.
    const notBefore = Math.max(operation.requestedAt + 1, operation.nextCheckAt ?? 0);
    const check = await checkSafely(deps, operation.trackingId, { notBefore });
    if (check.kind === 'later') {
      const nextCheckAt = clock.now() + Math.max(check.retryAfterMs, RETRY_MIN_MS);
      await database.transact((session) => postponeCheck(session, operation, nextCheckAt));
      if (check.affectsAll) return;
      continue;
    }
    await database.transact((session) => resolveOperation(deps, session, operation), {
      retryDuplicate: true,
      retryUnknownOutcome: true,
    });
  }
}

async function markStuck({ database, clock }: PaymentsDeps): Promise<void> {
  const now = clock.now();
  const stuck = await database.read((session) =>
    openPaymentOperations(session).stuck(now - SENDING_MAX_MS, OPERATIONS_PER_RUN_MAX),
  );
  for (const each of stuck) {
    await database.transact(async (session) => {
      const { operation } = await lockOperation(session, each);
      if (operation.state !== 'sending') return;
      const error = 'outcome_unknown: sent, and never answered';
      await openPaymentOperations(session).change(each.id, { state: 'unknown', error, nextCheckAt: now });
    });
  }
}

async function postponeCheck(session: Session, key: PaymentOperation, nextCheckAt: number): Promise<void> {
  const { operation } = await lockOperation(session, key);
  if (operation.state === 'unknown') await openPaymentOperations(session).change(key.id, { nextCheckAt });
}

async function resolveOperation(
  { clock, calendar }: PaymentsDeps,
  session: Session,
  key: PaymentOperation,
): Promise<void> {
  const { payment, operation } = await lockOperation(session, key);
  if (operation.state !== 'unknown') return;
  const recordedAt = clock.now();
  const last = (await openPaymentObservations(session).ofPayment(payment.trackingId)).at(-1);
  const verdict = decideOperation(operation, { payment, lastStatus: last?.status ?? '' }, recordedAt);
  const operations = openPaymentOperations(session);
  switch (verdict.kind) {
    case 'done': {
      const { amount } = verdict;
      const done = { amount, refundId: undefined, happenedAt: payment.lastCheckAt };
      await endOperation(session, operation, done, { recordedAt, recordedBy: STATUS_CHECK_ACTOR, calendar });
      return;
    }
    case 'not_done': {
      const ended = { state: 'refused', error: verdict.reason, endedAt: recordedAt, nextCheckAt: undefined } as const;
      await operations.change(operation.id, ended);
      return;
    }
    case 'open': {
      const { nextCheckAt } = verdict;
      const checks = operation.checks + 1;
      if (nextCheckAt !== undefined) return operations.change(operation.id, { checks, nextCheckAt });
      // Another operation becomes possible: a person who has resolved the break may decide to try again.
      const ended = { state: 'refused', error: NEVER_SEEN, endedAt: recordedAt, nextCheckAt } as const;
      await operations.change(operation.id, { ...ended, checks });
      assert(payment.gatewayId !== undefined, 'a payment with an operation has an id at the gateway');
      const facts = { operation: operation.kind, operationId: operation.id, paymentId: payment.gatewayId };
      const found = statusCheckBreak(payment, {
        breakClass: 'outcome_unknown',
        detail: operation.id,
        since: calendar.dateOf(recordedAt),
        amount: operation.amount ?? payment.amount,
        facts,
      });
      await openBreakStore(session).openNew([found], recordedAt, STATUS_CHECK_ACTOR);
    }
  }
}
