import type { Database, Session } from '../../db';
import { type Actor, openAuditTrail } from '../../identity';
import { type Notice, pagesOf } from '../../kernel';
import { openChain } from '../chain/chain-store';
import { type Contradiction, findContradiction } from '../chain/find-contradiction';
import {
  describeDiscontinuity,
  describeOverlap,
  openOverlapBreak,
  syncStatementGaps,
} from '../chain/sync-statement-gaps';
import type { Statement, StatementFile } from '../statement-records';
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
 * accounts and records the actor. Returns the warnings.
 */
export async function finishLoad(
  database: Database,
  { file, statements, slot, actor }: FinishRequest,
): Promise<readonly Notice[]> {
  const contradictions = await findContradictions(database, statements, slot);
  const by = { at: file.importedAt, actor: actor.name };
  let warnings: Notice[] = [];
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
): Promise<Notice[]> {
  const accounts = new Map(
    statements.map(({ account, currency }) => [`${currency} ${account}`, { account, currency }]),
  );
  const fresh = new Set(statements.map(({ id }) => id));
  const warnings: Notice[] = [];
  for (const account of accounts.values()) {
    const found = await syncStatementGaps(session, account, by);
    const ofThisFile = found.filter(({ before, next }) => fresh.has(before.id) || fresh.has(next.id));
    warnings.push(...ofThisFile.map((each) => ({ text: describeDiscontinuity(each) })));
  }
  return warnings;
}
