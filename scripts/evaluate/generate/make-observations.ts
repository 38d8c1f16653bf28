import { DAY_MS, type Instant, MINUTE_MS, SECOND_MS } from '../../../src/kernel';
import type { Observation } from '../../../src/payout-inference';
import type { PayableItem, SeededRandom } from '../../../src/simulator';
import type { OurClock } from './clock-skew';
import type { CalledOffCut } from './pay-out';
import type { Period } from './period';
import type { WorldPlan } from './plan';

const FIRST_READ_MINUTES = [1, 10] as const;
/** After this time without a change, a client checks less often. */
const PATIENT_AFTER_MS = 6 * DAY_MS;
const PATIENT_TIMES = 6;
const OUTAGE_HOURS = [48, 96] as const;
const READ_AROUND_SUCCESS_SECONDS = [5, 120] as const;
const READ_BEFORE_PPM = 500_000;
/** The channels besides card that a status check covers. */
const READABLE: ReadonlySet<string> = new Set(['wallet', 'mpayment', 'pos']);

/** The stages of an item, as only the gateway knows them. */
export interface Journey {
  readonly cutAt: Instant;
  readonly transferAt: Instant;
}

export interface ObservationRequest {
  readonly random: SeededRandom;
  readonly plan: WorldPlan;
  readonly period: Period;
  readonly clock: OurClock;
  /** The items that the files list. */
  readonly items: readonly PayableItem[];
  readonly journeyOf: (itemId: string) => Journey | undefined;
  readonly calledOff: readonly CalledOffCut[];
  /** Millime does not know an item that it recorded late before then. */
  readonly recordedAt: ReadonlyMap<string, Instant>;
}

/** Returns the answers to Millime's status checks, in their order. */
export function makeObservations(request: ObservationRequest): Observation[] {
  const { random, period, items, clock, recordedAt } = request;
  const outages = makeOutages(random, request);
  const refundedAt = new Map(items.map(({ refundOf, succeededAt }) => [refundOf, succeededAt]));
  return items
    .filter(({ refundOf }) => refundOf === undefined)
    .flatMap((item) => {
      const chance = random.fork(`looks:${item.itemId}`);
      if (item.channel === 'card') return readsOfCard(chance, item, refundedAt.get(item.itemId), request);
      return READABLE.has(item.channel) && request.plan.pollEveryMinutes !== 'never'
        ? readsOfOther(chance, item, refundedAt.get(item.itemId))
        : [];
    })
    .filter(({ observedAt }) => observedAt >= period.filesFrom && observedAt < period.filesUntil)
    .filter(({ itemId, observedAt }) => observedAt >= (recordedAt.get(itemId) ?? observedAt))
    .filter(({ observedAt }) => !outages.some(({ from, until }) => observedAt >= from && observedAt < until))
    .map((observation) => ({ ...observation, observedAt: clock.shown(observation.observedAt) }))
    .sort((a, b) => a.observedAt - b.observedAt);
}

function makeOutages(random: SeededRandom, { plan, period }: ObservationRequest): { from: Instant; until: Instant }[] {
  return Array.from({ length: plan.pollOutages }, () => {
    const hours = random.int(...OUTAGE_HOURS);
    const from = random.int(period.filesFrom + 2 * DAY_MS, period.filesUntil - DAY_MS);
    return { from, until: from + hours * 60 * MINUTE_MS };
  });
}

function readsOfCard(
  chance: SeededRandom,
  item: PayableItem,
  refundedAt: Instant | undefined,
  request: ObservationRequest,
): Observation[] {
  const { pollEveryMinutes } = request.plan;
  if (pollEveryMinutes === 'never') return [];
  const [min, max] = pollEveryMinutes;
  const observations: Observation[] = [];
  let at = item.succeededAt + chance.int(...FIRST_READ_MINUTES) * MINUTE_MS;
  while (at < request.period.filesUntil) {
    const settlementStatus = statusOf(item, at, refundedAt, request);
    observations.push(observe(item, at, settlementStatus));
    if (settlementStatus === 'NOT_APPLICABLE') return observations;
    if (settlementStatus === 'PAID') {
      // Millime requests a refund itself, so it checks the status again afterwards.
      const after = (refundedAt ?? Infinity) + chance.int(...FIRST_READ_MINUTES) * MINUTE_MS;
      return after > at && after < Infinity ? [...observations, observe(item, after, 'NOT_APPLICABLE')] : observations;
    }
    const minutes = chance.int(min, max) * (at - item.succeededAt > PATIENT_AFTER_MS ? PATIENT_TIMES : 1);
    at += minutes * MINUTE_MS + chance.int(0, MINUTE_MS - 1);
  }
  return observations;
}

function statusOf(
  { itemId, availableAt }: PayableItem,
  at: Instant,
  refundedAt: Instant | undefined,
  { journeyOf, calledOff }: ObservationRequest,
): string {
  if (refundedAt !== undefined && refundedAt <= at) return 'NOT_APPLICABLE';
  if (at < availableAt) return 'PROCESSING';
  const journey = journeyOf(itemId);
  if (journey !== undefined && at >= journey.cutAt) return at < journey.transferAt ? 'IN_PAYOUT' : 'PAID';
  const isCalledOff = calledOff.some(
    ({ cutAt, calledOffAt, itemIds }) => cutAt <= at && at < calledOffAt && itemIds.has(itemId),
  );
  return isCalledOff ? 'IN_PAYOUT' : 'AVAILABLE';
}

/** Returns the observations of other channels. Their money is available immediately, and their status never changes. */
function readsOfOther(chance: SeededRandom, item: PayableItem, refundedAt: Instant | undefined): Observation[] {
  const before = item.succeededAt - chance.int(...READ_AROUND_SUCCESS_SECONDS) * SECOND_MS;
  const after = item.succeededAt + chance.int(...READ_AROUND_SUCCESS_SECONDS) * SECOND_MS;
  const early: Observation = {
    itemId: item.itemId,
    observedAt: before,
    status: 'PENDING',
    settlementStatus: item.channel === 'pos' ? 'PROCESSING' : 'NOT_APPLICABLE',
  };
  return [
    ...(chance.chance(READ_BEFORE_PPM) ? [early] : []),
    observe(item, after, 'AVAILABLE'),
    ...(refundedAt === undefined ? [] : [observe(item, refundedAt + MINUTE_MS, 'NOT_APPLICABLE')]),
  ];
}

function observe({ itemId }: PayableItem, observedAt: Instant, settlementStatus: string): Observation {
  // A refund changes only the settlement status, not the payment's own status.
  return { itemId, observedAt, status: 'SUCCESS', settlementStatus };
}
