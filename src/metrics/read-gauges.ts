import { beforeDeadline, type Session } from '../db';
import { type CallBudgetUse, readCallBudgetUse } from '../gateway';
import { sharedBudgetReader } from '../gateway-budget';
import { addDays, createRefresher, MINUTE_MS, monotonicClock } from '../kernel';
import { knownThrough } from '../reconciliation';
import type { TokenExpiry } from '../service-tokens';
import { type WaitingWebhooks, waitingWebhooks } from './inbox-read-model';
import { type JobEnds, jobEnds } from './job-ends-read-model';
import type { MetricsDeps } from './metrics-deps';
import { createMoneySums, type MoneySums } from './money-sums';
import { type OpenBreakCount, openBreakCounts } from './open-breaks-read-model';

/** Prometheus waits ten seconds by default; the rest is for a process that is busy. */
const DEADLINE_MS = 2_000;

/** What one snapshot of the database shows. */
interface State {
  readonly webhooks: readonly WaitingWebhooks[];
  readonly jobs: readonly JobEnds[];
  readonly budget: CallBudgetUse | undefined;
}

/** What a scrape read. Undefined is what could not be read in time, or is not known yet. */
export interface Gauges {
  readonly state: State | undefined;
  readonly breaks: readonly OpenBreakCount[] | undefined;
  readonly money: MoneySums | undefined;
  readonly tokens: TokenExpiry | undefined;
}

export const NOTHING_READ: Gauges = { state: undefined, breaks: undefined, money: undefined, tokens: undefined };

/** Creates the reader of everything that lies in the database. It ends within two seconds and never rejects. */
export function createGaugeReader(deps: MetricsDeps): () => Promise<Gauges> {
  const { database, tokenExpiry } = deps;
  const read = { snapshot: true, deadlineMs: DEADLINE_MS };
  const inTime = inTimeOf(deps);
  const money = createMoneySums({ ...deps, deadlineMs: DEADLINE_MS });
  // The bank's coverage takes longer to find than all the rest, and changes once a day.
  let breaks: readonly OpenBreakCount[] | undefined;
  const breakReader = createRefresher(MINUTE_MS, async () => {
    breaks = await database.read((session) => readBreaks(session, deps), read);
  });
  return async () => {
    const [state, tokens, sums, counts] = await Promise.all([
      inTime('state', () => database.read((session) => readState(session, deps), read)),
      inTime('tokens', tokenExpiry),
      inTime('money', money),
      inTime('breaks', async () => {
        await breakReader.fresh();
        return breaks;
      }),
    ]);
    return { state, tokens, money: sums, breaks: counts };
  };
}

type InTime = <T>(what: string, work: () => Promise<T>) => Promise<T | undefined>;

/** Returns undefined for what fails or takes too long, and logs the first failure after a success. */
function inTimeOf({ logger }: Pick<MetricsDeps, 'logger'>): InTime {
  const failing = new Set<string>();
  return async (what, work) => {
    try {
      const found = await beforeDeadline(work(), monotonicClock.now() + DEADLINE_MS);
      failing.delete(what);
      return found;
    } catch (error) {
      if (!failing.has(what)) logger.warn('metrics not read', { event: 'metrics.not_read', what, error });
      failing.add(what);
      return undefined;
    }
  };
}

async function readState(session: Session, { gateway, clock }: MetricsDeps): Promise<State> {
  const store = sharedBudgetReader(session);
  return {
    webhooks: await waitingWebhooks(session),
    jobs: await jobEnds(session),
    budget: gateway === undefined ? undefined : await readCallBudgetUse({ store, clock, ...gateway }),
  };
}

/** Breaks age to the last ended day that the bank covers, as everywhere. */
async function readBreaks(
  session: Session,
  { clock, calendar, workingDays, urgency }: MetricsDeps,
): Promise<OpenBreakCount[]> {
  const yesterday = addDays(calendar.dateOf(clock.now()), -1);
  const known = (await knownThrough(session)) ?? yesterday;
  return openBreakCounts(session, { urgency, workingDays, agedThrough: known < yesterday ? known : yesterday });
}
