import type { GatewayErrorCode } from '../../gateway';
import { assert } from '../../kernel';
import type { Payment } from '../../payments';

/** These leave the creation of a code unknown; repeating the call creates no second code. */
export const QR_UNKNOWN_CODES = [
  'timeout',
  'connection',
  'unavailable',
  'unexpected_shape',
  'outcome_unknown',
] as const satisfies readonly GatewayErrorCode[];

/** The terms of a code. */
export interface QrTerms {
  readonly amountMillimes: number;
  readonly merchantId: number;
  readonly operationUuid: string;
  readonly barcode?: boolean;
}

/** Returns the arguments of the call that creates a code, as its row stores them. */
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
