import type { FeeRule, Observation } from '../../../src/payout-inference';
import type { PayableItem } from '../../../src/simulator';
import type { TrueItem, WorldTruth } from '../world';
import type { MadeItems } from './make-items';
import type { MadeLine } from './make-lines';
import type { PaidOut } from './pay-out';
import type { Period } from './period';
import type { WorldPlan } from './plan';
import { trueBreaks } from './true-breaks';
import { trueLines } from './true-lines';

export interface WorldTruthRequest {
  readonly plan: WorldPlan;
  readonly period: Period;
  readonly fees: readonly FeeRule[];
  readonly made: MadeItems;
  readonly paidOut: PaidOut;
  /** The items of the files. */
  readonly knownItems: readonly PayableItem[];
  readonly observations: readonly Observation[];
  /** Everything that the bank books for the payouts, also outside the statement. */
  readonly bankLines: readonly MadeLine[];
  /** The statement. */
  readonly lines: readonly MadeLine[];
  readonly recordedLateIds: ReadonlySet<string>;
  readonly streams: WorldTruth['streams'];
}

/** Returns the truth about the files of a world. */
export function worldTruth(request: WorldTruthRequest): WorldTruth {
  const { plan, period, fees, made, paidOut, knownItems, observations, bankLines, lines, streams } = request;
  const { payouts, payoutPlan } = paidOut;
  const known = new Map(knownItems.map((item) => [item.itemId, item]));
  const beforeIds = new Set(
    made.items.filter(({ succeededAt }) => succeededAt < period.filesFrom).map(({ itemId }) => itemId),
  );
  const firstDay = lines.at(0)?.line.bookingDate;
  const shown = payoutIdsOf(lines);
  const booked = payoutIdsOf(bankLines.filter(({ line }) => firstDay !== undefined && line.bookingDate < firstDay));
  const truth = trueLines(lines, { period, payoutPlan, payouts, known });
  return {
    model: plan.nothingPaid ? undefined : plan.groups === undefined ? plan.model : 'groups',
    streams,
    fees,
    clawbackFee: plan.clawbackFee,
    lines: truth,
    items: trueItems(request),
    cuts: payouts.map(({ stream, cutAt }) => ({ stream, cutAt })),
    breaks: trueBreaks({
      period,
      paidOut,
      streams,
      lines,
      truth,
      known,
      observations,
      horizon: lines.at(-1)?.line.bookingDate ?? period.lastDay,
      unpaid: payouts.filter(({ payoutId }) => !shown.has(payoutId)),
      isBookedBefore: ({ payoutId }) => booked.has(payoutId),
      hasItemsBefore: ({ lines: paid }) => paid.some(({ itemId }) => beforeIds.has(itemId)),
    }),
    clockSkewMaxMs: plan.clockSkewMaxMs,
    cardDriftMsPerDay: made.cardDriftMsPerDay,
  };
}

function payoutIdsOf(lines: readonly MadeLine[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.payouts.map(({ payoutId }) => payoutId)));
}

/** Returns the items that each line paid. A return pays none; both credits of a returned payout pay its items. */
function trueItems({ knownItems, lines, paidOut, recordedLateIds }: WorldTruthRequest): TrueItem[] {
  const { cancelledIds, openAtEnd } = paidOut;
  const paidBy = new Map<string, string[]>();
  for (const { line, kind, payouts } of lines) {
    if (kind === 'return_debit') continue;
    for (const { itemId } of payouts.flatMap((payout) => payout.lines)) {
      paidBy.set(itemId, [...(paidBy.get(itemId) ?? []), line.lineId]);
    }
  }
  const open = new Set(openAtEnd.map(({ itemId }) => itemId));
  const pairs = new Set(
    openAtEnd.flatMap(({ itemId, refundOf }) =>
      refundOf !== undefined && open.has(refundOf) ? [itemId, refundOf] : [],
    ),
  );
  return knownItems.map(({ itemId, availableAt }) => ({
    itemId,
    availableAt,
    paidByLineIds: paidBy.get(itemId) ?? [],
    cancelled: cancelledIds.has(itemId) || pairs.has(itemId),
    recordedLate: recordedLateIds.has(itemId),
  }));
}
