import type { GatewayErrorCode } from '../../gateway';
import { assert } from '../../kernel';
import type { Payment } from '../payment';

/** After these nobody knows whether the code was made; the same call again makes no second one. */
export const QR_UNKNOWN_CODES = [
  'timeout',
  'connection',
  'unavailable',
  'unexpected_shape',
  'outcome_unknown',
] as const satisfies readonly GatewayErrorCode[];

/** What a code was asked for with. */
export interface QrTerms {
  readonly amountMillimes: number;
  readonly merchantId: number;
  readonly operationUuid: string;
  readonly barcode?: boolean;
}

/** The arguments of the call that makes a code, as its row keeps them. */
export function qrTermsOf({ amount, terms }: Pick<Payment, 'amount' | 'terms'>): QrTerms {
  const { merchantId, operationUuid, barcode } = terms;
  assert(typeof merchantId === 'number' && typeof operationUuid === 'string', 'the terms of a QR code are stored');
  return {
    amountMillimes: amount,
    merchantId,
    operationUuid,
    ...(typeof barcode === 'boolean' ? { barcode } : {}),
  };
}
