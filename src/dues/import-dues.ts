import { agentFault, erasedFault, type ImportOptions, openAgentDirectory } from '../agents';
import { type Database, type Session, writeInPages } from '../db';
import { openAuditTrail, requireScope } from '../identity';
import {
  AppError,
  type Clock,
  describeLineFaults,
  type Instant,
  type LineFault,
  lineFault,
  MINUTE_MS,
  newId,
  readCsvTable,
  sha256Hex,
} from '../kernel';
import { agentReceivable, DUES_ASSESSED, type NewLedgerTransaction, openLedger } from '../ledger';
import { type Due, DUE_COLUMNS, readDue, sameDue } from './due';
import { openDueStore } from './due-store';

/** Checking a large file against the ledger takes longer than the deadline of a payment. */
const CHECK_DEADLINE_MS = 2 * MINUTE_MS;

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
 * Imports a file of dues (`reference,agent_id,amount_millimes,due_date,memo`, or French headings) and posts each new one to its agent.
 * Checks the whole file against the known agents and dues before it writes the first row. Importing it again changes
 * nothing, or continues an interrupted import.
 *
 * @throws AppError `bad_input` with one detail per bad line; then nothing was stored.
 */
export async function importDues(deps: DuesDeps, file: Uint8Array, options: ImportOptions): Promise<ImportDuesResult> {
  requireScope(options.actor, 'dues:write');
  const { lines, faults } = readLines(file);
  refuse([...faults, ...(await faultsInBooks(deps.database, lines))]);
  const detail = { rows: lines.length, sha256: sha256Hex(file) };
  const added = await writeInPages(deps.database, lines, {
    what: 'dues',
    dryRun: options.dryRun,
    async write(session, page, isFirst) {
      const at = deps.clock.now();
      const { actor } = options;
      const fresh = await importPage(session, page, at, actor.name);
      // One audit record for the whole file, stored with the first page that adds anything, because later pages may be
      // interrupted.
      if (isFirst && fresh.length > 0) {
        const subject = `file:${detail.sha256}`;
        await openAuditTrail(session).record({ at, actor, action: 'dues.imported', subject, detail });
      }
      return fresh;
    },
  });
  const addedMillimes = added.reduce((sum, due) => sum + BigInt(due.amount), 0n);
  return { added: added.length, unchanged: lines.length - added.length, addedMillimes };
}

function readLines(file: Uint8Array): { lines: Line[]; faults: LineFault[] } {
  const table = readCsvTable(file, DUE_COLUMNS.names, DUE_COLUMNS.otherHeadings);
  const faults = [...table.faults];
  const lineOfReference = new Map<string, number>();
  const lines: Line[] = [];
  for (const { line, values } of table.rows) {
    const due = readDue(values, table.headings);
    if ('faults' in due) faults.push(...due.faults.map((fault) => lineFault(line, fault)));
    else lines.push({ line, due });
    if (values.reference === '') continue;
    const earlier = lineOfReference.get(values.reference);
    if (earlier !== undefined) {
      faults.push({ line, reason: `${table.headings.reference}: is already on line ${earlier}` });
    } else lineOfReference.set(values.reference, line);
  }
  return { lines, faults };
}

/** Returns the faults of the lines that concern the stored agents, dues and balances. */
async function faultsInBooks(database: Database, lines: readonly Line[]): Promise<LineFault[]> {
  const dues = lines.map(({ due }) => due);
  const { known, agents, balances } = await database.read(
    async (session) => ({
      known: await openDueStore(session).find(dues.map(({ reference }) => reference)),
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
      if (!sameDue(existing, due)) {
        faults.push({ line, reason: 'reference: exists with different content; correct it, or use a new reference' });
      }
      continue;
    }
    const fault = agentFault(agents.get(due.agentId));
    if (fault !== undefined) faults.push(lineFault(line, { ...fault, field: 'agent_id' }));
    const before = owed.get(due.agentId) ?? Number(balances.get(agentReceivable(due.agentId)) ?? 0);
    owed.set(due.agentId, before + due.amount);
    if (!Number.isSafeInteger(before + due.amount)) {
      faults.push({ line, reason: 'amount_millimes: makes the agent owe more than can be counted' });
    }
  }
  return faults;
}

async function importPage(session: Session, page: readonly Line[], at: Instant, recordedBy: string): Promise<Due[]> {
  const store = openDueStore(session);
  const known = await store.find(page.map(({ due }) => due.reference));
  const changed = page.find(({ due }) => {
    const existing = known.get(due.reference);
    return existing !== undefined && !sameDue(existing, due);
  });
  if (changed !== undefined) {
    refuse([{ line: changed.line, reason: 'reference: was imported with other content meanwhile' }]);
  }
  const added = page.filter(({ due }) => !known.has(due.reference));
  const fresh = added.map(({ due }) => due);
  const ledger = openLedger(session);
  // The agents are read under the locks of their balances, so that none is erased before its due is posted.
  await ledger.lockBalances(fresh.map(({ agentId }) => agentReceivable(agentId)));
  const agents = await openAgentDirectory(session).find(fresh.map(({ agentId }) => agentId));
  refuse(
    added.flatMap(({ line, due }) => {
      const fault = erasedFault(agents.get(due.agentId));
      return fault === undefined ? [] : [{ line, reason: `agent_id: ${fault}` }];
    }),
  );
  await store.add(fresh, at, recordedBy);
  await ledger.post(fresh.map((due) => assessment(due, at, recordedBy)));
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

function refuse(faults: readonly LineFault[]): void {
  if (faults.length > 0) {
    throw new AppError('file_faults', { file: 'dues file' }, { details: describeLineFaults(faults) });
  }
}
