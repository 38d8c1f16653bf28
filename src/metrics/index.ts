import { collectDefaultMetrics, Registry } from 'prom-client';
import type { SettlementObserver } from '../agent-settlement';
import type { ObserveRequest } from '../http';
import { createRefresher, SECOND_MS } from '../kernel';
import { registerFamilies } from './families';
import { gaugeFamilies } from './gauge-families';
import type { MetricsDeps } from './metrics-deps';
import { Observations } from './observations';
import { observedFamilies } from './observed-families';
import { createGaugeReader, NOTHING_READ } from './read-gauges';

export { metricsHandler } from './metrics-handler';
export type { MetricsDeps } from './metrics-deps';

/** Scrapes within this time share one reading of the database. */
const AGE_MAX_MS = 5 * SECOND_MS;

/** Gauges of prom-client that are named as counters, which promtool refuses. */
const MISNAMED = ['nodejs_active_resources_total', 'nodejs_active_handles_total', 'nodejs_active_requests_total'];

/** Counts what this process does, and prints it together with the state of the installation. */
export interface Metrics extends SettlementObserver {
  /** Counts one answered request. `route` is a template, never a path. */
  readonly observeRequest: ObserveRequest;
  readonly contentType: string;
  /**
   * Returns all metrics as text. What lies in the database is at most five seconds old. Ends within three seconds, even
   * if the database does not answer; concurrent callers share one answer.
   */
  scrape(): Promise<string>;
}

/** Creates metrics in a registry of their own. Reads nothing before the first scrape. */
export function createMetrics(deps: MetricsDeps): Metrics {
  const { database, clock, monotonic } = deps;
  const observed = new Observations();
  const registry = new Registry();
  const readGauges = createGaugeReader(deps);
  let gauges = NOTHING_READ;
  let rendering: Promise<string> | undefined;
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  registerFamilies(registry, [
    ...observedFamilies(observed),
    ...gaugeFamilies({ database, clock, gauges: () => gauges }),
  ]);
  const refresher = createRefresher(
    AGE_MAX_MS,
    async () => {
      gauges = await readGauges();
    },
    monotonic,
  );
  const render = async (): Promise<string> => {
    try {
      await refresher.fresh();
      return await registry.metrics();
    } finally {
      rendering = undefined;
    }
  };
  return {
    observeRequest: (answered) => observed.countRequest(answered),
    confirmed: (outcome) => observed.countConfirm(outcome),
    batched: (confirms) => observed.batches.count(confirms),
    contentType: registry.contentType,
    scrape: () => (rendering ??= render()),
  };
}
