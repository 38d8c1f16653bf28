import type { LogFindings } from '../backups';
import type { Millime } from '../compose';
import { formatDinars, millimes, shownText } from '../kernel';
import { type BooksVerdict, verifyBooks } from '../verify-books';
import { type CliIo, EXIT, type ExitCode } from './command';
import { t, texts } from './language';
import { printTable } from './print-table';

/** The result of `ledger verify`, in its JSON form. */
export interface LedgerVerdict extends BooksVerdict {
  /** What the log of the service has that the database lacks; only if a log was given. */
  readonly log?: LogFindings;
}

/** Checks every invariant of the ledger and every seal, and compares the logs with the stored confirms. */
export async function verifyLedger(millime: Millime, logs: readonly string[]): Promise<LedgerVerdict> {
  const verdict = await verifyBooks(millime);
  if (logs.length === 0) return verdict;
  const { findUnstoredConfirms } = await import('../backups/index.js');
  return { ...verdict, log: await findUnstoredConfirms(millime.database, logs) };
}

export function exitCodeOf({ broken, log }: LedgerVerdict): ExitCode {
  return broken.length === 0 && (log?.unstored ?? []).length === 0 ? EXIT.done : EXIT.breaks;
}

export function printVerdict({ invariants, broken, log }: LedgerVerdict, io: CliIo, millime: Millime): void {
  if (broken.length === 0) {
    io.line(t('cli:ledger.verified', { invariants: t('cli:count.invariant', { count: invariants }) }));
  }
  for (const { name, rows } of broken) {
    io.line(t('cli:ledger.broken', { name: texts().phrase(name) }));
    for (const each of rows) io.line(`  ${JSON.stringify(each)}`);
  }
  if (log !== undefined) printLog(log, io, millime);
}

function printLog({ answered, unstored, hasGaps }: LogFindings, io: CliIo, { calendar }: Millime): void {
  if (answered === 0) io.line(t('cli:ledger.log.none'));
  else if (unstored.length === 0) {
    io.line(t('cli:ledger.log.all', { confirms: t('cli:count.confirm', { count: answered }) }));
  } else {
    const confirms = t('cli:count.confirm', { count: unstored.length });
    const unknown = t('cli:ledger.unknown');
    io.line(t('cli:ledger.log.unstored', { confirms }));
    const rows = unstored.map(({ transactionId, agentId, amountMillimes, answeredAt }) => [
      shownText(transactionId),
      shownText(agentId ?? unknown),
      amountMillimes === null ? unknown : formatDinars(millimes(amountMillimes)),
      answeredAt === null ? unknown : calendar.formatLocal(Date.parse(answeredAt)),
    ]);
    printTable(io, ['transaction id', 'agent', { right: 'amount' }, 'answered'], rows, confirms);
  }
  if (hasGaps) io.line(t('cli:ledger.log.gaps'));
}
