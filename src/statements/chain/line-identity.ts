import { sha256Hex } from '../../kernel';
import type { Movement } from '../statement-records';

/** What a line is known by. */
export type LineBasis = Pick<
  Movement,
  'account' | 'currency' | 'bookingDate' | 'valueDate' | 'amountMinor' | 'counterparty' | 'remittance' | 'bankReference'
>;

/**
 * The identity of a line across files: the bank's own reference where it gives one, else what the line says; and which of
 * several equal lines of the account it is, from 1, since two genuine equal lines are two movements. A reference alone is
 * not enough: banks use one again for another day or another amount. Stored digests depend on this: it never changes.
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
 * Gives each line of one statement its identity. `taken` are the identities of the lines that stand on the same day in
 * statements before or after it in the account's chain: their lines are others, however equal.
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
