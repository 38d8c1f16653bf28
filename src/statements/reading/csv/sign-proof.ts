import { quoted } from '../../../kernel';
import { amountParts } from '../amount-text';
import { DIRECTION_WORDS } from '../direction-words';
import { noProposal } from './no-proposal';
import type { ProposedHeader } from './propose-header';
import { WordProof } from './word-proof';

type DirectionProof = WordProof<'debit' | 'credit'>;

export interface ProvenSigns {
  readonly direction: { readonly column: string; readonly debit: string[]; readonly credit: string[] } | undefined;
  readonly reason: string;
}

/** No word for debit or credit is longer, so longer texts are skipped. */
const WORD_CHARACTERS_MAX = 12;

/**
 * Finds what distinguishes a debit from a credit if both are in one column: the sign, or a word in another column. It
 * checks every column without another meaning, because a missed one would turn debits into credits.
 */
export class SignProof {
  readonly #header: ProposedHeader;
  readonly #proofs = new Map<number, DirectionProof>();
  #signed = false;
  /** By column, the first row with a minus beside a word for credit, or without one beside a word for debit. */
  readonly #conflicts = new Map<number, string>();

  constructor(header: ProposedHeader) {
    this.#header = header;
    const named = header.columns.get('direction');
    const meant = new Set(
      [...header.columns].filter(([role]) => role !== 'transactionCode').map(([, { index }]) => index),
    );
    header.names.forEach((_name, index) => {
      if (named === undefined ? !meant.has(index) : named.index === index) {
        this.#proofs.set(index, new WordProof(DIRECTION_WORDS, ['debit', 'credit']));
      }
    });
  }

  see(cells: readonly string[], amount: string, line: number): void {
    const { signed = false, negative = false } = amountParts(amount) ?? {};
    this.#signed ||= signed;
    for (const [index, proof] of this.#proofs) {
      const cell = (cells[index] ?? '').trim();
      if (cell.length > WORD_CHARACTERS_MAX) continue;
      const kind = proof.see(cell, `line ${line}, column "${this.#header.names[index] ?? ''}"`);
      if (kind !== undefined && (kind === 'debit') !== negative && !this.#conflicts.has(index)) {
        this.#conflicts.set(
          index,
          `line ${line}: the sign of the amount and the word for ${kind} contradict each other`,
        );
      }
    }
  }

  /**
   * Returns the signs. @throws AppError `bad_input` if words and signs contradict each other, or some words are
   * unknown.
   */
  result(): ProvenSigns {
    const known = [...this.#proofs].filter(([, proof]) => proof.anyKnown);
    const [first, second] = known;
    if (this.#signed) {
      const conflict = known.find(([index, proof]) => proof.stranger === undefined && this.#conflicts.has(index));
      if (conflict !== undefined) throw noProposal(this.#conflicts.get(conflict[0]) ?? '');
      return { direction: undefined, reason: 'the amounts have signs; a minus is a debit' };
    }
    const named = this.#header.columns.get('direction');
    const stranger = (named && this.#proofs.get(named.index)?.stranger) ?? first?.[1].stranger;
    if (stranger !== undefined) throw noProposal(`${stranger} for debit or credit, and the amounts have no sign`);
    if (second !== undefined) throw noProposal('two columns state debit or credit; set direction in a profile');
    if (first === undefined) return { direction: undefined, reason: 'no amount has a minus; all are read as credits' };
    const direction = this.#wordsAt(...first);
    return { direction, reason: `the column ${quoted(direction.column)} states what is a debit` };
  }

  /** The words of the column right of the balances, which may be the signs of these; undefined if one is unknown or none is a debit. */
  get balanceMarks(): ProvenSigns['direction'] {
    const at = (this.#header.columns.get('balance')?.index ?? NaN) + 1;
    const proof = this.#proofs.get(at);
    return this.#header.names[at] !== '' && proof?.has('debit') === true && proof.stranger === undefined
      ? this.#wordsAt(at, proof)
      : undefined;
  }

  #wordsAt(index: number, proof: DirectionProof): NonNullable<ProvenSigns['direction']> {
    const column = this.#header.names[index] ?? '';
    return { column, debit: proof.wordsOf('debit'), credit: proof.wordsOf('credit') };
  }
}
