import { numberError } from '../core/answers';
import type { FieldCheck } from '../core/field-check';
import type { SimAnswer } from '../core/operation';

/** The existing merchants; all other ids are unknown. */
const MERCHANT_ID_MIN = 1;
const MERCHANT_ID_MAX = 999_999;

/** Reads a merchant id from the query: an integer, known or not. */
export function checkMerchantId(check: FieldCheck): number {
  check.text('merchant_id');
  return check.whole('merchant_id', { min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 });
}

/** Returns the answer to the first fault (interface section 7.2); `undefined` without faults. */
export function qrRefusal(check: FieldCheck, merchantId = MERCHANT_ID_MIN): SimAnswer | undefined {
  const [fault] = check.faults;
  if (fault !== undefined) return numberError(400, `${fault.field} ${fault.reason}`);
  const isKnown = merchantId >= MERCHANT_ID_MIN && merchantId <= MERCHANT_ID_MAX;
  return isKnown ? undefined : numberError(404, 'precondition fails, code 3');
}
