import { z } from 'zod';
import type { OperationOutcome, PaymentDetails } from '../payments';
import { paymentJson, paymentValue } from './payments';
import { idValue, instantJson, instantValue, millimesValue } from './values';

/** Written out, because the room of payments loads the gateway's client. */
export const OPERATION_KINDS = ['capture', 'cancel', 'refund'] as const;

/** A capture, a cancel or a refund. */
export const operationValue = z
  .strictObject({
    id: idValue,
    kind: z.enum(OPERATION_KINDS),
    state: z.enum(['sending', 'done', 'refused', 'unknown']),
    amountMillimes: millimesValue.nullable(),
    refundId: z.string().nullable(),
    error: z.string().nullable(),
    requestedAt: instantValue,
    endedAt: instantValue.nullable(),
    nextCheckAt: instantValue.nullable(),
    checks: z.int(),
    requestedBy: z.string(),
  })
  .meta({ id: 'PaymentOperation' });

/** Returns a capture, a cancel or a refund as JSON. */
export function operationJson(operation: PaymentDetails['operations'][number]): z.input<typeof operationValue> {
  return {
    id: operation.id,
    kind: operation.kind,
    state: operation.state,
    amountMillimes: operation.amount ?? null,
    refundId: operation.refundId ?? null,
    error: operation.error ?? null,
    requestedAt: instantJson(operation.requestedAt),
    endedAt: instantJson(operation.endedAt),
    nextCheckAt: instantJson(operation.nextCheckAt),
    checks: operation.checks,
    requestedBy: operation.requestedBy,
  };
}

/** The outcome of a capture, a cancel or a refund. */
export const operationOutcomeValue = z
  .strictObject({
    kind: z.enum(['done', 'refused', 'unknown', 'checked']),
    dryRun: z.boolean(),
    operation: operationValue.nullable().meta({ description: 'Null in a dry run.' }),
    payment: paymentValue,
    reason: z.string().nullable(),
    isLookedAtAgain: z.boolean().meta({ description: 'Whether the gateway refused, and Millime checks once more.' }),
  })
  .meta({ id: 'PaymentOperationOutcome' });

/** Returns the outcome of a capture, a cancel or a refund as JSON. */
export function operationOutcomeJson({
  kind,
  payment,
  operation,
  reason,
  isCheckedAgain,
}: OperationOutcome): z.input<typeof operationOutcomeValue> {
  return {
    kind,
    dryRun: kind === 'checked',
    operation: operation === undefined ? null : operationJson(operation),
    payment: paymentJson(payment),
    reason: reason ?? null,
    isLookedAtAgain: isCheckedAgain === true,
  };
}
