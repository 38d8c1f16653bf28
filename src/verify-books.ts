import type { Millime } from './compose';
import { INVARIANT_COUNT } from './reporting';
import type { BooksVerdict } from './shapes/reports';

export type { BooksVerdict } from './shapes/reports';

const SEALS_INVARIANT = 'each closed day is as it was sealed';

/** Checks every invariant of the ledger and every seal. */
export async function verifyBooks({
  dayClosing,
  reporting,
}: Pick<Millime, 'dayClosing' | 'reporting'>): Promise<BooksVerdict> {
  const touched = await dayClosing.verify();
  const broken = [
    ...(await reporting.verifyBooks()),
    ...(touched.length === 0 ? [] : [{ name: SEALS_INVARIANT, rows: touched }]),
  ].map(({ name, rows }) => ({ name, rows: [...rows] }));
  return { invariants: INVARIANT_COUNT + 1, broken };
}
