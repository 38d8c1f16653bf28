import type { FeeRule, Observation } from '../../../src/payout-inference';
import type { PayableItem, Payout } from '../../../src/simulator';
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
  /** The statement. */
  readonly lines: readonly MadeLine[];
}

/** Returns the truth about the files of a world. */
export function worldTruth(request: WorldTruthRequest): WorldTruth {
  const { plan, period, fees, made, paidOut, knownItems, observations, lines } = request;
  const { payouts, payoutPlan } = paidOut;
  const known = new Map(knownItems.map((item) => [item.itemId, item]));
  const beforeIds = new Set(
    made.items.filter(({ succeededAt }) => succeededAt < period.filesFrom).map(({ itemId }) => itemId),
  );
  const truth = trueLines(lines, { period, payoutPlan, payouts, known });
  return {
    model: plan.nothingPaid ? undefined : plan.model,
    fees,
    clawbackFee: plan.clawbackFee,
    lines: truth,
    items: trueItems(knownItems, lines, paidOut),
    cuts: payouts.map(({ stream, cutAt }) => ({ stream, cutAt })),
    breaks: trueBreaks({
      period,
      paidOut,
      lines,
      truth,
      known,
      observations,
      horizon: lines.at(-1)?.line.bookingDate ?? period.lastDay,
      unpaid: unpaidOf(payouts, lines),
      hasItemsBefore: ({ lines: paid }) => paid.some(({ itemId }) => beforeIds.has(itemId)),
    }),
    clockSkewMaxMs: plan.clockSkewMaxMs,
  };
}

function unpaidOf(payouts: readonly Payout[], lines: readonly MadeLine[]): Payout[] {
  const paid = new Set(lines.flatMap((line) => line.payouts.map(({ payoutId }) => payoutId)));
  return payouts.filter(({ payoutId }) => !paid.has(payoutId));
}

/** Returns the items that each line paid. A return pays none; both credits of a returned payout pay its items. */
function trueItems(
  items: readonly PayableItem[],
  lines: readonly MadeLine[],
  { cancelledIds, openAtEnd }: PaidOut,
): TrueItem[] {
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
  return items.map(({ itemId, availableAt }) => ({
    itemId,
    availableAt,
    paidByLineIds: paidBy.get(itemId) ?? [],
    cancelled: cancelledIds.has(itemId) || pairs.has(itemId),
  }));
}
