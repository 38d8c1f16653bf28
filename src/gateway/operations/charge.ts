import { type BusinessDate, type Millimes, parseBusinessDate } from '../../kernel';
import type { ReadBody } from '../codec/read-body';

/** One payment of a subscription (interface section 2.5). */
export interface Charge {
  readonly paymentId: string;
  /** `PENDING`, `SUCCESS`, `FAILURE`, `EXPIRED`; the gateway may add words. */
  readonly status: string;
  /** `service` (wallet), `card`, or `NA` while pending. */
  readonly type: string;
  /** `subscription_create`, `subscription_cycle` or `subscription_retry`. */
  readonly billingReason: string;
  /** 0 for the first attempt of a period, then the number of the retry; null when the gateway sent none. */
  readonly attempt: number | null;
  /** First day of the paid period. */
  readonly periodStart: BusinessDate | null;
  /** Day after the paid period; null on the first charge. */
  readonly periodEnd: BusinessDate | null;
  readonly amountMillimes: Millimes;
  /** Merchant fee and the VAT on it; null, never zero, until the gateway has computed them. */
  readonly feeMillimes: Millimes | null;
  readonly tvaMillimes: Millimes | null;
  readonly createdAt: string | null;
  /** When the wallet was debited **or the debit failed**: never a sign of success (open point 27). */
  readonly paidAt: string | null;
  readonly assumedOffset?: readonly string[];
  readonly raw: unknown;
}

export function decodeCharge(item: ReadBody): Charge {
  return {
    paymentId: item.text('payment_id'),
    status: item.text('status'),
    type: item.textOrNull('type') ?? 'NA',
    billingReason: item.textOrNull('billing_reason') ?? '',
    attempt: item.wholeOrNull('attempt'),
    periodStart: day(item, 'period_start'),
    periodEnd: day(item, 'period_end'),
    amountMillimes: item.millimes('amount'),
    feeMillimes: item.millimesOrNull('fee'),
    tvaMillimes: item.millimesOrNull('tva'),
    createdAt: item.time('created_at', 'createdAt'),
    paidAt: item.time('paid_at', 'paidAt'),
    ...item.assumedOffset(),
    raw: item.raw,
  };
}

/** Reads a date. No time zone ever shifts it (open point 3). */
function day(item: ReadBody, name: string): BusinessDate | null {
  const text = item.textOrNull(name);
  if (text === null || text === '') return null;
  const date = parseBusinessDate(text);
  if (date === undefined) throw item.fault(name, 'is not a date');
  return date;
}
