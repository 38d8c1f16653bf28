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

export type IdentifiedLine = LineBasis & { readonly identity: string };

/** Returns a text that is equal for lines of one account with equal day, amount and texts, whatever their references. */
export function contentOf(line: LineBasis): string {
  return lineIdentity({ ...line, account: '', bankReference: '' }, 1);
}

/** More equal lines than a bank books in one day. */
const EQUAL_LINES_MAX = 100_000;

/** Returns the occurrence that is in the identity of a stored line; undefined if its columns were changed. */
export function occurrenceOf(line: IdentifiedLine): number | undefined {
  for (let occurrence = 1; occurrence <= EQUAL_LINES_MAX; occurrence += 1) {
    if (lineIdentity(line, occurrence) === line.identity) return occurrence;
  }
  return undefined;
}

/**
 * Returns whether two lines under different names of one account are the same movement: equal, and at the same position
 * among equal lines.
 */
export function isSameMovement(a: IdentifiedLine, b: IdentifiedLine): boolean {
  const isLike = lineIdentity({ ...a, account: '' }, 1) === lineIdentity({ ...b, account: '' }, 1);
  return isLike && occurrenceOf(a) === occurrenceOf(b);
}

/**
 * Assigns an identity to each line of one statement. `taken` has the identities of lines of the same day in earlier or
 * later statements of the account's chain: those are other lines, however equal. `otherNames` are those under which
 * statements of the account are stored besides the line's.
 */
export class IdentityCounter {
  readonly #occurrences = new Map<string, number>();
  readonly #taken: ReadonlySet<string>;
  readonly #otherNames: readonly string[];

  constructor(taken: ReadonlySet<string>, otherNames: readonly string[] = []) {
    this.#taken = taken;
    this.#otherNames = otherNames;
  }

  next(line: LineBasis): string {
    const first = lineIdentity(line, 1);
    let occurrence = (this.#occurrences.get(first) ?? 0) + 1;
    let identity = occurrence === 1 ? first : lineIdentity(line, occurrence);
    while (this.#isTaken(line, identity, occurrence)) {
      occurrence += 1;
      identity = lineIdentity(line, occurrence);
    }
    this.#occurrences.set(first, occurrence);
    return identity;
  }

  /** Returns the identities that the same line has under other names of the account. */
  othersOf(line: IdentifiedLine): string[] {
    if (this.#otherNames.length === 0) return [];
    const occurrence = occurrenceOf(line) ?? 1;
    return this.#otherNames.map((account) => lineIdentity({ ...line, account }, occurrence));
  }

  #isTaken(line: LineBasis, identity: string, occurrence: number): boolean {
    if (this.#taken.has(identity)) return true;
    return this.#otherNames.some((account) => this.#taken.has(lineIdentity({ ...line, account }, occurrence)));
  }
}
