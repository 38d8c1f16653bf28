import { type BreakEvent, directionOf, type NewBreak, openBreakStore, type ReconBreak } from '../../breaks';
import type { Session } from '../../db';
import { type BusinessDate, type Instant, millimes, type Notice, sha256Hex } from '../../kernel';
import { openAccounts } from '../account-store';
import { formatMinorUnits, minorUnitsText } from '../reading/currencies';
import { POSTED_CURRENCY, type Statement } from '../statement-records';
import { openStatements } from '../statement-store';
import { openChain } from './chain-store';
import { type Discontinuity, findDiscontinuities } from './statement-chain';

const ACCOUNT_DIGEST_CHARACTERS = 32;

export interface AccountToSync {
  readonly account: string;
  readonly currency: string;
}

/**
 * Syncs the breaks `statement_gap` of one account with its statements: opens one for each pair of statements whose
 * balances do not follow, and resolves those whose missing statement was imported.
 */
export async function syncStatementGaps(
  session: Session,
  account: AccountToSync,
  { at, actor }: { readonly at: Instant; readonly actor: string },
): Promise<Discontinuity[]> {
  const statements = await openStatements(session).chain(account.account, account.currency);
  const found = await findDiscontinuities(statements, (a, b) => openChain(session).shareLines(a, b));
  const store = openBreakStore(session);
  const breaks = found.map(toBreak);
  const known = new Map<string, ReconBreak>();
  for (const name of await openAccounts(session).namesOf(account.account)) {
    const under = await store.under(prefixOf({ ...account, account: name }));
    for (const each of under) known.set(each.fingerprint, each);
  }
  await store.open(
    breaks.filter(({ fingerprint }) => !known.has(fingerprint)),
    at,
    actor,
  );
  for (const now of breaks) {
    const before = known.get(now.fingerprint);
    if (before?.status === 'resolved') await store.reopen(before.id, now, at, actor);
  }
  const still = new Set(breaks.map(({ fingerprint }) => fingerprint));
  for (const before of known.values()) {
    if (before.status !== 'resolved' && !still.has(before.fingerprint)) {
      await store.resolve(before.id, 'statement_came', at, actor);
    }
  }
  return found;
}

/** Opens the break of a statement that contradicts another. Its facts name the other one. */
export async function openOverlapBreak(
  session: Session,
  held: { readonly statement: Statement; readonly other: Statement; readonly day: BusinessDate },
  { at, actor }: { readonly at: Instant; readonly actor: string },
): Promise<void> {
  const { statement, other, day } = held;
  await openBreakStore(session).openNew(
    [
      {
        fingerprint: overlapFingerprint(statement),
        breakClass: 'statement_gap',
        since: day,
        amount: undefined,
        direction: 'unknown',
        subject: {
          itemIds: [],
          lineIds: [],
          facts: { kind: 'overlap', account: statement.account, statementId: statement.id, otherId: other.id, day },
        },
      },
    ],
    at,
    actor,
  );
}

interface OverlapEnd {
  readonly at: Instant;
  readonly actor: string;
  readonly resolution: 'statement_accepted' | 'statement_left_out';
  readonly detail?: BreakEvent['detail'];
}

/** Resolves the break of a statement on hold after a person decided, unless it is already resolved. */
export async function closeOverlapBreak(
  session: Session,
  statement: Statement,
  { at, actor, resolution, detail }: OverlapEnd,
): Promise<void> {
  const store = openBreakStore(session);
  const fingerprint = overlapFingerprint(statement);
  const open = (await store.byFingerprint([fingerprint])).get(fingerprint);
  if (open !== undefined && open.status !== 'resolved') await store.resolve(open.id, resolution, at, actor, detail);
}

/** Returns the warning for two statements whose balances do not follow. */
export function describeDiscontinuity({ kind, before, next, differenceMinor }: Discontinuity): string {
  const { currency } = next;
  const closes = `${nameOf(before)} closes with ${formatMinorUnits(before.closingMinor ?? 0, currency)}`;
  const opens = `${nameOf(next)} opens with ${formatMinorUnits(next.openingMinor ?? 0, currency)}`;
  const difference = `a difference of ${formatMinorUnits(differenceMinor, currency)}`;
  return kind === 'gap'
    ? `gap: a statement is missing in between: ${closes}, ${opens}: ${difference}`
    : `balance jump: no day is missing, but ${closes}, ${opens}: ${difference}`;
}

export function describeOverlap(statement: Statement, other: Statement, day: BusinessDate): Notice {
  return {
    text:
      `overlap: ${nameOf(statement)} and ${nameOf(other)} both cover ${day} with different lines; ` +
      'the first is not reconciled until a person accepts it',
    command: `run "millime statements accept ${statement.id} --reason ..."`,
  };
}

function nameOf({ id, firstDate, lastDate }: Statement): string {
  const days = firstDate === undefined || lastDate === undefined ? 'without lines' : `${firstDate} to ${lastDate}`;
  return `statement ${id} (${days})`;
}

/** Uses a digest, because an account may be longer than a fingerprint. */
function prefixOf({ account, currency }: AccountToSync): string {
  return `statement_gap:${sha256Hex(`${currency} ${account}`).slice(0, ACCOUNT_DIGEST_CHARACTERS)}:`;
}

function overlapFingerprint({ id }: Statement): string {
  return `statement_overlap:${id}`;
}

function toBreak({ kind, before, next, since, differenceMinor }: Discontinuity): NewBreak {
  const { account, currency } = next;
  // The difference of two balances may exceed the largest amount of a break.
  const isAmount = currency === POSTED_CURRENCY && Number.isSafeInteger(differenceMinor);
  const amount = isAmount ? millimes(differenceMinor) : undefined;
  return {
    fingerprint: `${prefixOf({ account, currency })}${before.id}:${next.id}`,
    breakClass: 'statement_gap',
    since,
    amount,
    // Bank less ledger: the missing lines brought the difference.
    direction: directionOf(amount === undefined ? undefined : -amount),
    subject: {
      itemIds: [],
      lineIds: [],
      facts: {
        kind,
        account,
        currency,
        beforeId: before.id,
        nextId: next.id,
        closes: minorUnitsText(before.closingMinor ?? 0, currency),
        opens: minorUnitsText(next.openingMinor ?? 0, currency),
      },
    },
  };
}
