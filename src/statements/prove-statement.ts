import { AppError, formatDinars, toMillimes, totalToJson, unreachable, type Millimes } from '../kernel';
import type { ParsedLine, ParsedStatement } from './parsed-statement';

export type StatementVerdict = 'ok' | 'unbalanced' | 'no-proof';

/** Where a statement contradicts itself: what its lines add up to, and what the bank wrote. */
export interface ProofFault {
  readonly kind: 'running_balance' | 'credits_total' | 'debits_total' | 'closing';
  /** For a running balance: the first line of the file where it breaks. */
  readonly fileLine?: number;
  readonly computed: bigint;
  readonly stated: Millimes;
}

export type StatementSums = { readonly credits: Millimes; readonly debits: Millimes };

export type StatementProof = StatementSums &
  (
    | { readonly verdict: 'ok'; readonly opening: Millimes; readonly closing: Millimes }
    | { readonly verdict: 'unbalanced'; readonly fault: ProofFault }
    | { readonly verdict: 'no-proof'; readonly missing: readonly ('opening' | 'closing')[] }
  );

/**
 * Says whether a statement proves itself: opening + credits − debits = closing, each running balance follows from the
 * one before, and the bank's own totals agree. A contradiction outweighs a missing balance.
 *
 * @throws AppError `bad_input` when the lines add up to more than an amount can be.
 */
export function proveStatement(statement: ParsedStatement): StatementProof {
  const credits = sumOf(statement.lines, (amount) => amount > 0);
  const debits = -sumOf(statement.lines, (amount) => amount < 0);
  if (typeof totalToJson(credits) === 'string' || typeof totalToJson(debits) === 'string') {
    throw new AppError('bad_input', 'the lines add up to more than we can keep');
  }
  const sums: StatementSums = { credits: toMillimes(credits), debits: toMillimes(debits) };
  const { opening, closing, totals } = statement;
  const fault =
    runningBalanceFault(statement) ??
    disagreement('credits_total', credits, totals.credits) ??
    disagreement('debits_total', debits, totals.debits);
  if (fault !== undefined) return { ...sums, verdict: 'unbalanced', fault };
  if (opening === undefined || closing === undefined) {
    const missing = [
      ...(opening === undefined ? (['opening'] as const) : []),
      ...(closing === undefined ? (['closing'] as const) : []),
    ];
    return { ...sums, verdict: 'no-proof', missing };
  }
  const unequal = disagreement('closing', BigInt(opening) + credits - debits, closing);
  if (unequal !== undefined) return { ...sums, verdict: 'unbalanced', fault: unequal };
  return { ...sums, verdict: 'ok', opening, closing };
}

/** One line for people; empty for a statement that proves itself. */
export function describeProof(proof: StatementProof): string {
  switch (proof.verdict) {
    case 'ok':
      return '';
    case 'no-proof':
      return `the ${proof.missing.join(' and the ')} balance is missing: nothing can be proven`;
    case 'unbalanced':
      return describeFault(proof.fault);
    default:
      return unreachable(proof);
  }
}

const FAULT_SUBJECT: Readonly<Record<ProofFault['kind'], string>> = {
  running_balance: 'the running balance',
  credits_total: 'the total of the credits',
  debits_total: 'the total of the debits',
  closing: 'the closing balance',
};

function describeFault({ kind, fileLine, computed, stated }: ProofFault): string {
  const place = fileLine === undefined ? '' : `line ${fileLine}: `;
  const difference = formatDinars(computed - BigInt(stated));
  return (
    `${place}${FAULT_SUBJECT[kind]} should be ${formatDinars(computed)} and the bank says ` +
    `${formatDinars(stated)}: a difference of ${difference}`
  );
}

function runningBalanceFault({ opening, lines }: ParsedStatement): ProofFault | undefined {
  let balance = opening === undefined ? undefined : BigInt(opening);
  for (const { amount, balanceAfter, fileLine } of lines) {
    if (balance !== undefined) balance += BigInt(amount);
    if (balanceAfter === undefined) continue;
    if (balance !== undefined && balance !== BigInt(balanceAfter)) {
      return { kind: 'running_balance', fileLine, computed: balance, stated: balanceAfter };
    }
    balance = BigInt(balanceAfter);
  }
  return undefined;
}

function disagreement(
  kind: ProofFault['kind'],
  computed: bigint,
  stated: Millimes | undefined,
): ProofFault | undefined {
  return stated === undefined || BigInt(stated) === computed ? undefined : { kind, computed, stated };
}

function sumOf(lines: readonly ParsedLine[], counts: (amount: Millimes) => boolean): bigint {
  return lines.reduce((sum, { amount }) => (counts(amount) ? sum + BigInt(amount) : sum), 0n);
}
