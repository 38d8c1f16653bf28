import type { Instant } from '../../kernel';
import type { Observation } from '../match-request';

const TELLING: ReadonlySet<string> = new Set(['PROCESSING', 'IN_PAYOUT', 'PAID']);
const NEVER = Number.NEGATIVE_INFINITY;

/** The settlement of one item according to its observations, reduced to four instants. */
interface SettlementHistory {
  /** The first observation as IN_PAYOUT or PAID. */
  firstInPayout: Instant;
  /** The last observation as PROCESSING or AVAILABLE. */
  lastBeforePayout: Instant;
  lastProcessing: Instant;
  /** The last observation with a status other than PROCESSING. */
  lastBeyond: Instant;
}

/** The facts that all observations together show, in any order. */
export interface HistorySummary {
  /** Items that were in a payout in one observation and before any payout in a later one. */
  readonly wentBack: ReadonlySet<string>;
  /**
   * Items whose last observation is PROCESSING, with its time. Of two observations at one instant, the later status
   * counts.
   */
  readonly stillProcessing: ReadonlyMap<string, Instant>;
}

/**
 * Reads a million observations. One without a settlement status is ignored. Most report AVAILABLE, which matters only
 * for items that another observation shows as PROCESSING or in a payout. So those items are gathered first.
 */
export function settlementHistory(observations: readonly Observation[]): HistorySummary {
  const byItem = new Map<string, SettlementHistory>();
  for (const { itemId, observedAt, settlementStatus } of observations) {
    if (!TELLING.has(settlementStatus)) continue;
    let history = byItem.get(itemId);
    if (history === undefined) byItem.set(itemId, (history = emptyHistory()));
    record(history, observedAt, settlementStatus);
  }
  for (const { itemId, observedAt, settlementStatus } of byItem.size === 0 ? [] : observations) {
    if (settlementStatus === '' || TELLING.has(settlementStatus)) continue;
    const history = byItem.get(itemId);
    if (history !== undefined) record(history, observedAt, settlementStatus);
  }
  const wentBack = new Set<string>();
  const stillProcessing = new Map<string, Instant>();
  for (const [itemId, { firstInPayout, lastBeforePayout, lastProcessing, lastBeyond }] of byItem) {
    if (lastBeforePayout > firstInPayout) wentBack.add(itemId);
    if (lastProcessing > lastBeyond) stillProcessing.set(itemId, lastProcessing);
  }
  return { wentBack, stillProcessing };
}

function emptyHistory(): SettlementHistory {
  return {
    firstInPayout: Number.POSITIVE_INFINITY,
    lastBeforePayout: NEVER,
    lastProcessing: NEVER,
    lastBeyond: NEVER,
  };
}

function record(history: SettlementHistory, at: Instant, settlementStatus: string): void {
  if (settlementStatus === 'PROCESSING') history.lastProcessing = Math.max(history.lastProcessing, at);
  else history.lastBeyond = Math.max(history.lastBeyond, at);
  if (settlementStatus === 'PROCESSING' || settlementStatus === 'AVAILABLE') {
    history.lastBeforePayout = Math.max(history.lastBeforePayout, at);
  } else if (settlementStatus === 'IN_PAYOUT' || settlementStatus === 'PAID') {
    history.firstInPayout = Math.min(history.firstInPayout, at);
  }
}
