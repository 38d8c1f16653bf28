import type { GatewayErrorCode } from '../../gateway';
import { assert } from '../../kernel';
import type { Payment } from '../../payments';

/** Errors after which the creation of a code is unknown; repeating the call creates no second code. */
export const QR_UNKNOWN_CODES = [
  'timeout',
  'connection',
  'unavailable',
  'unexpected_shape',
  'outcome_unknown',
] as const satisfies readonly GatewayErrorCode[];

/** The arguments with which a code is created. */
export interface QrTerms {
  readonly amountMillimes: number;
  readonly merchantId: number;
  readonly operationUuid: string;
  readonly barcode?: boolean;
}

/** Returns the stored arguments of the call that creates a code. */
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
