import { fingerprintOf, type BusinessDate, type Instant } from '../../kernel';

/** One link of the chain: a day that was closed, or a closing that was taken back. Numbers run from 1 without a gap. */
export interface Seal {
  readonly number: number;
  readonly kind: 'closed' | 'reopened';
  readonly date: BusinessDate;
  /** The closing that a reopening takes back. */
  readonly reopens: number | undefined;
  /** Under which the pages of a closing stand. */
  readonly closeId: string | undefined;
  /** JSON: the proof, the digests of the pages, who and why. */
  readonly content: string;
  readonly previousDigest: string | undefined;
  readonly digest: string;
  readonly recordedAt: Instant;
  readonly recordedBy: string;
}

/** Without its content. */
export type SealHead = Omit<Seal, 'content' | 'closeId' | 'previousDigest'>;

/** Counts for the digest, so that a later version can tell how an old seal was made. */
const SEAL_FORMAT = 1;

export function digestOfSeal(seal: Omit<Seal, 'digest'>): string {
  const { number, kind, date, reopens, closeId, content, previousDigest, recordedAt, recordedBy } = seal;
  return fingerprintOf(
    ...[SEAL_FORMAT, number, kind, date, reopens ?? null, closeId ?? null],
    ...[content, previousDigest ?? null, recordedAt, recordedBy],
  );
}

/** The closings that stand, in the order of their days. Only the last one can be taken back, so their days are a run. */
export function standingSeals<T extends SealHead>(chain: readonly T[]): T[] {
  const takenBack = new Set(chain.map(({ reopens }) => reopens));
  return chain.filter(({ kind, number }) => kind === 'closed' && !takenBack.has(number));
}
