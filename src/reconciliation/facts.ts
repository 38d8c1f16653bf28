import { openAgentItems, type AgentItem } from '../agent-settlement';
import { openBreakBook, type ReconBreak } from '../breaks';
import type { Session } from '../db';
import { addDays, type BusinessCalendar, type BusinessDate, type Instant } from '../kernel';
import { openRecordedItems, type RecordedItem } from '../payments';
import type { Item, Observation } from '../payout-inference';
import { openStatements, type PayoutCandidate } from '../statements';
import { coveredThrough } from './covered-through';
import { openFeeSchedules, type FeeSchedule } from './fee-schedule-store';
import type { StoredMatch, Unmatched } from './match';
import { openMatchBook, type AsOf } from './match-store';
import { openRunBook, type LastRun } from './run-store';

/** How much older than its receipt a confirm may be whose call was a resend, or followed a failure of ours. */
const OPEN_TO_THE_LEFT_MS = 7 * 24 * 60 * 60_000;

/** Everything that a run knows, read in one snapshot. */
export interface Facts {
  readonly through: BusinessDate;
  /** Of all channels, settled or not. */
  readonly items: readonly Item[];
  readonly observations: readonly Observation[];
  /** What may be payouts, in the order of the bank. */
  readonly credits: readonly PayoutCandidate[];
  /** Debits that may be returns of them. */
  readonly debits: readonly PayoutCandidate[];
  readonly matches: readonly StoredMatch[];
  readonly unmatched: readonly Unmatched[];
  readonly schedule: FeeSchedule | undefined;
  readonly lastRun: LastRun | undefined;
  /** The last day that the statements cover of every account into which we are paid; undefined without any statement. */
  readonly coveredThrough: BusinessDate | undefined;
  readonly openBreaks: readonly ReconBreak[];
  /** The highest `recorded_at` of all of this; 0 when there is nothing. */
  readonly knownUntil: Instant;
}

export interface FactsRequest {
  readonly through: BusinessDate;
  readonly calendar: BusinessCalendar;
  /** Only what was known then; everything when it is not given. */
  readonly asOf?: AsOf | undefined;
}

export async function readFacts(session: Session, { through, calendar, asOf }: FactsRequest): Promise<Facts> {
  const statements = openStatements(session);
  const book = openMatchBook(session);
  const recorded = openRecordedItems(session);
  const knownUntil = asOf?.knownUntil;
  const filter = { before: calendar.startOf(addDays(through, 1)), knownUntil };
  const lines = { through, importedUntil: knownUntil };
  const agentItems = await openAgentItems(session).receivedBefore(filter.before, knownUntil);
  const gatewayItems = await recorded.items(filter);
  const observations = await recorded.observations(filter);
  const credits = await statements.payoutCandidates(lines);
  const debits = await statements.possibleReturns(lines);
  const matches = await book.live(asOf);
  const rows = [agentItems, gatewayItems, observations, matches];
  return {
    through,
    items: [...agentItems.map(ofAgent), ...gatewayItems.map(ofGateway)],
    observations,
    credits,
    debits,
    matches,
    unmatched: await book.unmatched(asOf),
    schedule: await openFeeSchedules(session).current(),
    lastRun: await openRunBook(session).last(),
    coveredThrough: coveredThrough(await statements.coverage(), new Set(credits.map(({ account }) => account))),
    openBreaks: await openBreakBook(session).list({}),
    knownUntil: latest([
      ...rows.map((each) => latest(each.map(({ recordedAt }) => recordedAt))),
      ...[credits, debits].map((each) => latest(each.map(({ importedAt }) => importedAt))),
    ]),
  };
}

function ofAgent({ itemId, amount, availableAfter, availableUntil }: AgentItem): Item {
  return {
    itemId,
    channel: 'agent',
    amount,
    succeededAt: availableUntil,
    availableAfter: availableAfter ?? availableUntil - OPEN_TO_THE_LEFT_MS,
    availableUntil,
  };
}

/** A card is available by the gateway's rule, which its looks tell; everything else as soon as it has succeeded. */
function ofGateway({ itemId, channel, amount, refundOf, occurredAt, succeeded }: RecordedItem): Item {
  const item: Item = { itemId, channel, amount, succeededAt: occurredAt, refundOf };
  if (succeeded === undefined || channel === 'card' || channel === 'subscription') return item;
  return { ...item, availableAfter: succeeded.after, availableUntil: succeeded.until };
}

function latest(instants: readonly Instant[]): Instant {
  return instants.reduce((last, instant) => Math.max(last, instant), 0);
}
