import { foldText } from '../../kernel';

/** The words of banks for a debit and a credit, in the form of `foldText`. */
export const DIRECTION_WORDS = {
  debit: ['d', 'db', 'dr', 'dbit', 'debit', 'debiteur', 'debitrice', 's', 'soll', 'مدين'],
  credit: ['c', 'cr', 'crdt', 'credit', 'crediteur', 'creditrice', 'h', 'haben', 'دائن'],
} as const satisfies Readonly<Record<'debit' | 'credit', readonly string[]>>;

export type Direction = keyof typeof DIRECTION_WORDS;

const KINDS: ReadonlyMap<string, Direction> = new Map(
  (['debit', 'credit'] as const).flatMap((kind) =>
    DIRECTION_WORDS[kind].map((word): [string, Direction] => [foldText(word), kind]),
  ),
);

/** Returns the meaning of `D`, `Cr` or `débiteur`; undefined for any other text. */
export function directionOf(word: string): Direction | undefined {
  return KINDS.get(foldText(word));
}
