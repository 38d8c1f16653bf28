import { type Database, ROWS_PER_TRANSACTION, type Session } from '../db';
import { type Actor, openAuditTrail, requireScope } from '../identity';
import {
  AppError,
  type Clock,
  describeLineFaults,
  type LineFault,
  lineFault,
  pagesOf,
  readCsvTable,
  sha256Hex,
} from '../kernel';
import type { Agent, AgentRecord } from './agent';
import { agentRecordFaults } from './agent-record';
import { openAgentDirectory } from './agent-store';

const COLUMNS = ['agent_id', 'full_name', 'phone'] as const;
const COLUMN_OF_FIELD: Readonly<Record<string, (typeof COLUMNS)[number]>> = {
  agentId: 'agent_id',
  fullName: 'full_name',
  phone: 'phone',
};
const FRENCH_HEADINGS = {
  agent_id: ['agent', 'id agent', 'code agent', 'code', 'matricule', 'identifiant'],
  full_name: ['nom et prenom', 'nom prenom', 'nom complet', 'nom'],
  phone: ['telephone', 'tel', 'n telephone', 'numero de telephone', 'mobile', 'gsm'],
} as const;

export interface ImportAgentsDeps {
  readonly database: Database;
  readonly clock: Clock;
}

export interface ImportOptions {
  readonly actor: Actor;
  /** Does everything except store it. */
  readonly dryRun: boolean;
}

export interface ImportAgentsResult {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
}

/**
 * Imports a file of agents (`agent_id,full_name,phone`, or French headings). A known agent with another name or phone is updated; a closed one
 * stays closed, and a file with an erased one is refused. The whole file is checked before the first row is written,
 * and importing it again changes nothing.
 *
 * @throws AppError `bad_input` with one detail per bad line; then nothing was stored.
 */
export async function importAgents(
  deps: ImportAgentsDeps,
  file: Uint8Array,
  options: ImportOptions,
): Promise<ImportAgentsResult> {
  requireScope(options.actor, 'agents:write');
  const lines = readLines(file);
  const erased = await deps.database.read((session) => openAgentDirectory(session).erasedIds());
  refuse(lines.filter(({ record }) => erased.has(record.agentId)).map(erasedFault));
  const detail = { rows: lines.length, sha256: sha256Hex(file) };
  const total = { added: 0, updated: 0, unchanged: 0 };
  for (const page of pagesOf(lines, ROWS_PER_TRANSACTION)) {
    const part = await deps.database.transact(
      async (session) => {
        const at = deps.clock.now();
        const counts = await importPage(session, page, at, options.actor.name);
        // One audit record for the whole file, stored with the first page that changes anything, because later pages
        // may be interrupted.
        if (!changedAny(total) && changedAny(counts)) {
          const subject = `file:${detail.sha256}`;
          const { actor } = options;
          await openAuditTrail(session).record({ at, actor, action: 'agents.imported', subject, detail });
        }
        return counts;
      },
      { retryDuplicate: true, dryRun: options.dryRun },
    );
    total.added += part.added;
    total.updated += part.updated;
    total.unchanged += part.unchanged;
  }
  return total;
}

interface Line {
  readonly line: number;
  /** The heading of the agents' ids in the file. */
  readonly idHeading: string;
  readonly record: AgentRecord;
}

function readLines(file: Uint8Array): Line[] {
  const { rows, faults, headings } = readCsvTable(file, COLUMNS, FRENCH_HEADINGS);
  const problems = [...faults];
  const lineOfId = new Map<string, number>();
  const lines: Line[] = [];
  for (const { line, values } of rows) {
    const record = { agentId: values.agent_id, fullName: values.full_name, phone: values.phone };
    for (const fault of agentRecordFaults(record, true)) {
      const field = headings[COLUMN_OF_FIELD[fault.field] ?? 'agent_id'];
      problems.push(lineFault(line, { ...fault, field }));
    }
    if (record.agentId === '') continue;
    const earlier = lineOfId.get(record.agentId);
    if (earlier !== undefined) problems.push({ line, reason: `${headings.agent_id}: is already on line ${earlier}` });
    else lineOfId.set(record.agentId, line);
    lines.push({ line, idHeading: headings.agent_id, record });
  }
  refuse(problems);
  return lines;
}

function erasedFault({ line, idHeading }: Line): LineFault {
  const fault = 'names an erased agent; remove the line, or give the person another id';
  return { line, reason: `${idHeading}: ${fault}` };
}

function refuse(faults: readonly LineFault[]): void {
  if (faults.length > 0) {
    throw new AppError('file_faults', { file: 'agents file' }, { details: describeLineFaults(faults) });
  }
}

async function importPage(
  session: Session,
  lines: readonly Line[],
  at: number,
  recordedBy: string,
): Promise<ImportAgentsResult> {
  const directory = openAgentDirectory(session);
  const known = await directory.find(lines.map(({ record }) => record.agentId));
  const added = lines.filter(({ record }) => !known.has(record.agentId)).map(({ record }) => record);
  const updated = lines.filter(({ record }) => differs(known.get(record.agentId), record));
  await directory.add(added, at, recordedBy);
  const records = updated.map(({ record }) => record);
  // An agent may have been erased since the file was checked.
  const erased = await directory.update(records, at, recordedBy);
  refuse(updated.filter(({ record }) => record === erased).map(erasedFault));
  return {
    added: added.length,
    updated: updated.length,
    unchanged: lines.length - added.length - updated.length,
  };
}

function changedAny({ added, updated }: ImportAgentsResult): boolean {
  return added + updated > 0;
}

function differs(agent: Agent | undefined, record: AgentRecord): boolean {
  return agent !== undefined && (agent.fullName !== record.fullName || agent.phone !== record.phone);
}
