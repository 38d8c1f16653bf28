import type { SettlementObserver } from '../agent-settlement';
import { type AnsweredRequest, OTHER_ROUTE } from '../http';
import { BucketCounts } from './bucket-counts';

type ObservedOutcome = Parameters<SettlementObserver['confirmed']>[0];

/** The requests with one method and status. */
interface RequestCount {
  readonly method: string;
  readonly status: number;
  count: number;
}

/** The requests of one route. */
interface RouteCounts {
  /** By method and status, as one number. */
  readonly requests: Map<number, RequestCount>;
  readonly seconds: BucketCounts;
}

/** The last one stands for every other method, because callers choose their methods. */
const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'other'] as const;
const OTHER_METHOD = METHODS.length - 1;
/** Routes are templates, so this number is never reached. It bounds the memory if a caller passes a path by mistake. */
const ROUTES_MAX = 200;

const SECONDS_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Up to the confirms of a full batch. */
const BATCH_BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128];

/** What this process has counted since its start, as plain numbers: no call may wait for its metrics. */
export class Observations {
  readonly routes = new Map<string, RouteCounts>();
  readonly confirms = new Map<ObservedOutcome, number>();
  readonly batches = new BucketCounts(BATCH_BOUNDS);

  countRequest({ route, method = '', status, seconds }: AnsweredRequest): void {
    const counts = this.routes.get(route) ?? this.#newRoute(route);
    counts.seconds.count(seconds);
    const known = METHODS.indexOf(method as (typeof METHODS)[number]);
    const index = known === -1 ? OTHER_METHOD : known;
    const key = status * METHODS.length + index;
    const requests = counts.requests.get(key);
    if (requests === undefined) counts.requests.set(key, { method: METHODS[index] ?? '', status, count: 1 });
    else requests.count += 1;
  }

  countConfirm(outcome: ObservedOutcome): void {
    this.confirms.set(outcome, (this.confirms.get(outcome) ?? 0) + 1);
  }

  #newRoute(wanted: string): RouteCounts {
    const route = this.routes.size < ROUTES_MAX ? wanted : OTHER_ROUTE;
    const counts = this.routes.get(route) ?? { requests: new Map(), seconds: new BucketCounts(SECONDS_BOUNDS) };
    this.routes.set(route, counts);
    return counts;
  }
}
