/**
 * Amounts in millimes that trigger a certain behavior of a call or a customer, so that an integrator can test common
 * cases without the control API. They work wherever an amount is given: checkout, subscriptions, wallet, POS, QR.
 *
 * These affect only the first call of one natural key (`isFirstMatchingCall`), so that its repeat succeeds.
 */
export const MAGIC_CALLS = {
  /** HTTP 500 before anything is processed. */
  66_000_010: 'error_before',
  /** Processed, then the connection is cut before the answer. */
  66_000_011: 'cut_after',
  /** Processed, then a 502 with HTML. */
  66_000_012: 'bad_gateway_after',
  /** 429 with Retry-After: 60. */
  66_000_013: 'too_many',
  /** Processed; the answer is sent a byte at a time. */
  66_000_014: 'drip',
  /** Processed; 200 with a body that is not JSON. */
  66_000_015: 'garbage',
  /** Processed; the answer is sent ten seconds late. */
  66_000_016: 'delay',
} as const;

export type MagicCall = (typeof MAGIC_CALLS)[keyof typeof MAGIC_CALLS];

/** Actions of the customer, the card holder or the wallet without a control call. A control call takes precedence. */
export const MAGIC_PAYERS = {
  /** The payment fails. */
  66_000_001: 'fails',
  /** No payment; the session expires. */
  66_000_002: 'abandons',
  /** The payment ends as SYSTEM_FAILURE. */
  66_000_003: 'system_failure',
  /** Fails first, and succeeds a minute later (a late success). */
  66_000_004: 'late_success',
  /** Renewals of a subscription fail until its retries are exhausted. */
  66_000_005: 'renewals_fail',
} as const;

export type MagicPayer = (typeof MAGIC_PAYERS)[keyof typeof MAGIC_PAYERS];

export function magicCallOf(amountMillimes: number | undefined): MagicCall | undefined {
  return lookUp(MAGIC_CALLS, amountMillimes);
}

export function magicPayerOf(amountMillimes: number | undefined): MagicPayer | undefined {
  return lookUp(MAGIC_PAYERS, amountMillimes);
}

function lookUp<T extends string>(table: Readonly<Record<number, T>>, amount: number | undefined): T | undefined {
  return amount !== undefined && Object.hasOwn(table, amount) ? table[amount] : undefined;
}
