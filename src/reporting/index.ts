import type { Database, Session } from '../db';
import {
  addDays,
  AppError,
  type BusinessCalendar,
  type BusinessDate,
  businessDate,
  type Clock,
  millimes,
  type Page,
  WorkingDays,
} from '../kernel';
import {
  type AgentPayment,
  type AgentPaymentKey,
  agentPayments,
  type AgentPaymentsQuery,
} from './agent-payments-read-model';
import {
  type AgentMovement,
  agentMovements,
  type MovementKey,
  type MovementsQuery,
} from './agent-statement-read-model';
import { type AgentsReport, agentsReport } from './agents-report-read-model';
import { type AgingReport, agingReport, type UrgencySettings } from './aging-report-read-model';
import { type BrokenInvariant, brokenInvariants } from './books-check-read-model';
import { type BreakRows, breakRows } from './break-rows-read-model';
import { type ClearingReport, clearingReport } from './clearing-report-read-model';
import { type CreditKey, type CreditQuery, listCredits, type ListedCredit } from './credit-list-read-model';
import { type DailyReport, dailyReport } from './daily-report-read-model';
import { type Morning, morning, type MorningQuery } from './day-figures/morning-read-model';
import type { BreakSettings } from './day-figures/open-break-totals-read-model';
import { type EndedRun, refreshDayFigures, refreshLastFigures } from './day-figures/refresh-day-figures';
import { type Trends, trends } from './day-figures/trends-read-model';
import { type ExportFormat, exportLedger, type ExportWriter } from './export-ledger';
import { type FeesReport, feesReport } from './fees-report-read-model';
import { type FoundPayment, foundPayment } from './found-payment';
import { fullId, type IdKind } from './id-beginnings-read-model';
import type { Known } from './ledger-date';
import type { PaymentKey } from './payment-list-read-model';
import {
  creditItems,
  firstPayoutItems,
  type PayoutItem,
  type PayoutItemKey,
  payoutItemPages,
  type PayoutItemsQuery,
} from './payout-items-read-model';
import { payoutDocument } from './payouts-report-document';
import { payoutReport, type PayoutsReport, payoutsReport } from './payouts-report-read-model';
import { CREDITS_ON_PAGE_MAX, ITEMS_ON_PAGE_MAX } from './payouts-section';
import type { PlacedPayment, ReadDue } from './place-payments';
import { type PaymentQuery, placedPayments } from './placed-payment-list';
import { type RecordedBalance, recordedBalances } from './recorded-balances-read-model';
import type { ReportDocument, ReportPeriod } from './report-document';
import type { WholeReport } from './report-page';
import { type PaymentTimeline, paymentTimeline, type TimelineQuery } from './timeline/payment-timeline-read-model';
import { PAYOUT_WRITERS, type PayoutsFormat, type TextWriter } from './write-payouts';

export { INVARIANT_COUNT, type BrokenInvariant } from './books-check-read-model';
export { agentsDocument } from './agents-report-document';
export { agingDocument } from './aging-report-document';
export { clearingDocument } from './clearing-report-document';
export { dailyReportToCsv } from './daily-report-csv';
export { dailyReportToJson } from './daily-report-json';
export { dailyReportToText } from './daily-report-text';
export { documentToCsv } from './document-csv';
export { documentToHtml } from './document-html';
export { documentToJson } from './document-json';
export { documentToText } from './document-text';
export { feesDocument } from './fees-report-document';
export { payoutsDocument } from './payouts-report-document';
export { EXPORT_FORMATS, type ExportFormat, type ExportWriter } from './export-ledger';
export type { RecordedBalance } from './recorded-balances-read-model';
export { wholeReportToHtml, type WholeReport } from './report-page';
export type { AgentMovement, MovementKey, MovementsQuery } from './agent-statement-read-model';
export type { AgentPayment, AgentPaymentKey, AgentPaymentsQuery } from './agent-payments-read-model';
export type { DailyReport } from './daily-report-read-model';
export { BREAK_ROWS_MAX, type BreakRows } from './break-rows-read-model';
export type { PayoutItem } from './payout-items-read-model';
export type { CreditKey, CreditOutcome, CreditQuery, ListedCredit } from './credit-list-read-model';
export type { FoundPayment } from './found-payment';
export { PAYMENT_SOURCES, type PaymentKey, paymentKey } from './payment-list-read-model';
export type { PaymentQuery } from './placed-payment-list';
export { MONEY_STATES, type PlacedPayment, placePayments } from './place-payments';
export type { TimelineEntry, TimelineKey, TimelineKind } from './timeline/timeline-entry';
export { timelinePage } from './timeline/timeline-page';
export type { CutOff, DayCredits, DayFigure } from './day-figures/day-figures-store';
export type { Morning } from './day-figures/morning-read-model';
export type { OpenBreakTotals } from './day-figures/open-break-totals-read-model';
export type { Trends } from './day-figures/trends-read-model';
export { AGE_BANDS } from './age-bands';
export { drawAxis, drawMark, drawPlot } from './plots/draw-plot';
export type { Plot, PlotSeries } from './plots/plot';
export type { Shape } from './plots/shape';
export type { IdKind } from './id-beginnings-read-model';
export type { ReportDocument, ReportPeriod } from './report-document';
export type { PayoutsFormat, TextWriter } from './write-payouts';

const REPORT_DEADLINE_MS = 600_000;
/** A report reads whole tables: it may take long, and it blocks no writer. */
const REPORT_READ = { snapshot: true, deadlineMs: REPORT_DEADLINE_MS };
/** The report runs one query per day; more than three years is a typing error. */
const PERIOD_DAYS_MAX = 1_100;

/** Reports for people and scripts: SELECTs over the tables of all modules, each in one snapshot. */
export interface Reporting {
  /** Returns the default period: the month of a day up to that day (default: yesterday). */
  usualPeriod(to?: BusinessDate): ReportPeriod;
  /** Derives the figures by day again, after a run. */
  refreshFigures(run: EndedRun): Promise<void>;
  /** Derives the figures of the last cut-off again, after people matched, unmatched or approved. */
  refreshLastFigures(): Promise<void>;
  /**
   * Reads the figures of a day and of the days before it, as runs derived them; undefined before the first ones.
   *
   * @throws AppError `bad_input` for a day after the last one that a run covered after it ended.
   */
  morning(query: Omit<MorningQuery, 'now'>): Promise<Morning | undefined>;
  /** Reads what the plots show; undefined before the first figures. */
  trends(query: { readonly reader: string }): Promise<Trends | undefined>;
  /** Reads the daily report through `through` (default: yesterday). */
  daily(through?: BusinessDate): Promise<DailyReport>;
  /** Reads open breaks and unpaid items by age, through `through` (default: yesterday). */
  aging(through?: BusinessDate): Promise<AgingReport>;
  /**
   * Reads the clearing accounts of a period.
   *
   * @throws AppError `bad_input` for a reversed or too long period; so do the other reports.
   */
  clearing(period: ReportPeriod): Promise<ClearingReport>;
  agents(period: ReportPeriod): Promise<AgentsReport>;
  fees(period: ReportPeriod): Promise<FeesReport>;
  /** Reads the credits of the period, without their items. */
  payouts(period: ReportPeriod): Promise<PayoutsReport>;
  /** Returns a page of the credits that may be payouts, newest first, each as it is explained now. */
  credits(query: CreditQuery): Promise<Page<ListedCredit, CreditKey>>;
  /** Returns a page of the items of the match that holds a credit. @throws AppError `not_found`. */
  creditItems(lineId: string, query: PayoutItemsQuery): Promise<Page<PayoutItem, PayoutItemKey>>;
  /** Returns the rows of the bank and of the ledger that a break names, the first ones of each side. */
  breakRows(subject: Parameters<typeof breakRows>[1]): Promise<BreakRows>;
  /**
   * Reads one credit with all its items.
   *
   * @throws AppError `not_found` if no line with that id may be a payout.
   */
  payout(lineId: string): Promise<ReportDocument>;
  /** Writes the credits with all their items, in pages. Returns false if the writer stopped. */
  writePayouts(period: ReportPeriod, format: PayoutsFormat, write: TextWriter): Promise<boolean>;
  /** Reads all reports except the agents' from one snapshot; the daily report is that of the last day. */
  whole(period: ReportPeriod): Promise<WholeReport>;
  /** Returns the balances of the channels at the end of a day as a seal counts them, with what reconciles them with the reports. */
  recordedBalances(date: BusinessDate): Promise<ReadonlyMap<string, RecordedBalance>>;
  /** Returns a page of an agent's movements with the balance after each, the last recorded one first. */
  agentMovements(agentId: string, query: MovementsQuery): Promise<Page<AgentMovement, MovementKey>>;
  /** Returns a page of an agent's confirmed payments with the steps of their money, and refused confirms, newest first. */
  agentPayments(agentId: string, query: AgentPaymentsQuery): Promise<Page<AgentPayment, AgentPaymentKey>>;
  /**
   * Returns the id of which a text is a unique beginning; an exact id wins. A text that names nothing stays as it is.
   *
   * @throws AppError `ambiguous_id`.
   */
  fullId(kinds: readonly IdKind[], text: string): Promise<string>;
  /** Returns a page of the payments of all channels and where their money is, newest first. */
  payments(query: PaymentQuery, readDue: ReadDue): Promise<Page<PlacedPayment, PaymentKey>>;
  /**
   * Returns the payment of any channel that a text names: by any of its ids, a unique beginning, or a reference.
   *
   * @throws AppError `not_found`, `ambiguous_id`.
   */
  payment(text: string): Promise<FoundPayment>;
  /**
   * Returns a page of what happened to the payment that a text names, the oldest entry first.
   *
   * @throws AppError `not_found`, `ambiguous_id`.
   */
  paymentTimeline(text: string, query: TimelineQuery): Promise<PaymentTimeline>;
  /** Returns the broken invariants of the ledger; empty if all hold. */
  verifyBooks(): Promise<BrokenInvariant[]>;
  /** Writes all ledger transactions, in pages. Returns false if the writer stopped. */
  exportLedger(format: ExportFormat, write: ExportWriter): Promise<boolean>;
}

export interface ReportingDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  /** Default: every day except Saturdays and Sundays. */
  readonly workingDays?: WorkingDays;
  readonly urgency?: UrgencySettings;
}

/** The defaults of the `BREAK_*` settings. */
const USUAL_URGENCY: UrgencySettings = {
  high: { fromMillimes: millimes(1_000_000), fromDays: 10 },
  medium: { fromMillimes: millimes(100_000), fromDays: 5 },
};

export function createReporting(deps: ReportingDeps): Reporting {
  const { database, clock, calendar, workingDays = new WorkingDays([]), urgency = USUAL_URGENCY } = deps;
  const aging = { calendar, workingDays, urgency };
  const yesterday = (): BusinessDate => addDays(calendar.dateOf(clock.now()), -1);
  const known = <T>(read: (session: Session, known: Known) => Promise<T>): Promise<T> => {
    const knownAt = clock.now();
    return database.read((session) => read(session, { knownAt }), REPORT_READ);
  };
  const over = async <T>(
    period: ReportPeriod,
    read: (session: Session, period: ReportPeriod & Known) => Promise<T>,
  ): Promise<T> => {
    refuseUnlessPeriod(period);
    return known((session, { knownAt }) => read(session, { ...period, knownAt }));
  };
  return {
    ...dayFigures(deps, aging),
    usualPeriod: (to = yesterday()) => ({ from: businessDate(`${to.slice(0, 8)}01`), to }),
    daily: (through = yesterday()) => known((session, at) => dailyReport(session, { through, ...at }, calendar)),
    aging: (through = yesterday()) => known((session, at) => agingReport(session, { through, ...at }, aging)),
    clearing: (period) => over(period, (session, of) => clearingReport(session, of, calendar)),
    agents: (period) => over(period, (session, of) => agentsReport(session, of, calendar)),
    fees: (period) => over(period, (session, of) => feesReport(session, of, calendar)),
    payouts: (period) => over(period, (session, of) => payoutsReport(session, of, calendar)),
    payout: (lineId) =>
      known((session, { knownAt }) => {
        const today = calendar.dateOf(knownAt);
        return onePayout(session, lineId, { from: today, to: today, knownAt });
      }),
    async writePayouts(period, format, write) {
      let begun = false;
      return over(period, async (session, of) => {
        // read() repeats after a lost connection, but written text cannot be withdrawn.
        if (begun) {
          throw new AppError('unavailable', 'the database connection was lost during the report; run it again');
        }
        const report = await payoutsReport(session, of, calendar);
        return PAYOUT_WRITERS[format](session, report, (text) => {
          begun = true;
          return write(text);
        });
      });
    },
    whole: (period) =>
      over(period, async (session, of) => {
        const lastDay = { through: of.to, knownAt: of.knownAt };
        const daily = await dailyReport(session, lastDay, calendar);
        const agingOf = await agingReport(session, lastDay, aging);
        const clearing = await clearingReport(session, of, calendar);
        const payouts = await payoutsReport(session, of, calendar);
        const fees = await feesReport(session, of, calendar);
        const proven = [daily, clearing, payouts, fees].every((each) => each.proven);
        const items = await firstItems(session, payouts);
        return { ...period, daily, aging: agingOf, clearing, payouts, fees, items, proven };
      }),
    recordedBalances: (date) => known((session) => recordedBalances(session, calendar.startOf(addDays(date, 1)))),
    ...lookUps(database, calendar),
    verifyBooks: () => database.read(brokenInvariants, REPORT_READ),
    exportLedger: (format, write) => exportLedger({ database, calendar }, format, write),
  };
}

/** Creates the functions on the figures by day, which are the only rows that reporting writes. */
function dayFigures(
  { database, calendar, clock }: ReportingDeps,
  settings: BreakSettings,
): Pick<Reporting, 'refreshFigures' | 'refreshLastFigures' | 'morning' | 'trends'> {
  const snapshot = { snapshot: true };
  return {
    refreshFigures: (run) => refreshDayFigures({ database, calendar }, run, clock.now()),
    refreshLastFigures: () => refreshLastFigures({ database, calendar }, clock.now()),
    morning: (query) =>
      database.read((session) => morning(session, { ...query, now: clock.now() }, settings), snapshot),
    trends: (query) => database.read((session) => trends(session, { ...query, now: clock.now() }, settings), snapshot),
  };
}

type LookUp =
  | ('agentMovements' | 'agentPayments' | 'breakRows' | 'creditItems' | 'credits')
  | ('fullId' | 'payments' | 'payment' | 'paymentTimeline');

function lookUps(database: Database, calendar: BusinessCalendar): Pick<Reporting, LookUp> {
  const snapshot = { snapshot: true };
  return {
    agentMovements: (agentId, query) => database.read((session) => agentMovements(session, agentId, query), snapshot),
    agentPayments: (agentId, query) => database.read((session) => agentPayments(session, agentId, query), snapshot),
    breakRows: (subject) => database.read((session) => breakRows(session, subject), snapshot),
    creditItems: (lineId, query) => database.read((session) => creditItems(session, lineId, query), snapshot),
    credits: (query) => database.read((session) => listCredits(session, query), snapshot),
    fullId: (kinds, text) => database.read((session) => fullId(session, kinds, text)),
    payments: (query, readDue) => placedPayments(database, query, readDue),
    payment: (text) => database.read((session) => foundPayment(session, text), snapshot),
    paymentTimeline: (text, query) =>
      database.read((session) => paymentTimeline(session, text, query, calendar), snapshot),
  };
}

/** Reads the first items of the latest credits, for the page. */
async function firstItems(session: Session, { credits }: PayoutsReport): Promise<Map<string, readonly PayoutItem[]>> {
  const items = new Map<string, readonly PayoutItem[]>();
  for (const { match } of credits.slice(-CREDITS_ON_PAGE_MAX)) {
    if (match !== undefined) {
      items.set(match.matchId, await firstPayoutItems(session, match.matchId, ITEMS_ON_PAGE_MAX));
    }
  }
  return items;
}

function refuseUnlessPeriod({ from, to }: ReportPeriod): void {
  if (from > to) throw new AppError('bad_input', { field: 'from', expected: `a date up to ${to}`, got: from });
  if (addDays(from, PERIOD_DAYS_MAX) <= to) {
    const expected = `a date at most ${PERIOD_DAYS_MAX} days before ${to}`;
    throw new AppError('bad_input', { field: 'from', expected, got: from });
  }
}

async function onePayout(session: Session, lineId: string, today: ReportPeriod & Known): Promise<ReportDocument> {
  const report = await payoutReport(session, lineId, today);
  const [credit] = report.credits;
  if (credit === undefined) {
    throw new AppError('not_found', { thing: 'credit', id: lineId });
  }
  const items: PayoutItem[] = [];
  if (credit.match !== undefined) {
    for await (const page of payoutItemPages(session, credit.match.matchId)) items.push(...page);
  }
  return payoutDocument(report, credit, items);
}
