import type { Millimes } from '../kernel';
import type { ParsedStatement } from './parsed-statement';
import { describeProof, proveStatement, type StatementVerdict } from './prove-statement';

/** What a dry run says of a statement: amounts as decimal text, as scripts outside compare them. */
export interface StatementSummary {
  readonly account: string | null;
  readonly currency: string;
  readonly opening: string | null;
  readonly closing: string | null;
  readonly entries: number;
  readonly credits: string;
  readonly debits: string;
}

export interface FileSummary {
  /** The worst of the file's statements. */
  readonly verdict: StatementVerdict;
  readonly statements: readonly StatementSummary[];
  /** One text per statement that does not prove itself. */
  readonly faults: readonly string[];
}

const WORST_FIRST: readonly StatementVerdict[] = ['unbalanced', 'no-proof', 'ok'];

export function summarizeStatements(statements: readonly ParsedStatement[]): FileSummary {
  const proofs = statements.map(proveStatement);
  return {
    verdict: WORST_FIRST.find((verdict) => proofs.some((proof) => proof.verdict === verdict)) ?? 'no-proof',
    statements: statements.map((statement) => summarize(statement)),
    faults: proofs.filter(({ verdict }) => verdict !== 'ok').map(describeProof),
  };
}

function summarize(statement: ParsedStatement): StatementSummary {
  const { credits, debits } = proveStatement(statement);
  const has = (counts: (amount: Millimes) => boolean): boolean => statement.lines.some(({ amount }) => counts(amount));
  return {
    account: statement.account ?? null,
    currency: statement.currency,
    opening: statement.opening === undefined ? null : decimalDinars(statement.opening),
    closing: statement.closing === undefined ? null : decimalDinars(statement.closing),
    entries: statement.lines.length,
    // Where no line goes that way there is nothing to add up: plain 0.
    credits: has((amount) => amount >= 0) ? decimalDinars(credits) : '0',
    debits: has((amount) => amount < 0) ? decimalDinars(debits) : '0',
  };
}

/** `60343.483`: a point, three decimals, no grouping. */
export function decimalDinars(amount: Millimes): string {
  const digits = String(Math.abs(amount)).padStart(4, '0');
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`;
}
