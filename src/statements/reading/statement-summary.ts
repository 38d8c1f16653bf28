import { formatDecimal } from './currencies';
import { type Decimal, decimalText, subtractDecimals } from './decimal';
import { describeProof, describeRemark, type ProofFault, type StatementVerdict } from './prove-statement';
import type { ScannedStatement } from './scan-bank-file';

/** The summary of a statement in a dry run. Amounts are decimal text, because external scripts compare them. */
export interface StatementSummary {
  readonly account: string | null;
  readonly currency: string | null;
  readonly opening: string | null;
  readonly closing: string | null;
  readonly entries: number;
  readonly credits: string;
  readonly debits: string;
  readonly verdict: StatementVerdict;
  /** The balances that the file does not state. */
  readonly missing: readonly ('opening' | 'closing')[];
}

/** A figure of the bank that its lines contradict. */
export interface Difference {
  /** The position of the statement in the file; the first is 1. */
  readonly statement: number;
  readonly kind: ProofFault['kind'];
  readonly fileLine: number | null;
  /** What the lines add up to, what the bank states, and the first less the second. */
  readonly computed: string;
  readonly stated: string;
  readonly difference: string;
}

export interface FileSummary {
  /** The worst of the file's statements. */
  readonly verdict: StatementVerdict;
  readonly statements: readonly StatementSummary[];
}

const WORST_FIRST: readonly StatementVerdict[] = ['unbalanced', 'no-proof', 'ok'];

/** Returns the statements of a file as written there, each page separately. */
export function summarizeStatements(statements: readonly ScannedStatement[]): FileSummary {
  return {
    verdict: WORST_FIRST.find((verdict) => statements.some(({ proof }) => proof.verdict === verdict)) ?? 'no-proof',
    statements: statements.map(summarize),
  };
}

/** Returns the proof of what does not add up, for programs. */
export function differencesOf(statements: readonly ScannedStatement[]): Difference[] {
  return statements.flatMap(({ proof: { fault, remark } }, index) =>
    [fault, remark]
      .filter((each) => each !== undefined)
      .map(({ kind, fileLine, computed, stated }) => ({
        statement: index + 1,
        kind,
        fileLine: fileLine ?? null,
        computed: decimalText(computed),
        stated: decimalText(stated),
        difference: decimalText(subtractDecimals(computed, stated)),
      })),
  );
}

/** Returns one text for each statement that is not proven, or that disagrees with the bank's totals. */
export function describeFaults(statements: readonly ScannedStatement[]): string[] {
  return statements
    .flatMap(({ parsed, proof }) => {
      const amountText = (amount: Decimal): string => formatDecimal(amount, parsed.currency);
      return [describeProof(proof, amountText), describeRemark(proof, amountText)];
    })
    .filter((fault) => fault !== '');
}

function summarize({ parsed, proof }: ScannedStatement): StatementSummary {
  const { entries, credits, debits } = proof.all;
  return {
    account: parsed.account ?? null,
    currency: parsed.currency ?? null,
    opening: textOrNull(parsed.opening?.amount),
    closing: textOrNull(parsed.closing?.amount),
    entries,
    credits: decimalText(credits),
    debits: decimalText(debits),
    verdict: proof.verdict,
    missing: proof.missing,
  };
}

function textOrNull(amount: Decimal | undefined): string | null {
  return amount === undefined ? null : decimalText(amount);
}
