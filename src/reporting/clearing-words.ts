import type { MovementKind } from './clearing-movements-read-model';
import type { ClearingPartLabel } from './clearing-parts-read-model';

/** The movements of a clearing account for people. */
export const MOVEMENT_WORDS: Readonly<Record<MovementKind, string>> = {
  succeeded: 'succeeded',
  refunded: 'refunded',
  fees: 'fees',
  tva: 'TVA on fees',
  payouts: 'paid out',
  payoutsReturned: 'payouts returned',
  writtenOff: 'written off',
  corrected: 'corrected',
};

/** The parts of a clearing balance for people. */
export const PART_WORDS: Readonly<Record<ClearingPartLabel, string>> = {
  unpaid_items: 'in transit',
  fees_posted: 'fees posted',
  paid_ahead: 'paid ahead',
  fees_ahead: 'fees ahead',
  forced: 'forced',
  written_off: 'written off',
  corrected: 'corrected',
  unexplained: 'unexplained',
};

/** Returns the words for a part; a part that is not listed stays as it is stored. */
export function partWords(part: string): string {
  return Object.hasOwn(PART_WORDS, part) ? PART_WORDS[part as ClearingPartLabel] : part;
}
