import { type ActOptions, instantOf, requireGateway } from '../../attempts';
import { type GatewayClient, type GatewayError, isGatewayError } from '../../gateway';
import { openAuditTrail, requireScope } from '../../identity';
import { AppError, isAppError, millimes, newId, SECOND_MS } from '../../kernel';
import type { Payment, PaymentOperation } from '../payment';
import { openPaymentOperations, type PaymentOperationChange } from '../payment-operation-store';
import { openPaymentStore, type PaymentChange } from '../payment-store';
import type { OperationOutcome, PaymentsDeps } from '../payments';
import { checkPaymentStatus } from '../status-checks/check-payment';
import { CHECK_FIRST_AFTER_MS } from './decide-operation';
import { CHECK_AFTER_MS, type DoneOperation, endOperation, lockOperation } from './end-operation';
import { captureAmountFault, operationFault, type WantedOperation } from './operation-rules';

/** How long after a status check the stored state is recent enough to refuse an operation. */
const KNOWLEDGE_MS = 30 * SECOND_MS;

/**
 * Captures all or part of a pre-authorization, in millimes (interface section 4.1, Confirm Payment): class D, sent
 * once. A status check resolves an unknown outcome (open point 129).
 *
 * @throws AppError `bad_input` for an amount below 1 or above the reserved one, `operation_not_possible` for a payment
 * without reserved money or with another operation, `not_found`, `forbidden`, `misconfigured`.
 */
export async function capturePayment(
  deps: PaymentsDeps,
  trackingId: string,
  amountMillimes: number | undefined,
  options: ActOptions,
): Promise<OperationOutcome> {
  return operate(deps, trackingId, { kind: 'capture', amountMillimes }, options);
}

/** Releases a pre-authorization (Cancel Payment). Throws as `capturePayment` does. */
export async function cancelPayment(
  deps: PaymentsDeps,
  trackingId: string,
  options: ActOptions,
): Promise<OperationOutcome> {
  return operate(deps, trackingId, { kind: 'cancel', amountMillimes: undefined }, options);
}

/** Refunds a payment in full, but never a pre-authorization (open point 128). Throws as `capturePayment` does. */
export async function refundPayment(
  deps: PaymentsDeps,
  trackingId: string,
  options: ActOptions,
): Promise<OperationOutcome> {
  return operate(deps, trackingId, { kind: 'refund', amountMillimes: undefined }, options);
}

interface AskedOperation {
  readonly kind: PaymentOperation['kind'];
  readonly amountMillimes: number | undefined;
}

async function operate(
  deps: PaymentsDeps,
  trackingId: string,
  asked: AskedOperation,
  { actor, dryRun }: ActOptions,
): Promise<OperationOutcome> {
  requireScope(actor, 'payments:refund');
  const gateway = requireGateway(deps);
  const payment = await operablePayment(deps, trackingId, asked, { mayCheck: !dryRun });
  const wanted = wantedOf(payment, asked);
  if (dryRun) {
    await deps.database.read(async (session) => {
      const operations = await openPaymentOperations(session).ofPayment(trackingId);
      if (operations.some((each) => isInTheWay(each, wanted))) throw inTheWay(wanted);
    });
    return { kind: 'checked', payment, operation: undefined, reason: undefined };
  }
  const begun = await beginOperation(deps, trackingId, wanted, actor);
  return send(deps, gateway, begun, actor.name);
}

/** Returns the payment, after a status check if its stored state forbids the operation and may be old. */
async function operablePayment(
  deps: PaymentsDeps,
  trackingId: string,
  asked: AskedOperation,
  { mayCheck }: { readonly mayCheck: boolean },
): Promise<Payment> {
  const found = await deps.database.read((session) => openPaymentStore(session).find(trackingId));
  if (found === undefined) throw new AppError('not_found', { thing: 'payment', id: trackingId });
  let payment = found;
  const wanted = wantedOf(payment, asked);
  if (mayCheck && operationFault(payment, wanted) !== undefined && payment.gatewayId !== undefined) {
    const check = await checkPaymentStatus(deps, trackingId, { notBefore: deps.clock.now() - KNOWLEDGE_MS });
    if (check.kind === 'looked') payment = check.payment;
  }
  requireOperable(payment, wanted);
  return payment;
}

function wantedOf(payment: Payment, { kind, amountMillimes }: AskedOperation): WantedOperation {
  if (kind !== 'capture') return { kind, amount: undefined };
  const fault = captureAmountFault(payment, amountMillimes);
  if (fault !== undefined) throw new AppError('bad_input', fault);
  return { kind, amount: amountMillimes === undefined ? payment.amount : millimes(amountMillimes) };
}

function requireOperable(payment: Payment, wanted: WantedOperation): void {
  const fault = operationFault(payment, wanted);
  if (fault !== undefined) throw new AppError('operation_not_possible', { operation: wanted.kind, fault });
}

function isInTheWay({ kind, state }: PaymentOperation, wanted: WantedOperation): boolean {
  return state !== 'refused' && (kind === 'refund') === (wanted.kind === 'refund');
}

function inTheWay({ kind }: WantedOperation): AppError {
  const others = kind === 'refund' ? 'a refund' : 'a capture or a cancel';
  const fault = `${others} of this payment was already sent`;
  return new AppError('operation_not_possible', { operation: kind, fault });
}

/** Stores the row before the call is sent. Its unique key admits one of several concurrent requests. */
async function beginOperation(
  { database, clock }: PaymentsDeps,
  trackingId: string,
  wanted: WantedOperation,
  actor: ActOptions['actor'],
): Promise<{ readonly payment: Payment; readonly operation: PaymentOperation }> {
  const { kind, amount } = wanted;
  const id = newId();
  try {
    return await database.transact(
      async (session) => {
        const payment = await openPaymentStore(session).lock(trackingId);
        if (payment === undefined) throw new AppError('not_found', { thing: 'payment', id: trackingId });
        const operations = openPaymentOperations(session);
        const own = await operations.find(id);
        if (own !== undefined) return { payment, operation: own };
        requireOperable(payment, wanted);
        const operation: PaymentOperation = {
          id,
          trackingId,
          kind,
          state: 'sending',
          amount,
          refundId: undefined,
          error: undefined,
          requestedAt: clock.now(),
          endedAt: undefined,
          nextCheckAt: undefined,
          checks: 0,
          requestedBy: actor.name,
        };
        await operations.add(operation);
        await openAuditTrail(session).record({
          at: operation.requestedAt,
          actor,
          action: `payment.${kind}_requested`,
          subject: `payment:${trackingId}`,
          detail: { operation: id, amountMillimes: amount ?? null },
        });
        return { payment, operation };
      },
      // A second run finds its own row.
      { retryUnknownOutcome: true },
    );
  } catch (error) {
    if (isAppError(error, 'duplicate_key')) throw inTheWay(wanted);
    throw error;
  }
}

async function send(
  deps: PaymentsDeps,
  gateway: GatewayClient,
  { payment, operation }: { readonly payment: Payment; readonly operation: PaymentOperation },
  recordedBy: string,
): Promise<OperationOutcome> {
  const { database, clock, calendar } = deps;
  let done: DoneOperation;
  try {
    done = await call(gateway, payment, operation);
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return leave(deps, operation, error);
  }
  const by = { recordedAt: clock.now(), recordedBy, calendar };
  const ended = await database.transact((session) => endOperation(session, operation, done, by), {
    retryDuplicate: true,
    retryUnknownOutcome: true,
  });
  return { kind: 'done', ...ended, reason: undefined };
}

async function call(
  { payments }: GatewayClient,
  { gatewayId: paymentId = '', amount }: Payment,
  operation: PaymentOperation,
): Promise<DoneOperation> {
  switch (operation.kind) {
    case 'capture': {
      const captured = operation.amount ?? amount;
      const answer = await payments.capture({ paymentId, amountMillimes: captured });
      return {
        amount: answer.amountMillimes ?? captured,
        refundId: undefined,
        happenedAt: instantOf(answer.confirmedAt),
      };
    }
    case 'cancel': {
      const answer = await payments.cancel({ paymentId });
      return { amount: undefined, refundId: undefined, happenedAt: instantOf(answer.cancelledAt) };
    }
    case 'refund': {
      const { refundId, amountMillimes, refundedAt } = await payments.refund({ paymentId });
      return { amount: amountMillimes, refundId, happenedAt: instantOf(refundedAt) };
    }
  }
}

/**
 * Stores that an operation was refused or has an unknown outcome; the payment keeps its state. The gateway may refuse
 * an operation because another client or a lost call has already done it (open point 21). So the payment is checked
 * soon, even if nothing more was expected of it.
 */
async function leave(
  { database, clock }: PaymentsDeps,
  operation: PaymentOperation,
  error: GatewayError,
): Promise<OperationOutcome> {
  const now = clock.now();
  const reason = `${error.code}: ${error.message}`;
  const isUnknown = error.code === 'outcome_unknown';
  // A refusal without an HTTP status was never sent; every other fault without one is an unknown outcome.
  const isCheckedAgain = !isUnknown && error.httpStatus !== undefined;
  const change: PaymentOperationChange = isUnknown
    ? { state: 'unknown', error: reason, nextCheckAt: now + CHECK_FIRST_AFTER_MS }
    : { state: 'refused', error: reason, endedAt: now };
  const left = await database.transact(
    async (session) => {
      const known = await lockOperation(session, operation);
      // A status check may have resolved it meanwhile.
      if (known.operation.state !== 'sending' && known.operation.state !== 'unknown') return known;
      await openPaymentOperations(session).change(operation.id, change);
      const soon: PaymentChange = isCheckedAgain ? { triggeredAt: now, nextCheckAt: now + CHECK_AFTER_MS } : {};
      if (isCheckedAgain) await openPaymentStore(session).change(known.payment, soon);
      return { payment: { ...known.payment, ...soon }, operation: { ...known.operation, ...change } };
    },
    { retryUnknownOutcome: true },
  );
  return isUnknown ? { kind: 'unknown', ...left, reason } : { kind: 'refused', ...left, reason, isCheckedAgain };
}
