import { sha256Hex } from '../../kernel';
import type { Movement } from '../statement-records';

/** The facts that identify a line. */
export type LineBasis = Pick<
  Movement,
  'account' | 'currency' | 'bookingDate' | 'valueDate' | 'amountMinor' | 'counterparty' | 'remittance' | 'bankReference'
>;

/**
 * Returns the identity of a line across files. It is the bank's own reference, or without one the content of the line,
 * and the occurrence among equal lines of the account, from 1, because two genuine equal lines are two movements. A
 * reference alone is not enough: banks reuse references for another day or another amount. Stored digests depend on
 * this function: it never changes.
 */
export function lineIdentity(line: LineBasis, occurrence: number): string {
  const { account, currency, bookingDate, valueDate, amountMinor, counterparty, remittance, bankReference } = line;
  const basis =
    bankReference === ''
      ? ['content', bookingDate, valueDate ?? null, amountMinor, counterparty, remittance]
      : ['reference', bankReference, bookingDate, amountMinor];
  return sha256Hex(JSON.stringify([account, currency, basis, occurrence]));
}

/**
 * Assigns an identity to each line of one statement. `taken` has the identities of lines of the same day in earlier or
 * later statements of the account's chain: those are other lines, however equal.
 */
export class IdentityCounter {
  readonly #occurrences = new Map<string, number>();
  readonly #taken: ReadonlySet<string>;

  constructor(taken: ReadonlySet<string>) {
    this.#taken = taken;
  }

  next(line: LineBasis): string {
    const first = lineIdentity(line, 1);
    let occurrence = (this.#occurrences.get(first) ?? 0) + 1;
    let identity = occurrence === 1 ? first : lineIdentity(line, occurrence);
    while (this.#taken.has(identity)) {
      occurrence += 1;
      identity = lineIdentity(line, occurrence);
    }
    this.#occurrences.set(first, occurrence);
    return identity;
  }
}
