import { openAgentDirectory, type Agent, type ImportOptions } from '../agents';
import type { Database, Session } from '../db';
import { openAuditTrail, requireScope } from '../identity';
import {
  AppError,
  describeLineFaults,
  newId,
  pagesOf,
  readCsvTable,
  sha256Hex,
  type Clock,
  type Instant,
  type LineFault,
} from '../kernel';
import { agentReceivable, DUES_ASSESSED, openLedger, type NewLedgerTransaction } from '../ledger';
import { readDue, sameDue, type Due } from './due';
import { openDueBook } from './due-store';

const COLUMNS = ['reference', 'agent_id', 'amount_millimes', 'due_date', 'memo'] as const;

// Each page is one transaction. Small, because on SQLite the whole of it keeps a serving process from writing.
const PAGE_ROWS = 100;

/** Checking a large file against the books takes longer than a payment may take. */
const CHECK_DEADLINE_MS = 120_000;

export interface DuesDeps {
  readonly database: Database;
  readonly clock: Clock;
}

export interface ImportDuesResult {
  readonly added: number;
  readonly unchanged: number;
  readonly addedMillimes: bigint;
}

interface Line {
  readonly line: number;
  readonly due: Due;
}

/**
 * Takes a file of dues (`reference,agent_id,amount_millimes,due_date,memo`) and posts each new one to its agent. The
 * file is checked whole, against the agents and the dues that are known, before the first row is written; the same file
 * twice changes nothing. What a run that was cut off has not written, the next run of the same file writes.
 *
 * @throws AppError `bad_input` with one detail per bad line; then nothing was stored.
 */
export async function importDues(deps: DuesDeps, file: Uint8Array, options: ImportOptions): Promise<ImportDuesResult> {
  requireScope(options.actor, 'dues:write');
  const { lines, faults } = readLines(file);
  refuse([...faults, ...(await faultsInBooks(deps.database, lines))]);
  const detail = { rows: lines.length, sha256: sha256Hex(file) };
  let added = 0;
  let addedMillimes = 0n;
  for (const page of pagesOf(lines, PAGE_ROWS)) {
    const written = await deps.database
      .transact(
        async (session) => {
          const at = deps.clock.now();
          const fresh = await importPage(session, page, at, options.actor.name);
          // One record for the whole file, with the first page that adds anything: the others may yet be cut off.
          if (added === 0 && fresh.length > 0) {
            const subject = `file:${detail.sha256}`;
            const { actor } = options;
            await openAuditTrail(session).record({ at, actor, action: 'dues.imported', subject, detail });
          }
          return fresh;
        },
        { retryDuplicate: true, dryRun: options.dryRun },
      )
      .catch((error: unknown) => {
        throw added === 0 ? error : cutOff(error, added, lines.length);
      });
    added += written.length;
    addedMillimes += written.reduce((sum, due) => sum + BigInt(due.amount), 0n);
  }
  return { added, unchanged: lines.length - added, addedMillimes };
}

function readLines(file: Uint8Array): { lines: Line[]; faults: LineFault[] } {
  const table = readCsvTable(file, COLUMNS);
  const faults = [...table.faults];
  const lineOfReference = new Map<string, number>();
  const lines: Line[] = [];
  for (const { line, values } of table.rows) {
    const due = readDue(values);
    if ('faults' in due) faults.push(...due.faults.map((reason) => ({ line, reason })));
    else lines.push({ line, due });
    if (values.reference === '') continue;
    const earlier = lineOfReference.get(values.reference);
    if (earlier !== undefined) faults.push({ line, reason: `reference stands on line ${earlier} already` });
    else lineOfReference.set(values.reference, line);
  }
  return { lines, faults };
}

/** What the agents and dues that are known have against the lines. */
async function faultsInBooks(database: Database, lines: readonly Line[]): Promise<LineFault[]> {
  const dues = lines.map(({ due }) => due);
  const { known, agents, balances } = await database.read(
    async (session) => ({
      known: await openDueBook(session).find(dues.map(({ reference }) => reference)),
      agents: await openAgentDirectory(session).find(dues.map(({ agentId }) => agentId)),
      balances: await openLedger(session).balances(dues.map(({ agentId }) => agentReceivable(agentId))),
    }),
    { snapshot: true, deadlineMs: CHECK_DEADLINE_MS },
  );
  const faults: LineFault[] = [];
  const owed = new Map<string, number>();
  for (const { line, due } of lines) {
    const existing = known.get(due.reference);
    if (existing !== undefined) {
      if (!sameDue(existing, due)) faults.push({ line, reason: 'reference is known with other content' });
      continue;
    }
    const reason = agentFault(agents.get(due.agentId));
    if (reason !== undefined) faults.push({ line, reason });
    const before = owed.get(due.agentId) ?? Number(balances.get(agentReceivable(due.agentId)) ?? 0);
    owed.set(due.agentId, before + due.amount);
    if (!Number.isSafeInteger(before + due.amount)) {
      faults.push({ line, reason: 'amount_millimes makes the agent owe more than can be counted' });
    }
  }
  return faults;
}

function agentFault(agent: Agent | undefined): string | undefined {
  if (agent === undefined) return 'agent_id is not known';
  return agent.status === 'closed' ? 'agent_id is of a closed agent' : undefined;
}

async function importPage(session: Session, page: readonly Line[], at: Instant, recordedBy: string): Promise<Due[]> {
  const book = openDueBook(session);
  const known = await book.find(page.map(({ due }) => due.reference));
  const changed = page.find(({ due }) => {
    const existing = known.get(due.reference);
    return existing !== undefined && !sameDue(existing, due);
  });
  if (changed !== undefined) {
    refuse([{ line: changed.line, reason: 'reference was taken with other content while this import ran' }]);
  }
  const fresh = page.map(({ due }) => due).filter(({ reference }) => !known.has(reference));
  await book.add(fresh, at, recordedBy);
  await openLedger(session).post(fresh.map((due) => assessment(due, at, recordedBy)));
  return fresh;
}

function assessment(due: Due, at: Instant, recordedBy: string): NewLedgerTransaction {
  return {
    id: newId(),
    reference: `due:${due.reference}`,
    code: 'due_assessed',
    occurredAt: at,
    recordedAt: at,
    recordedBy,
    postings: [{ debit: agentReceivable(due.agentId), credit: DUES_ASSESSED, amount: due.amount }],
  };
}

/** The pages before were stored: whoever reads the message must not believe that nothing was. */
function cutOff(error: unknown, added: number, total: number): AppError {
  const reason = error instanceof AppError ? error.message : 'a fault of ours';
  return new AppError('interrupted', `the import was cut off after ${added} of ${total} dues were stored (${reason})`, {
    cause: error,
    details: error instanceof AppError ? error.details : [],
  });
}

function refuse(faults: readonly LineFault[]): void {
  if (faults.length > 0) {
    throw new AppError('bad_input', 'the file of dues was not imported', { details: describeLineFaults(faults) });
  }
}
