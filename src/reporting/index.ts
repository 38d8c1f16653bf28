import type { Database } from '../db';
import { addDays, type BusinessCalendar, type BusinessDate, type Clock } from '../kernel';
import { agentMovements, type AgentMovement } from './agent-statement-read-model';
import { brokenInvariants, type BrokenInvariant } from './books-check-read-model';
import { dailyReport, type DailyReport } from './daily-report-read-model';
import { exportLedger, type ExportFormat, type ExportWriter } from './export-ledger';

export { INVARIANT_COUNT, type BrokenInvariant } from './books-check-read-model';
export { dailyReportToCsv } from './daily-report-csv';
export { dailyReportToJson, dailyReportToText } from './daily-report-format';
export { dailyReportToHtml } from './daily-report-html';
export { EXPORT_FORMATS, type ExportFormat, type ExportWriter } from './export-ledger';
export type { AgentMovement } from './agent-statement-read-model';
export type { DailyReport } from './daily-report-read-model';

const REPORT_DEADLINE_MS = 600_000;

/** What people and scripts read: SELECTs over everybody's tables, each in one snapshot. */
export interface Reporting {
  /** Up to and with `through`, the day before today when it is not given. */
  daily(through?: BusinessDate): Promise<DailyReport>;
  agentMovements(agentId: string): Promise<AgentMovement[]>;
  /** The invariants of the books that do not hold; empty when the books are right. */
  verifyBooks(): Promise<BrokenInvariant[]>;
  /** Hands all ledger transactions on, page by page. False when the writer wanted no more of them. */
  exportLedger(format: ExportFormat, write: ExportWriter): Promise<boolean>;
}

export function createReporting(deps: { database: Database; clock: Clock; calendar: BusinessCalendar }): Reporting {
  const { database, clock, calendar } = deps;
  // A report reads whole tables: it may take long, and holds up nobody.
  const snapshot = { snapshot: true, deadlineMs: REPORT_DEADLINE_MS };
  return {
    daily: (through = addDays(calendar.dateOf(clock.now()), -1)) =>
      database.read((session) => dailyReport(session, through, calendar), snapshot),
    agentMovements: (agentId) => database.read((session) => agentMovements(session, agentId), snapshot),
    verifyBooks: () => database.read(brokenInvariants, snapshot),
    exportLedger: (format, write) => exportLedger({ database, calendar }, format, write),
  };
}
