import { isRecognized } from './is-recognized';
import type { ParsedLine, ParsedStatement } from './parsed-statement';

/** The booked credits of a statement, and how many of them each pattern recognizes. */
export interface CreditsByPattern {
  readonly credits: number;
  readonly recognized: ReadonlyMap<RegExp, number>;
}

/** Counts credits by pattern, because the account, which decides the pattern, may be known only after the lines. */
export class CreditCounter {
  #credits = 0;
  readonly #recognized: Map<RegExp, number>;

  constructor(patterns: readonly RegExp[]) {
    this.#recognized = new Map(patterns.map((pattern) => [pattern, 0]));
  }

  add(line: ParsedLine): void {
    if (line.status !== 'booked' || line.amount.units <= 0n) return;
    this.#credits += 1;
    for (const [pattern, count] of this.#recognized) {
      if (isRecognized(pattern, line)) this.#recognized.set(pattern, count + 1);
    }
  }

  found(): CreditsByPattern {
    return { credits: this.#credits, recognized: this.#recognized };
  }
}

/** How many credits of a file its payout pattern recognizes. */
export interface RecognizedCredits {
  readonly credits: number;
  readonly recognized: number;
  /** The source of the pattern. */
  readonly pattern: string;
}

/** Returns how many credits the payout patterns of a file's accounts recognize; undefined without a pattern. */
export function recognizedCredits(
  payoutPattern: (account: string | undefined) => RegExp | undefined,
  statements: readonly { readonly parsed: Pick<ParsedStatement, 'account'>; readonly credits: CreditsByPattern }[],
): RecognizedCredits | undefined {
  let sum: RecognizedCredits | undefined;
  for (const { parsed, credits: found } of statements) {
    const pattern = payoutPattern(parsed.account);
    if (pattern === undefined) continue;
    const { credits, recognized } = sum ?? { credits: 0, recognized: 0 };
    sum = {
      credits: credits + found.credits,
      recognized: recognized + (found.recognized.get(pattern) ?? 0),
      pattern: pattern.source,
    };
  }
  return sum;
}
