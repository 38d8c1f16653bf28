import { AppError } from '../../kernel';
import type { CreateOutcome, OperationOutcome } from '../../payments';
import { operationOutcomeJson, operationOutcomeValue } from '../../shapes/payment-operations';
import { creationJson, creationValue, planValue } from '../../shapes/payments';
import type { ApiProblemCode } from '../operation/problem';

type Created = ReturnType<typeof creationJson>;
type Operated = ReturnType<typeof operationOutcomeJson>;

/** The answers of a creation at the gateway. */
export const CREATION_ANSWERS = { 200: creationValue, 201: creationValue, 202: creationValue } as const;

/** The problems of a creation at the gateway. */
export const CREATION_PROBLEMS: readonly ApiProblemCode[] = [
  'request_faults',
  'reference_live',
  'gateway_refused',
  'gateway_off',
];

/** What imports of plans share. */
export const PLAN_IMPORT = {
  method: 'post',
  description: 'Millime sends them within the limits of the gateway. A file with one bad row stores nothing.',
  tag: 'Payments',
  scope: 'payments:write',
  body: 'file',
  bodyBytesMax: 4 * 1024 * 1024,
  effect: 'repeatable',
  dryRun: true,
  isLong: true,
  answers: { 200: planValue },
  problems: ['file_faults', 'gateway_off'],
} as const;

type CreationAnswer =
  | { readonly status: 200; readonly body: Created }
  | { readonly status: 201 | 202; readonly body: Created; readonly location: string };

/**
 * Returns the answer to a creation: 201 for a new payment, 200 for an existing one and for a dry run, 202 while the
 * outcome is unknown.
 *
 * @throws AppError `gateway_refused`; the refused attempt is stored.
 */
export function creationAnswer(outcome: CreateOutcome): CreationAnswer {
  const body = creationJson(outcome);
  switch (outcome.kind) {
    case 'checked':
    case 'existing':
      return { status: 200, body };
    case 'created':
      return { status: 201, body, location: placeOf(outcome.payment) };
    case 'unknown':
      return { status: 202, body, location: placeOf(outcome.payment) };
    case 'refused':
      throw refusedByGateway(outcome.reason, outcome.payment.trackingId);
  }
}

/** The answers of a capture, a cancel or a refund. */
export const OPERATION_ANSWERS = { 200: operationOutcomeValue, 202: operationOutcomeValue } as const;

/**
 * Returns the answer to a capture, a cancel or a refund: 202 while the outcome is unknown.
 *
 * @throws AppError `gateway_refused`; the refused operation is stored.
 */
export function operationAnswer(outcome: OperationOutcome): {
  readonly status: 200 | 202;
  readonly body: Operated;
} {
  const { kind, reason = '', payment } = outcome;
  if (kind === 'refused') throw refusedByGateway(reason, payment.trackingId);
  return { status: kind === 'unknown' ? 202 : 200, body: operationOutcomeJson(outcome) };
}

/** Returns the problem of a refused attempt, which is stored under its tracking id. */
export function refusedByGateway(fault: string, trackingId: string): AppError {
  return new AppError('gateway_refused', { fault, trackingId });
}

function placeOf({ trackingId }: { readonly trackingId: string }): string {
  return `/payments/${trackingId}`;
}
