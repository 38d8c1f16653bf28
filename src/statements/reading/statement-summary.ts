import { type Decimal, decimalText } from './decimal';
import { describeProof, describeRemark, type StatementVerdict } from './prove-statement';
import type { ScannedStatement } from './scan-bank-file';

/** What a dry run says of a statement: amounts as decimal text, as scripts outside compare them. */
export interface StatementSummary {
  readonly account: string | null;
  readonly currency: string | null;
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
}

const WORST_FIRST: readonly StatementVerdict[] = ['unbalanced', 'no-proof', 'ok'];

/** The statements of a file as the file has them: each page by itself. */
export function summarizeStatements(statements: readonly ScannedStatement[]): FileSummary {
  return {
    verdict: WORST_FIRST.find((verdict) => statements.some(({ proof }) => proof.verdict === verdict)) ?? 'no-proof',
    statements: statements.map(summarize),
  };
}

/** One text per statement that does not prove itself, or that the bank's totals do not agree with. */
export function describeFaults(statements: readonly ScannedStatement[]): string[] {
  return statements
    .flatMap(({ proof }) => [describeProof(proof), describeRemark(proof)])
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
  };
}

function textOrNull(amount: Decimal | undefined): string | null {
  return amount === undefined ? null : decimalText(amount);
}
