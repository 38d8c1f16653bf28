import type { Session } from '../../db';
import { AppError, type BusinessCalendar, type Instant, type Millimes, millimes, newId } from '../../kernel';
import { BANK_UNMATCHED, bankAccount, moved, openLedger, openPeriodLock } from '../../ledger';
import { openPosting } from '../effective/posting-store';
import { openRepeatedLines } from '../repeated-line-store';
import { POSTED_CURRENCY } from '../statement-records';
import { type ComparedLine, type DoubledLine, openOverlaps } from './overlap-store';
import { pairByDay } from './pair-by-day';

/** Returns which of these lines a match or a write-off uses, and locks the rows that decide it. */
export type LinesInUse = (session: Session, lineIds: readonly string[]) => Promise<ReadonlySet<string>>;

export interface RepeatDeps {
  readonly calendar: BusinessCalendar;
  readonly linesInUse: LinesInUse;
}

export interface RepeatRequest {
  /** The names that are joined, and their account. */
  readonly names: readonly string[];
  readonly account: string;
  readonly at: Instant;
  readonly actor: string;
  readonly reason: string;
}

/** The lines that no longer count, and what their reversed postings had brought to and taken from the bank account. */
export interface RepeatedSum {
  readonly lines: number;
  readonly credits: Millimes;
  readonly debits: Millimes;
}

/**
 * Records which lines of joined names repeat a line of their account, and reverses their postings. The line of the
 * account stays, unless only the other one is in use.
 * @throws AppError `movement_used_twice` if both lines of a movement are in use; `unavailable` while lines are posted.
 */
export async function repeatLines(session: Session, deps: RepeatDeps, request: RepeatRequest): Promise<RepeatedSum> {
  const { names, account, at, actor, reason } = request;
  const equal = await openOverlaps(session).doubledLines(names, account);
  const pairs = [...equal, ...(await pairByDay(session, names, equal))];
  const store = openRepeatedLines(session);
  const ids = pairs.flatMap(({ line, other }) => [line.id, other.id]);
  const [inUse, staying] = [await deps.linesInUse(session, ids), await store.staying(ids)];
  const chosen = pairs.map((pair) => chooseRepeated(pair, { inUse, staying }));
  const dropped = chosen.map(({ repeated }) => repeated);
  await store.add(
    chosen.map(({ repeated, stays }) => ({
      lineId: repeated.id,
      staysId: stays.id,
      repeatedAt: at,
      repeatedBy: actor,
      reason,
    })),
  );
  // A match that is written meanwhile either sees these rows, or is seen here.
  const [used] = await deps.linesInUse(
    session,
    dropped.map(({ id }) => id),
  );
  if (used !== undefined) throw new AppError('line_matched', { lineId: used });
  const reversed = dropped.filter(({ currency, amountMinor }) => currency === POSTED_CURRENCY && amountMinor !== 0);
  await reversePostings(session, deps, reversed, request);
  const sumOf = (sign: number): Millimes =>
    millimes(reversed.reduce((sum, { amountMinor }) => sum + Math.max(0, sign * amountMinor), 0));
  return { lines: dropped.length, credits: sumOf(1), debits: sumOf(-1) };
}

function chooseRepeated(
  { line, other }: DoubledLine,
  { inUse, staying }: { readonly inUse: ReadonlySet<string>; readonly staying: ReadonlySet<string> },
): { readonly repeated: ComparedLine; readonly stays: ComparedLine } {
  if (!inUse.has(line.id) && !staying.has(line.id)) return { repeated: line, stays: other };
  if (!inUse.has(other.id) && !staying.has(other.id)) return { repeated: other, stays: line };
  throw new AppError('movement_used_twice', { lineId: line.id, otherId: other.id, day: line.bookingDate });
}

/** Reverses as of the day of each line, or as of the first open day if that one is closed. */
async function reversePostings(
  session: Session,
  { calendar }: RepeatDeps,
  lines: readonly ComparedLine[],
  { at, actor }: RepeatRequest,
): Promise<void> {
  const posted = await openPosting(session).transactionsOf(lines.map(({ id }) => id));
  if (posted.size < lines.length) {
    throw new AppError('unavailable', 'lines of the account are still being posted; run the command again');
  }
  const openFrom = await openPeriodLock(session).openFrom();
  await openLedger(session).post(
    lines.map(({ id, account, bookingDate, amountMinor }) => ({
      id: newId(),
      reference: `line-back:${id}`,
      code: 'reversal',
      occurredAt: Math.max(calendar.startOf(bookingDate), openFrom),
      recordedAt: at,
      recordedBy: actor,
      reversesId: posted.get(id) ?? '',
      postings: [moved(BANK_UNMATCHED, bankAccount(account), millimes(amountMinor))],
    })),
  );
}
