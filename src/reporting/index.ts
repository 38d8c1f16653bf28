import type { Database, Session } from '../db';
import {
  addDays,
  AppError,
  businessDate,
  millimes,
  WorkingDays,
  type BusinessCalendar,
  type BusinessDate,
  type Clock,
} from '../kernel';
import { agentMovements, type AgentMovement } from './agent-statement-read-model';
import { agentsReport, type AgentsReport } from './agents-report-read-model';
import { agingReport, type AgingReport, type UrgencySettings } from './aging-report-read-model';
import { brokenInvariants, type BrokenInvariant } from './books-check-read-model';
import { clearingReport, type ClearingReport } from './clearing-report-read-model';
import { dailyReport, type DailyReport } from './daily-report-read-model';
import { exportLedger, type ExportFormat, type ExportWriter } from './export-ledger';
import { feesReport, type FeesReport } from './fees-report-read-model';
import { payoutDocument } from './payouts-report-document';
import { payoutItemPages, type PayoutItem } from './payout-items-read-model';
import { payoutsReport, type PayoutsReport } from './payouts-report-read-model';
import type { ReportDocument, ReportPeriod } from './report-document';
import type { WholeReport } from './report-formats';
import { PAYOUT_WRITERS, type PayoutsFormat, type TextWriter } from './write-payouts';

export { INVARIANT_COUNT, type BrokenInvariant } from './books-check-read-model';
export { dailyReportToCsv } from './daily-report-csv';
export { dailyReportToJson, dailyReportToText } from './daily-report-format';
export { dailyReportToHtml } from './daily-report-html';
export { documentToCsv } from './document-csv';
export { documentToHtml } from './document-html';
export { documentToJson } from './document-json';
export { documentToText } from './document-text';
export { EXPORT_FORMATS, type ExportFormat, type ExportWriter } from './export-ledger';
export { toDocument, wholeReportToHtml, type AnyReport, type WholeReport } from './report-formats';
export type { AgentMovement } from './agent-statement-read-model';
export type { DailyReport } from './daily-report-read-model';
export type { ReportDocument, ReportPeriod } from './report-document';
export type { PayoutsFormat, TextWriter } from './write-payouts';

const REPORT_DEADLINE_MS = 600_000;
/** One query a day: more than three years is a slip of the pen. */
const PERIOD_DAYS_MAX = 1_100;

/** What people and scripts read: SELECTs over everybody's tables, each in one snapshot. */
export interface Reporting {
  /** The month of a day up to that day, of yesterday when it is not given: what reports look at unless told otherwise. */
  usualPeriod(to?: BusinessDate): ReportPeriod;
  /** Up to and with `through`, the day before today when it is not given. */
  daily(through?: BusinessDate): Promise<DailyReport>;
  /** What is open, by age. `through` as above. */
  aging(through?: BusinessDate): Promise<AgingReport>;
  /** @throws AppError `bad_input` when the period is the wrong way round or too long; so do the others. */
  clearing(period: ReportPeriod): Promise<ClearingReport>;
  agents(period: ReportPeriod): Promise<AgentsReport>;
  fees(period: ReportPeriod): Promise<FeesReport>;
  /** The credits of the days, without their items. */
  payouts(period: ReportPeriod): Promise<PayoutsReport>;
  /** One credit with all its items. @throws AppError `not_found` when no line of that id may be a payout. */
  payout(lineId: string): Promise<ReportDocument>;
  /** Hands the credits with all their items on, page by page. False when the writer wanted no more of them. */
  writePayouts(period: ReportPeriod, format: PayoutsFormat, write: TextWriter): Promise<boolean>;
  /** All of them but the agents, of one snapshot; the day is the last of the period. */
  whole(period: ReportPeriod): Promise<WholeReport>;
  agentMovements(agentId: string): Promise<AgentMovement[]>;
  /** The invariants of the books that do not hold; empty when the books are right. */
  verifyBooks(): Promise<BrokenInvariant[]>;
  /** Hands all ledger transactions on, page by page. False when the writer wanted no more of them. */
  exportLedger(format: ExportFormat, write: ExportWriter): Promise<boolean>;
}

export interface ReportingDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  /** Without it only Saturdays and Sundays are not worked. */
  readonly workingDays?: WorkingDays;
  readonly urgency?: UrgencySettings;
}

/** As the settings of the break desk are when nobody changes them. */
const USUAL_URGENCY: UrgencySettings = {
  high: { fromMillimes: millimes(1_000_000), fromDays: 10 },
  medium: { fromMillimes: millimes(100_000), fromDays: 5 },
};

export function createReporting(deps: ReportingDeps): Reporting {
  const { database, clock, calendar, workingDays = new WorkingDays([]), urgency = USUAL_URGENCY } = deps;
  const aging = { calendar, workingDays, urgency };
  // A report reads whole tables: it may take long, and holds up nobody.
  const snapshot = { snapshot: true, deadlineMs: REPORT_DEADLINE_MS };
  const yesterday = (): BusinessDate => addDays(calendar.dateOf(clock.now()), -1);
  const over = async <T>(period: ReportPeriod, read: (session: Session) => Promise<T>): Promise<T> => {
    refuseUnlessPeriod(period);
    return database.read(read, snapshot);
  };
  return {
    usualPeriod: (to = yesterday()) => ({ from: businessDate(`${to.slice(0, 8)}01`), to }),
    daily: (through = yesterday()) => database.read((session) => dailyReport(session, through, calendar), snapshot),
    aging: (through = yesterday()) => database.read((session) => agingReport(session, through, aging), snapshot),
    clearing: (period) => over(period, (session) => clearingReport(session, period, calendar)),
    agents: (period) => over(period, (session) => agentsReport(session, period, calendar)),
    fees: (period) => over(period, (session) => feesReport(session, period, calendar)),
    payouts: (period) => over(period, (session) => payoutsReport(session, period)),
    payout: (lineId) => database.read((session) => onePayout(session, lineId, yesterday()), snapshot),
    async writePayouts(period, format, write) {
      let begun = false;
      return over(period, async (session) => {
        // read() runs again after a lost connection, but what is written cannot be taken back.
        if (begun) throw new AppError('unavailable', 'the database was lost in the middle of the report');
        const report = await payoutsReport(session, period);
        return PAYOUT_WRITERS[format](session, report, (text) => {
          begun = true;
          return write(text);
        });
      });
    },
    whole: (period) =>
      over(period, async (session) => {
        const daily = await dailyReport(session, period.to, calendar);
        const agingOf = await agingReport(session, period.to, aging);
        const clearing = await clearingReport(session, period, calendar);
        const payouts = await payoutsReport(session, period);
        const fees = await feesReport(session, period, calendar);
        const proven = [daily, clearing, payouts, fees].every((each) => each.proven);
        return { ...period, daily, aging: agingOf, clearing, payouts, fees, proven };
      }),
    agentMovements: (agentId) => database.read((session) => agentMovements(session, agentId), snapshot),
    verifyBooks: () => database.read(brokenInvariants, snapshot),
    exportLedger: (format, write) => exportLedger({ database, calendar }, format, write),
  };
}

function refuseUnlessPeriod({ from, to }: ReportPeriod): void {
  if (from > to) throw new AppError('bad_input', 'the first day of a report must not be after its last');
  if (addDays(from, PERIOD_DAYS_MAX) <= to) {
    throw new AppError('bad_input', `a report is over ${PERIOD_DAYS_MAX} days at most`);
  }
}

async function onePayout(session: Session, lineId: string, today: BusinessDate): Promise<ReportDocument> {
  const report = await payoutsReport(session, { from: today, to: today }, lineId);
  const [credit] = report.credits;
  if (credit === undefined)
    throw new AppError('not_found', `no bank credit ${JSON.stringify(lineId)} that may be a payout`);
  const items: PayoutItem[] = [];
  if (credit.match !== undefined) {
    for await (const page of payoutItemPages(session, credit.match.matchId)) items.push(...page);
  }
  return payoutDocument(report, credit, items);
}
