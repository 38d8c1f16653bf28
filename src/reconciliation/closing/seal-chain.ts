import { type BusinessDate, fingerprintOf, type Instant } from '../../kernel';

/** One link of the chain: the closing of a day, or the reversal of a closing. Numbers run from 1 without a gap. */
export interface Seal {
  readonly number: number;
  readonly kind: 'closed' | 'reopened';
  readonly date: BusinessDate;
  /** The number of the closing that a reopening reverses. */
  readonly reopens: number | undefined;
  /** The id of the pages of a closing. */
  readonly closeId: string | undefined;
  /** JSON: the proof, the digests of the pages, the persons and the reason. */
  readonly content: string;
  readonly previousDigest: string | undefined;
  readonly digest: string;
  readonly recordedAt: Instant;
  readonly recordedBy: string;
}

/** A link without its content. */
export type SealHead = Omit<Seal, 'content' | 'closeId' | 'previousDigest'>;

/** A part of the digest, so that a later version can recognize old seals. */
const SEAL_FORMAT = 1;

export function digestOfSeal(seal: Omit<Seal, 'digest'>): string {
  const { number, kind, date, reopens, closeId, content, previousDigest, recordedAt, recordedBy } = seal;
  return fingerprintOf(
    ...[SEAL_FORMAT, number, kind, date, reopens ?? null, closeId ?? null],
    ...[content, previousDigest ?? null, recordedAt, recordedBy],
  );
}

/** Returns the standing closings by day. Only the last one can be reversed, so their days have no gap. */
export function standingSeals<T extends SealHead>(chain: readonly T[]): T[] {
  const takenBack = new Set(chain.map(({ reopens }) => reopens));
  return chain.filter(({ kind, number }) => kind === 'closed' && !takenBack.has(number));
}
