import { column, type Decoded, rowCodec, type Session, takeTurn } from '../../db';
import type { BusinessDate } from '../../kernel';

export const FIGURE = rowCodec({
  date: column.businessDate('business_date'),
  channel: column.text('channel'),
  payments: column.number('payment_count'),
  succeeded: column.total('succeeded_millimes'),
  /** At most 0, as the movement of the gateway's debt. So are charged fees and TVA, and what was paid out. */
  refunded: column.total('refunded_millimes'),
  charged: column.total('charged_millimes'),
  settled: column.total('settled_millimes'),
  /** Write-offs and corrections. */
  other: column.total('other_millimes'),
  /** The gateway's debt at the end of the day. */
  closing: column.total('closing_millimes'),
});
export const DAY_CREDITS = rowCodec({
  date: column.businessDate('business_date'),
  credits: column.number('credit_count'),
  amount: column.total('credit_millimes'),
  /** Fees and TVA that the matched credits lack. */
  charged: column.total('charged_millimes'),
  unexplained: column.number('unexplained_count'),
  unexplainedAmount: column.total('unexplained_millimes'),
});
export const CUT_OFF = rowCodec({
  date: column.businessDate('business_date'),
  runId: column.text('run_id'),
  knownAt: column.number('known_at'),
  owing: column.number('owing_count'),
  owed: column.total('owing_millimes'),
  favored: column.number('favored_count'),
  favor: column.total('favored_millimes'),
  processing: column.number('processing_count'),
  processingAmount: column.total('processing_millimes'),
  available: column.number('available_count'),
  availableAmount: column.total('available_millimes'),
  late: column.number('late_count'),
  lateAmount: column.total('late_millimes'),
  /** The last day on which an item that is not late is still in time. */
  lastDueOn: column.optional(column.businessDate('last_due_on')),
  bankThrough: column.optional(column.businessDate('bank_through')),
  lastStatementId: column.optional(column.text('last_statement_id')),
});
export const EXPECTATION = rowCodec({
  date: column.businessDate('business_date'),
  items: column.number('item_count'),
  amount: column.total('amount_millimes'),
});

/** What moved through one channel on one day, and the gateway's debt after it. In millimes. */
export type DayFigure = Decoded<typeof FIGURE>;
/** The credits of one day that may be payouts. */
export type DayCredits = Decoded<typeof DAY_CREDITS>;
/** What was known when a day was the last one that a run had covered after it ended. */
export type CutOff = Decoded<typeof CUT_OFF>;
/** What runs expected the bank to receive on a day, before fees, as known at the last cut-off before it. */
export type DayExpectation = Decoded<typeof EXPECTATION>;

/** Everything that a refresh stores. */
export interface NewFigures {
  readonly cutOff: CutOff;
  /** All figures of the days on which one changed. */
  readonly figures: readonly DayFigure[];
  /** The credits of all days from the first of these, which replace the stored ones. */
  readonly creditsFrom: BusinessDate;
  readonly credits: readonly DayCredits[];
  /** Expectations of days after the cut-off, which replace the stored ones. */
  readonly expectations: readonly DayExpectation[];
  /** Older figures go. */
  readonly keptFrom: BusinessDate;
}

/** Returns the latest cut-off, at most a day; undefined without one. */
export function lastCutOff(session: Session, upTo?: BusinessDate): Promise<CutOff | undefined> {
  const query = session('day_cut_offs as k').select(CUT_OFF.columns('k')).orderBy('k.business_date', 'desc').limit(1);
  return CUT_OFF.first(upTo === undefined ? query : query.where('k.business_date', '<=', upTo));
}

/** Returns the figures of some days, by day and channel. */
export function figuresBetween(session: Session, from: BusinessDate, to: BusinessDate): Promise<DayFigure[]> {
  return FIGURE.all(
    session('day_figures as f')
      .select(FIGURE.columns('f'))
      .whereBetween('f.business_date', [from, to])
      .orderBy(['f.business_date', 'f.channel']),
  );
}

/** Stores the figures of a refresh, unless another refresh ended since `before` was read. Returns whether it did. */
export async function storeFigures(
  session: Session,
  before: CutOff | undefined,
  { cutOff, figures, creditsFrom, credits, expectations, keptFrom }: NewFigures,
): Promise<boolean> {
  await takeTurn(session, 'day_figures');
  const last = await CUT_OFF.first(
    session('day_cut_offs as k').select(CUT_OFF.columns('k')).orderBy('k.business_date', 'desc').limit(1),
  );
  if (last?.date !== before?.date || last?.knownAt !== before?.knownAt) return false;
  for (const table of ['day_figures', 'day_credits', 'day_cut_offs', 'day_expectations']) {
    await session(table).where('business_date', '<', keptFrom).delete();
  }
  await session('day_cut_offs').where('business_date', '>=', cutOff.date).delete();
  await session('day_cut_offs').insert(CUT_OFF.write(cutOff));
  const dates = [...new Set(figures.map(({ date }) => date))];
  await session('day_figures').whereIn('business_date', dates).delete();
  await session.insert([{ table: 'day_figures', rows: figures.map((each) => FIGURE.write(each)) }]);
  await session('day_credits').where('business_date', '>=', creditsFrom).delete();
  await session.insert([{ table: 'day_credits', rows: credits.map((each) => DAY_CREDITS.write(each)) }]);
  await session('day_expectations').where('business_date', '>', cutOff.date).delete();
  await session.insert([{ table: 'day_expectations', rows: expectations.map((each) => EXPECTATION.write(each)) }]);
  return true;
}
