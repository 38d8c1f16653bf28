import { z } from 'zod';
import type { PaymentDetails, PaymentProgress } from '../payments';
import { OPERATION_KINDS } from './payment-operations';
import { gatewayWord } from './payments';
import { instantJson, instantValue, millimesValue } from './values';

const OBSERVATION_SOURCES = [
  ...['verify', 'pos_status', 'qr_verify', 'qr_history', 'wallet_history'],
  ...OPERATION_KINDS,
] as const;

/** An answer of the gateway about a payment. */
export const observationValue = z
  .strictObject({
    source: z.enum(OBSERVATION_SOURCES).meta({ description: 'The call that the gateway answered.' }),
    observedAt: instantValue,
    status: z.string(),
    settlementStatus: gatewayWord,
    method: gatewayWord,
    amountMillimes: millimesValue.nullable(),
  })
  .meta({ id: 'PaymentObservation' });

/** Returns an answer of the gateway as JSON, without its body. */
export function observationJson(observation: PaymentDetails['observations'][number]): z.input<typeof observationValue> {
  return {
    source: observation.source,
    observedAt: instantJson(observation.observedAt),
    status: observation.status,
    settlementStatus: observation.settlementStatus ?? null,
    method: observation.method ?? null,
    amountMillimes: observation.amount ?? null,
  };
}

/** How far a payment is, in codes. */
export const progressValue = z
  .strictObject({
    code: z
      .enum([
        ...(['queued', 'sending', 'refused', 'unknown', 'abandoned', 'created', 'waiting', 'paid'] as const),
        ...(['held', 'failed', 'expired', 'refunded', 'refund_sent', 'refund_failed', 'other'] as const),
      ])
      .meta({ description: 'The state of the request until the gateway has it, then of the payment at the gateway.' }),
    availability: z
      .enum(['not_yet', 'available', 'in_payout', 'sent_to_bank', 'refunded_elsewhere', 'not_owed', 'other'])
      .nullable()
      .meta({ description: 'Whether the gateway owes the money of a paid payment, as the gateway reports it.' }),
    availableSince: instantValue.nullable(),
  })
  .meta({ id: 'PaymentProgress' });

/** Returns how far a payment is as JSON. */
export function progressJson({ code, availability, availableSince }: PaymentProgress): z.input<typeof progressValue> {
  return { code, availability: availability ?? null, availableSince: instantJson(availableSince) };
}
