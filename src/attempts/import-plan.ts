import { type Session, writeInPages } from '../db';
import { openAuditTrail } from '../identity';
import {
  AppError,
  describeLineFaults,
  type FieldFault,
  type LineFault,
  lineFault,
  MINUTE_MS,
  readCsvTable,
  sha256Hex,
} from '../kernel';
import type { ActOptions, CollectingDeps, PlanResult } from './collecting';
import type { QueueTable } from './queue-order';

/** Checking a large file against the stored attempts takes longer than the deadline of a payment. */
export const PLAN_CHECK_DEADLINE_MS = 2 * MINUTE_MS;

/**
 * Reads a whole plan of attempts. `readLine` returns the content of a line or its faults; a reference may be on one
 * line only.
 */
export function readPlanLines<Column extends string, Content extends object>(
  file: Uint8Array,
  columns: readonly (Column | 'reference')[],
  readLine: (values: Readonly<Record<Column | 'reference', string>>) => Content | { readonly faults: FieldFault[] },
): { readonly lines: (Content & { readonly line: number })[]; readonly faults: LineFault[] } {
  const table = readCsvTable(file, columns);
  const faults = [...table.faults];
  const lineOfReference = new Map<string, number>();
  const lines: (Content & { readonly line: number })[] = [];
  for (const { line, values } of table.rows) {
    const read = readLine(values);
    if ('faults' in read) faults.push(...read.faults.map((fault) => lineFault(line, fault)));
    else lines.push({ ...read, line });
    if (values.reference === '') continue;
    const earlier = lineOfReference.get(values.reference);
    if (earlier !== undefined) faults.push({ line, reason: `reference: already on line ${earlier}` });
    else lineOfReference.set(values.reference, line);
  }
  return { lines, faults };
}

/** @throws AppError `file_faults` with a line per fault, if there is one. */
export function refusePlan(faults: readonly LineFault[]): void {
  if (faults.length > 0) {
    throw new AppError('file_faults', { file: 'plan' }, { details: describeLineFaults(faults) });
  }
}

interface CheckedPlan<Line> {
  readonly file: Uint8Array;
  readonly lines: readonly Line[];
  /** Stores the new attempts of a page in its transaction, and returns them. */
  store(session: Session, page: readonly Line[]): Promise<readonly unknown[]>;
}

/** Stores the lines of a plan page by page. An interrupted import continues when the file is imported again. */
export async function storePlan<Line>(
  { database, clock }: CollectingDeps,
  table: QueueTable,
  { file, lines, store }: CheckedPlan<Line>,
  { actor, dryRun }: ActOptions,
): Promise<PlanResult> {
  const detail = { rows: lines.length, sha256: sha256Hex(file) };
  const added = await writeInPages(database, lines, {
    what: table,
    dryRun,
    async write(session, page, isFirst) {
      const fresh = await store(session, page);
      // One audit record for the whole file, stored with the first page that adds a row, because later pages may be
      // interrupted.
      if (isFirst && fresh.length > 0) {
        const subject = `file:${detail.sha256}`;
        const at = clock.now();
        await openAuditTrail(session).record({ at, actor, action: `${table}.planned`, subject, detail });
      }
      return fresh;
    },
  });
  return { added: added.length, unchanged: lines.length - added.length };
}
