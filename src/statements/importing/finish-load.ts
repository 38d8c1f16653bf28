import type { Database, Session } from '../../db';
import { type Actor, openAuditTrail } from '../../identity';
import { AppError, pagesOf } from '../../kernel';
import { openChain } from '../chain/chain-store';
import { type Contradiction, findContradiction } from '../chain/find-contradiction';
import {
  describeDiscontinuity,
  describeOverlap,
  openOverlapBreak,
  syncStatementGaps,
} from '../chain/sync-statement-gaps';
import type { Statement, StatementFile } from '../statement-records';
import { openKnownRows } from './known-rows-store';
import type { Slot } from './take-slot';

/** The last transaction checks every statement of the file and of its accounts, but writes few rows. */
export const FINISH_DEADLINE_MS = 60_000;
const CHECK_DEADLINE_MS = 120_000;
/** The number of statements between two renewals of the slot. */
const STATEMENTS_PER_CHECK = 50;

export interface FinishRequest {
  readonly file: StatementFile;
  readonly statements: readonly Statement[];
  readonly slot: Slot;
  readonly actor: Actor;
}

/**
 * Makes a loaded file visible in one short transaction: puts contradicting statements on hold, syncs the breaks of its
 * accounts and records the actor. Returns the warnings, one text each.
 */
export async function finishLoad(
  database: Database,
  { file, statements, slot, actor }: FinishRequest,
): Promise<readonly string[]> {
  await requireOneName(database, statements);
  const contradictions = await findContradictions(database, statements, slot);
  const by = { at: file.importedAt, actor: actor.name };
  let warnings: string[] = [];
  await slot.finish(database, FINISH_DEADLINE_MS, async (session) => {
    for (const { statement, contradiction } of contradictions) {
      await openChain(session).hold(statement.id, file.importedAt);
      await openOverlapBreak(session, { statement, ...contradiction }, by);
    }
    warnings = [
      ...contradictions.map(({ statement, contradiction: { other, day } }) => describeOverlap(statement, other, day)),
      ...(await syncGapsOf(session, statements, by)),
    ];
    await openAuditTrail(session).record({
      at: file.importedAt,
      actor,
      action: 'statement.imported',
      subject: `statement_file:${file.id}`,
      detail: { fileId: file.id, sha256: file.sha256, statements: statements.length },
    });
  });
  return warnings;
}

/** Refuses a second name of a stored account, because each movement would be posted twice. */
async function requireOneName(database: Database, statements: readonly Statement[]): Promise<void> {
  const accounts = [...new Set(statements.map(({ account }) => account))];
  const found = await database.read((session) => openKnownRows(session).namesOf(accounts));
  const [known] = found.filter((name) => !accounts.includes(name));
  if (known === undefined) return;
  throw new AppError('bad_input', {
    field: 'account',
    expected: `${known}, the name of the account in stored statements`,
    got: accounts.join(', '),
    fix: `nothing was stored; import the file with ${known}, because a RIB and its IBAN are one account`,
  });
}

async function findContradictions(
  database: Database,
  statements: readonly Statement[],
  slot: Slot,
): Promise<{ statement: Statement; contradiction: Contradiction }[]> {
  const found: { statement: Statement; contradiction: Contradiction }[] = [];
  for (const page of pagesOf(statements, STATEMENTS_PER_CHECK)) {
    await slot.read(database, CHECK_DEADLINE_MS, async (session) => {
      for (const statement of page) {
        const contradiction = await findContradiction(openChain(session), statement);
        if (contradiction !== undefined) found.push({ statement, contradiction });
      }
    });
  }
  return found;
}

async function syncGapsOf(
  session: Session,
  statements: readonly Statement[],
  by: { readonly at: number; readonly actor: string },
): Promise<string[]> {
  const accounts = new Map(
    statements.map(({ account, currency }) => [`${currency} ${account}`, { account, currency }]),
  );
  const fresh = new Set(statements.map(({ id }) => id));
  const warnings: string[] = [];
  for (const account of accounts.values()) {
    const found = await syncStatementGaps(session, account, by);
    const ofThisFile = found.filter(({ before, next }) => fresh.has(before.id) || fresh.has(next.id));
    warnings.push(...ofThisFile.map(describeDiscontinuity));
  }
  return warnings;
}
