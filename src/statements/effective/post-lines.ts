import type { Database, Session } from '../../db';
import {
  addDays,
  type BusinessCalendar,
  type BusinessDate,
  type Clock,
  type Instant,
  millimes,
  newId,
} from '../../kernel';
import {
  type Account,
  BANK_UNMATCHED,
  bankAccount,
  moved,
  type NewLedgerTransaction,
  OPENING_BALANCES,
  openLedger,
  type Posting,
} from '../../ledger';
import { openAccounts } from '../account-store';
import { openChain } from '../chain/chain-store';
import { findFirst } from '../chain/find-first';
import { earliestOf } from '../chain/statement-chain';
import { openLoads } from '../load-store';
import { waitForOtherDecisions } from '../other-decisions';
import { POSTED_CURRENCY, type Statement } from '../statement-records';
import { openStatements } from '../statement-store';
import { lineReference, type LineToPost, openPosting } from './posting-store';

/** Many on MariaDB, where a commit is slow. Few on SQLite, where a serving process waits for the only write lock. */
const LINES_PER_TRANSACTION = { mariadb: 2_000, sqlite: 500 } as const;
const DEADLINE_MS = 60_000;
const RECORDED_BY = 'statements';

export interface PostingDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
}

/**
 * Posts every effective line that the ledger lacks. Its amount moves between `bank:<account>` and bank_unmatched, and
 * the balance before the first line between `bank:<account>` and opening_balances. Each page is one transaction and
 * each line has one reference, so an interrupted posting resumes. If two processes post concurrently, one meets the
 * other's reference and repeats.
 */
export async function postLines(deps: PostingDeps, signal?: AbortSignal): Promise<void> {
  const files = await deps.database.read((session) => openPosting(session).filesToPost());
  for (const fileId of files) {
    const statements = await deps.database.read((session) => openPosting(session).effectiveStatements(fileId));
    for (const statement of statements) {
      await postStatement(deps, statement, 'own', signal);
      await postStatement(deps, statement, 'known', signal);
    }
    await finish(deps, fileId, statements);
  }
}

async function postStatement(
  { database, clock, calendar }: PostingDeps,
  statement: Statement,
  which: 'own' | 'known',
  signal: AbortSignal | undefined,
): Promise<void> {
  const limit = LINES_PER_TRANSACTION[database.dialect];
  for (let after = 0, more = true; more;) {
    signal?.throwIfAborted();
    const page = await database.transact(
      async (session) => {
        const lines = await openPosting(session).linesAfter(statement.id, { after, limit, which });
        const missing = lines.filter(({ posted, amount }) => !posted && amount !== 0);
        await openLedger(session).post(missing.map((line) => lineTransaction(line, calendar, clock.now())));
        return lines;
      },
      { retryDuplicate: true, retryUnknownOutcome: true, deadlineMs: DEADLINE_MS },
    );
    after = page.at(-1)?.position ?? after;
    more = page.length === limit;
  }
}

function lineTransaction(line: LineToPost, calendar: BusinessCalendar, recordedAt: Instant): NewLedgerTransaction {
  return {
    id: newId(),
    reference: lineReference(line.id),
    code: 'statement_line',
    occurredAt: calendar.startOf(line.bookingDate),
    recordedAt,
    recordedBy: RECORDED_BY,
    postings: [moved(bankAccount(line.account), BANK_UNMATCHED, line.amount)],
  };
}

/** Posts the opening balances and marks the file as posted, unless another of its statements was accepted meanwhile. */
async function finish(deps: PostingDeps, fileId: string, posted: readonly Statement[]): Promise<void> {
  await deps.database.transact(
    async (session) => {
      const store = openPosting(session);
      await waitForOtherDecisions(session);
      const now = await store.effectiveStatements(fileId);
      if (now.length !== posted.length) return;
      for (const account of new Set(posted.map((statement) => statement.account))) {
        await postOpening(session, deps, await openAccounts(session).rootOf(account));
      }
      await openLoads(session).setState(fileId, 'posted');
    },
    { retryDuplicate: true, retryUnknownOutcome: true, deadlineMs: DEADLINE_MS },
  );
}

/**
 * Posts the balance before the account's first line, or its change since the last posting, because a statement of
 * earlier days may be imported later, and another name may be joined to the account.
 */
export async function postOpening(session: Session, { calendar, clock }: PostingDeps, account: string): Promise<void> {
  const opening = await openingToPost(session, account);
  if (opening === undefined) return;
  const { day, change, count } = opening;
  await openLedger(session).post([
    {
      id: newId(),
      reference: count === 0 ? `opening:${account}` : `opening:${account}:${count + 1}`,
      code: 'opening_balance',
      occurredAt: day === undefined ? clock.now() : calendar.startOf(day),
      recordedAt: clock.now(),
      recordedBy: RECORDED_BY,
      postings: movedInParts(bankAccount(account), OPENING_BALANCES, change),
    },
  ]);
}

interface OpeningToPost {
  readonly day: BusinessDate | undefined;
  readonly change: bigint;
  /** The number of earlier postings of the opening balance. */
  readonly count: number;
}

/** Returns the part of an account's opening balance that the ledger lacks; undefined if it lacks nothing. */
async function openingToPost(session: Session, account: string): Promise<OpeningToPost | undefined> {
  const store = openPosting(session);
  const first = await findFirst(
    openChain(session),
    earliestOf(await openStatements(session).chain(account, POSTED_CURRENCY)),
  );
  if (first?.openingMinor === undefined) return undefined;
  const day = first.firstDate ?? first.from ?? first.through;
  const before = day === undefined ? 0n : await store.effectiveBefore(account, day);
  const { total, count } = await store.postedOpening(account);
  const change = BigInt(first.openingMinor) - before - total;
  return change === 0n ? undefined : { day, change, count };
}

/** What the ledger lacks of a statement, in millimes, and the balance of its account afterwards. */
export interface ToPost {
  readonly lines: number;
  readonly credits: bigint;
  readonly debits: bigint;
  readonly balanceAfter: bigint;
}

/** Returns what is to be posted of an effective statement; undefined for another currency than the ledger's. */
export async function findToPost(session: Session, statement: Statement): Promise<ToPost | undefined> {
  if (statement.currency !== POSTED_CURRENCY) return undefined;
  const limit = LINES_PER_TRANSACTION[session.dialect];
  const sums = { lines: 0, credits: 0n, debits: 0n };
  for (const which of ['own', 'known'] as const) {
    for (let after = 0, more = true; more;) {
      const page = await openPosting(session).linesAfter(statement.id, { after, limit, which });
      for (const { posted, amount } of page) {
        if (posted || amount === 0) continue;
        sums.lines += 1;
        if (amount > 0) sums.credits += BigInt(amount);
        else sums.debits -= BigInt(amount);
      }
      after = page.at(-1)?.position ?? after;
      more = page.length === limit;
    }
  }
  const account = await openAccounts(session).rootOf(statement.account);
  let balance = (await openingToPost(session, account))?.change ?? 0n;
  for (const name of await openAccounts(session).namesOf(account)) {
    balance += await openLedger(session).sumOf(bankAccount(name));
  }
  return { ...sums, balanceAfter: balance + sums.credits - sums.debits };
}

/** Returns the balance of a bank account at the end of a day, in millimes, once every effective line is posted. */
export async function balanceThrough(session: Session, name: string, day: BusinessDate): Promise<bigint> {
  const account = await openAccounts(session).rootOf(name);
  const { total } = await openPosting(session).postedOpening(account);
  const change = (await openingToPost(session, account))?.change ?? 0n;
  return total + change + (await openPosting(session).effectiveBefore(account, addDays(day, 1)));
}

const POSTING_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Returns the postings that move an amount, none for 0. The difference of two balances may exceed the largest amount of
 * one posting: refusing it here would block the posting of every later file.
 */
function movedInParts(bank: Account, other: Account, amount: bigint): Posting[] {
  const postings: Posting[] = [];
  for (let left = amount; left !== 0n;) {
    const part = left > POSTING_MAX ? POSTING_MAX : left < -POSTING_MAX ? -POSTING_MAX : left;
    postings.push(moved(bank, other, millimes(Number(part))));
    left -= part;
  }
  return postings;
}
