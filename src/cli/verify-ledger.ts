import type { LogFindings } from '../backups';
import type { Millime } from '../compose';
import { formatDinars, millimes, shownText } from '../kernel';
import { type BooksVerdict, verifyBooks } from '../verify-books';
import { type CliIo, EXIT, type ExitCode } from './command';
import { t } from './language';
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
  if (broken.length === 0) io.line(`ledger verified: ${t('cli:count.invariant', { count: invariants })} hold`);
  for (const { name, rows } of broken) {
    io.line(`broken: ${name}`);
    for (const each of rows) io.line(`  ${JSON.stringify(each)}`);
  }
  if (log !== undefined) printLog(log, io, millime);
}

function printLog({ answered, unstored, hasGaps }: LogFindings, io: CliIo, { calendar }: Millime): void {
  if (answered === 0) io.line('log: no confirm answered 0 in it; the service logs them from LOG_LEVEL=info on');
  else if (unstored.length === 0) {
    io.line(`log: all of ${t('cli:count.confirm', { count: answered })} answered 0 are stored`);
  } else {
    io.line(
      `log: ${t('cli:count.confirm', { count: unstored.length })} answered 0 and not stored; ask the gateway to repeat them`,
    );
    const rows = unstored.map(({ transactionId, agentId, amountMillimes, answeredAt }) => [
      shownText(transactionId),
      shownText(agentId ?? 'unknown'),
      amountMillimes === null ? 'unknown' : formatDinars(millimes(amountMillimes)),
      answeredAt === null ? 'unknown' : calendar.formatLocal(Date.parse(answeredAt)),
    ]);
    printTable(
      io,
      ['transaction id', 'agent', { right: 'amount' }, 'answered'],
      rows,
      t('cli:count.confirm', { count: rows.length }),
    );
  }
  if (hasGaps) io.line('log: the service dropped lines of it; more confirms may be missing');
}
