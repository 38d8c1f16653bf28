import type { BusinessDate, Instant } from '../../../src/kernel';
import type { Observation } from '../../../src/payout-inference';
import type { PayableItem } from '../../../src/simulator';
import type { TrueBreak, TrueLine, WorldTruth } from '../world';
import type { MadeLine } from './make-lines';
import type { PaidOut } from './pay-out';
import type { Period } from './period';
import type { CutPayout } from './planned-cuts';

/** The graces of the design, in working days. */
const MISSING_IN_BOOK_GRACE = 2;
const MISSING_IN_BANK_GRACE = 3;
const LATE_SETTLEMENT_GRACE = 2;

export interface TrueBreaksRequest {
  readonly period: Period;
  readonly paidOut: PaidOut;
  readonly streams: WorldTruth['streams'];
  /** The lines on the statement with their truth. */
  readonly lines: readonly MadeLine[];
  readonly truth: readonly TrueLine[];
  readonly known: ReadonlyMap<string, PayableItem>;
  readonly observations: readonly Observation[];
  /** The last day that the statement covers. */
  readonly horizon: BusinessDate;
  /** Payouts without a line on the statement: lost, or booked before its first day or after its end. */
  readonly unpaid: readonly CutPayout[];
  /** Whether the bank booked a payout before the first day of the statement. */
  readonly isBookedBefore: (payout: CutPayout) => boolean;
  /** Whether a payout contains business from before the files: its credit then looks like another payer's. */
  readonly hasItemsBefore: (payout: CutPayout) => boolean;
}

/** Returns the breaks that a careful reader of the files reports with the default graces. */
export function trueBreaks(request: TrueBreaksRequest): TrueBreak[] {
  return [
    ...breaksOfLines(request),
    ...returnedPayouts(request),
    ...missingInBank(request),
    ...clearingUnexplained(request),
    ...lateSettlements(request),
    ...regressions(request),
    ...refundsNotReflected(request),
  ];
}

function breaksOfLines(request: TrueBreaksRequest): TrueBreak[] {
  const { period, lines, horizon, hasItemsBefore } = request;
  const truth = new Map(request.truth.map((line) => [line.lineId, line]));
  return lines.flatMap(({ line, kind, payouts, surpriseMillimes }): TrueBreak[] => {
    const { itemIds = [], unknownMillimes = 0 } = truth.get(line.lineId) ?? {};
    const found = (breakClass: string): TrueBreak[] => [
      { breakClass, amountMillimes: line.amount, itemIds: [], lineIds: [line.lineId] },
    ];
    if (line.amount < 0) return [];
    if (kind === 'split') return found('ambiguous_payout');
    if (surpriseMillimes > 0) return found('fee_unexplained');
    const isForeign = kind === 'unrelated' || itemIds.length === 0;
    if (isForeign) {
      const age = period.workingDays.countBetween(line.bookingDate, horizon);
      return age > MISSING_IN_BOOK_GRACE ? found('missing_in_book') : [];
    }
    // Items from before the files are an unknown amount like any other.
    return unknownMillimes === 0 && !payouts.some(hasItemsBefore) ? [] : found('ambiguous_payout');
  });
}

function returnedPayouts({ lines }: TrueBreaksRequest): TrueBreak[] {
  return lines
    .filter(({ kind }) => kind === 'return_debit')
    .map(({ line, payouts }) => {
      const credit = lines.find((other) => other.kind === 'returned_credit' && other.payouts[0] === payouts[0]);
      const lineIds = [...(credit === undefined ? [] : [credit.line.lineId]), line.lineId];
      return { breakClass: 'returned_payout', amountMillimes: -line.amount, itemIds: [], lineIds };
    });
}

/** Returns the streams whose credits are recognizable: only their missing money is missed. */
function streamsPaid({ lines, truth }: TrueBreaksRequest): ReadonlySet<string> {
  const clean = new Set(truth.filter(({ unknownMillimes }) => unknownMillimes === 0).map(({ lineId }) => lineId));
  return new Set(
    lines
      .filter(({ line, kind }) => clean.has(line.lineId) && kind !== 'split')
      .flatMap(({ payouts }) => payouts.map(({ stream }) => stream)),
  );
}

/**
 * Reports the money of each day that did not arrive. Nothing in the files shows that the bank booked the payouts before
 * its first day, so they are one break of their stream.
 */
function missingInBank(request: TrueBreaksRequest): TrueBreak[] {
  const { period, unpaid, horizon, known, isBookedBefore } = request;
  const paid = streamsPaid(request);
  const groups = new Map<string, PayableItem[]>();
  for (const payout of unpaid) {
    const dueOn = period.workingDays.add(period.dateOf(payout.cutAt), 1 + MISSING_IN_BANK_GRACE);
    if (horizon <= dueOn || !paid.has(payout.stream)) continue;
    for (const { itemId } of payout.lines) {
      const item = known.get(itemId);
      if (item === undefined) continue;
      const group = isBookedBefore(payout) ? 'before' : period.dateOf(item.availableAt);
      addTo(groups, `${payout.stream} ${group}`, item);
    }
  }
  return [...groups.values()].map((items) => breakOf('missing_in_bank', items));
}

/**
 * Reports money of a stream that was never paid to this account, one break a month. Money that could still arrive in
 * time is no difference yet.
 */
function clearingUnexplained(request: TrueBreaksRequest): TrueBreak[] {
  const { period, paidOut, streams, known, horizon, unpaid } = request;
  const paid = streamsPaid(request);
  const isDue = ({ availableAt }: PayableItem): boolean =>
    period.workingDays.add(period.dateOf(availableAt), 1 + MISSING_IN_BANK_GRACE) < horizon;
  const waiting = unpaid.flatMap(({ lines }) => lines.map(({ itemId }) => itemId));
  const groups = new Map<string, PayableItem[]>();
  for (const itemId of [...waiting, ...paidOut.openAtEnd.map((item) => item.itemId)]) {
    const item = known.get(itemId);
    if (item === undefined || !isDue(item) || paidOut.cancelledIds.has(itemId)) continue;
    const stream = streams.get(item.channel);
    if (stream === undefined || !paid.has(stream)) {
      addTo(groups, `${item.channel} ${period.dateOf(item.availableAt).slice(0, 7)}`, item);
    }
  }
  return [...groups.values()].map((items) => breakOf('clearing_unexplained', items));
}

function lateSettlements({ period, known, observations, horizon }: TrueBreaksRequest): TrueBreak[] {
  const last = new Map(observations.map((observation) => [observation.itemId, observation]));
  return [...known.values()]
    .filter(({ itemId, channel, succeededAt }) => {
      const observation = last.get(itemId);
      if (channel !== 'card' || observation?.settlementStatus !== 'PROCESSING') return false;
      const dueOn = period.workingDays.add(period.dateOf(succeededAt), 1 + LATE_SETTLEMENT_GRACE);
      return minDate(period.dateOf(observation.observedAt), horizon) > dueOn;
    })
    .map((item) => breakOf('late_settlement', [item]));
}

/** Reports items that were seen IN_PAYOUT or PAID, and AVAILABLE later. */
function regressions({ known, observations }: TrueBreaksRequest): TrueBreak[] {
  const leftAt = new Map<string, Instant>();
  const wentBack = new Set<string>();
  for (const { itemId, observedAt, settlementStatus } of observations) {
    if (settlementStatus === 'IN_PAYOUT' || settlementStatus === 'PAID') leftAt.set(itemId, observedAt);
    if (settlementStatus === 'AVAILABLE' && leftAt.has(itemId)) wentBack.add(itemId);
  }
  return [...wentBack]
    .flatMap((itemId) => known.get(itemId) ?? [])
    .map((item) => breakOf('settlement_regressed', [item]));
}

/** Reports refunds that a later sweep of their stream left out, if that sweep is on the statement. */
function refundsNotReflected({ paidOut, streams, known, lines }: TrueBreaksRequest): TrueBreak[] {
  const paid = lines.filter(({ kind }) => kind === 'payout').flatMap(({ payouts }) => payouts);
  return [...paidOut.forgottenIds]
    .flatMap((itemId) => known.get(itemId) ?? [])
    .filter(({ channel, availableAt }) =>
      paid.some(({ stream, cutAt }) => cutAt >= availableAt && stream === streams.get(channel)),
    )
    .map((item) => breakOf('refund_not_reflected', [item]));
}

function breakOf(breakClass: string, items: readonly PayableItem[]): TrueBreak {
  return {
    breakClass,
    amountMillimes: items.reduce<number>((sum, { amountMillimes }) => sum + amountMillimes, 0),
    itemIds: items.map(({ itemId }) => itemId).sort(),
    lineIds: [],
  };
}

function addTo(groups: Map<string, PayableItem[]>, key: string, item: PayableItem): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}

function minDate(a: BusinessDate, b: BusinessDate): BusinessDate {
  return a < b ? a : b;
}
