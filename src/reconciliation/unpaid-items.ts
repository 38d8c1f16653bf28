import type { Session } from '../db';
import {
  addDays,
  type BusinessCalendar,
  type BusinessDate,
  compareBytes,
  type Instant,
  type Millimes,
  pagesOf,
  type WorkingDays,
} from '../kernel';
import { openRecordedItems } from '../payments';
import {
  type Channel,
  DEFAULT_ERROR_MAX,
  type Inference,
  inferPayouts,
  type Item,
  judgeInference,
  type MatchRequest,
} from '../payout-inference';
import { openStatements } from '../statements';
import { feeOfItem } from './allocate-fees';
import { coveredThrough } from './covered-through';
import { openFeeSchedules } from './fee-schedule-store';
import { openMatchStore } from './match-store';
import { notHeldCondition } from './not-held-condition';
import { type ItemFilter, readItemsOfAgents } from './read-items';
import { observationsOf, toHistory } from './to-match-request';

/** A long history has many unpaid items. */
export const UNPAID_DEADLINE_MS = 120_000;

/** An item that no credit paid, with what a person needs to choose it. */
export interface UnpaidItem {
  readonly itemId: string;
  readonly channel: Channel;
  /** The agent who paid, or whose due it pays. */
  readonly agentId: string | undefined;
  /** Negative for a refund. */
  readonly amount: Millimes;
  /** The fees of the schedule in force, if it charges items. */
  readonly fee: Millimes;
  readonly tva: Millimes;
  readonly succeededAt: Instant;
  /** The instant by which the gateway could pay it out, as runs order the items. */
  readonly availableAt: Instant;
  /** The last day on which the bank should book it, as runs compute it; undefined if it is not owed. */
  readonly dueOn: BusinessDate | undefined;
  /** Whether the bank should have booked it by the last day that statements cover. */
  readonly isLate: boolean;
}

export interface UnpaidDeps {
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
  /** By default that of runs. */
  readonly infer?: ((request: MatchRequest) => Inference) | undefined;
}

/** The items that are read; by default all. */
type UnpaidScope = Pick<ItemFilter, 'transactionIds' | 'withOthers'>;

/** An item that no match holds, and by when the bank should book it. */
export type DueItem = Pick<UnpaidItem, 'itemId' | 'dueOn' | 'isLate'>;

/** The most confirms whose due days are read together. */
const DUE_PER_READ_MAX = 500;
const OF_AGENTS = 'service:';

/**
 * Returns those of the given items that no match holds, with their due days, which equal those of `readUnpaid`. A due
 * day of a confirm depends on its own times and on matched payouts alone, so the other confirms are not read. The items
 * of the other channels are read together: the rule of cards is learned from all of them.
 */
export async function readDue(
  session: Session,
  deps: UnpaidDeps,
  itemIds: readonly string[],
  now: Instant,
): Promise<DueItem[]> {
  const ofAgents = itemIds.filter((itemId) => itemId.startsWith(OF_AGENTS));
  const wanted = new Set(itemIds);
  const transactionIds = ofAgents.map((itemId) => itemId.slice(OF_AGENTS.length));
  const due: DueItem[] = [];
  for (const page of pagesOf(transactionIds, DUE_PER_READ_MAX)) {
    due.push(...(await readUnpaid(session, deps, now, { transactionIds: page, withOthers: false })));
  }
  if (ofAgents.length < wanted.size) {
    due.push(...(await readUnpaid(session, deps, now, { transactionIds: [], withOthers: true })));
  }
  return due.filter(({ itemId }) => wanted.has(itemId));
}

/**
 * Returns the items that no match holds now, in the order in which they became available, then by id. Payouts are runs
 * of this order. The due days come from the same habits and graces as those of a run without open credits.
 */
export async function readUnpaid(
  session: Session,
  { calendar, workingDays, infer = inferPayouts }: UnpaidDeps,
  now: Instant,
  only: UnpaidScope = {},
): Promise<UnpaidItem[]> {
  const today = calendar.dateOf(now);
  const filter = { before: calendar.startOf(addDays(today, 1)), wanted: notHeldCondition(undefined, []), ...only };
  const { items, agentOf } = await readItemsOfAgents(session, filter);
  const observations = only.withOthers === false ? [] : await openRecordedItems(session).observations(filter);
  const rules = (await openFeeSchedules(session).current())?.rules ?? [];
  const statements = openStatements(session);
  const credits = await statements.payoutCandidates({ through: today });
  const request: MatchRequest = {
    items,
    ...observationsOf(items, observations),
    lines: [],
    fees: rules,
    calendar,
    workingDays,
    maxError: DEFAULT_ERROR_MAX,
    history: toHistory({ matches: await openMatchStore(session).liveCuts(), credits }),
  };
  const covered = coveredThrough(await statements.coverage(), new Set(credits.map(({ account }) => account)));
  const inference = infer(request);
  const states = judgeInference(request, inference, { horizon: earlier(covered, addDays(today, -1)) }).items;
  return items
    .map((item, index): UnpaidItem => ({
      ...chosenFields(item),
      agentId: agentOf.get(item.itemId),
      ...feeOfItem(item, rules, calendar.dateOf(item.succeededAt)),
      availableAt: inference.items[index]?.available.until ?? item.succeededAt,
      dueOn: states[index]?.dueOn,
      isLate: states[index]?.state === 'open',
    }))
    .sort((a, b) => a.availableAt - b.availableAt || compareBytes(a.itemId, b.itemId));
}

function chosenFields({ itemId, channel, amount, succeededAt }: Item): Pick<Item, keyof UnpaidItem & keyof Item> {
  return { itemId, channel, amount, succeededAt };
}

function earlier(covered: BusinessDate | undefined, day: BusinessDate): BusinessDate {
  return covered !== undefined && covered < day ? covered : day;
}
