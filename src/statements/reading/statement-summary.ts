import { formatDecimal } from './currencies';
import { type Decimal, decimalText, subtractDecimals } from './decimal';
import {
  describeProof,
  describeRemark,
  type LineSums,
  type ProofFault,
  type StatementVerdict,
} from './prove-statement';
import type { ScannedStatement } from './scan-bank-file';

/** The summary of a statement in a dry run. Amounts are decimal text, because external scripts compare them. */
export interface StatementSummary {
  readonly account: string | null;
  readonly currency: string | null;
  readonly opening: string | null;
  readonly closing: string | null;
  /** Of its booked lines, as an import stores them; of a report that books none, what it announces. */
  readonly entries: number;
  readonly credits: string;
  readonly debits: string;
  /** The lines that are only announced. */
  readonly pendingEntries: number;
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

/** Returns the sums of a statement for people, and how many of its lines an import stores as announced. */
export function sumsOf({ parsed: { kind }, proof: { all, booked } }: ScannedStatement): {
  readonly sums: LineSums;
  readonly pendingEntries: number;
} {
  // Every line of an interim report is announced, and perhaps every one of a notification: then there is no other sum.
  if (kind === 'interim' || (kind === 'notification' && booked.entries === 0)) {
    return { sums: all, pendingEntries: all.entries };
  }
  return { sums: booked, pendingEntries: all.entries - booked.entries };
}

function summarize(statement: ScannedStatement): StatementSummary {
  const { parsed, proof } = statement;
  const { sums, pendingEntries } = sumsOf(statement);
  return {
    account: parsed.account ?? null,
    currency: parsed.currency ?? null,
    opening: textOrNull(parsed.opening?.amount),
    closing: textOrNull(parsed.closing?.amount),
    entries: sums.entries,
    credits: decimalText(sums.credits),
    debits: decimalText(sums.debits),
    pendingEntries,
    verdict: proof.verdict,
    missing: proof.missing,
  };
}

function textOrNull(amount: Decimal | undefined): string | null {
  return amount === undefined ? null : decimalText(amount);
}
