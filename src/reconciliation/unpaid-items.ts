import type { Session } from '../db';
import {
  addDays,
  type BusinessCalendar,
  type BusinessDate,
  type Instant,
  type Millimes,
  type WorkingDays,
} from '../kernel';
import { openRecordedItems } from '../payments';
import {
  DEFAULT_ERROR_MAX,
  type FeeRule,
  type History,
  type Inference,
  inferPayouts,
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
import { type WaitingItem, waitingItems } from './waiting-items';

/** A long history has many unpaid items. */
export const UNPAID_DEADLINE_MS = 120_000;

/** An item that no credit paid, with what a person needs to choose it. */
export interface UnpaidItem extends WaitingItem {
  /** The agent who paid, or whose due it pays. */
  readonly agentId: string | undefined;
  /** The fees of the schedule in force, if it charges items. */
  readonly fee: Millimes;
  readonly tva: Millimes;
}

export interface UnpaidDeps {
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
  /** By default that of runs. */
  readonly infer?: ((request: MatchRequest) => Inference) | undefined;
}

/**
 * Returns the items that no match holds now, in the order in which they became available, then by id. Payouts are runs
 * of this order. The due days come from the same habits and graces as those of a run without open credits.
 */
export async function readUnpaid(session: Session, deps: UnpaidDeps, now: Instant): Promise<UnpaidItem[]> {
  const { calendar } = deps;
  const today = calendar.dateOf(now);
  const statements = openStatements(session);
  const credits = await statements.payoutCandidates({ through: today });
  const covered = coveredThrough(await statements.coverage(), new Set(credits.map(({ account }) => account)));
  const { waiting, rules, agentOf } = await judgeUnpaid(session, deps, {
    before: calendar.startOf(addDays(today, 1)),
    wanted: notHeldCondition(undefined, []),
    history: toHistory({ matches: await openMatchStore(session).liveCuts(), credits }),
    horizon: earlier(covered, addDays(today, -1)),
  });
  return waiting.map((item) => withFee({ ...item, agentId: agentOf.get(item.itemId) }, rules, calendar));
}

/** Adds the fees of a schedule to an item. Pure. */
export function withFee<Item extends WaitingItem>(
  item: Item,
  rules: readonly FeeRule[],
  { dateOf }: Pick<BusinessCalendar, 'dateOf'>,
): Item & Pick<UnpaidItem, 'fee' | 'tva'> {
  return { ...item, ...feeOfItem(item, rules, dateOf(item.succeededAt)) };
}

/** The items to judge, and what is known of the payouts and the statements. */
export interface UnpaidQuestion extends ItemFilter {
  readonly history: History | undefined;
  /** Nothing is late after it; undefined: nothing is late. */
  readonly horizon: BusinessDate | undefined;
}

/** Judges items that no match holds as a run without open credits does. */
export async function judgeUnpaid(
  session: Session,
  { calendar, workingDays, infer = inferPayouts }: UnpaidDeps,
  { history, horizon, ...filter }: UnpaidQuestion,
): Promise<{
  readonly waiting: WaitingItem[];
  readonly rules: readonly FeeRule[];
  readonly agentOf: ReadonlyMap<string, string>;
}> {
  const { items, agentOf } = await readItemsOfAgents(session, filter);
  const observations = await openRecordedItems(session).observations(filter);
  const rules = (await openFeeSchedules(session).current())?.rules ?? [];
  const request: MatchRequest = {
    items,
    ...observationsOf(items, observations),
    lines: [],
    fees: rules,
    calendar,
    workingDays,
    maxError: DEFAULT_ERROR_MAX,
    history,
  };
  const inference = infer(request);
  return { waiting: waitingItems(request, inference, judgeInference(request, inference, { horizon })), rules, agentOf };
}

function earlier(covered: BusinessDate | undefined, day: BusinessDate): BusinessDate {
  return covered !== undefined && covered < day ? covered : day;
}
