import type { SettlementObserver } from '../agent-settlement';
import { type AnsweredRequest, OTHER_ROUTE } from '../http';
import { BucketCounts } from './bucket-counts';

type ObservedOutcome = Parameters<SettlementObserver['confirmed']>[0];

/** The requests with one route, method and status. */
export interface RequestCount {
  readonly route: string;
  readonly method: string;
  readonly code: string;
  count: number;
}

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const OTHER_METHOD = 'other';
/** Routes are templates, so this number is never reached. It bounds the memory if a caller passes a path by mistake. */
const ROUTES_MAX = 200;

const SECONDS_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Up to the confirms of a full batch. */
const BATCH_BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128];

/** What this process has counted since its start, as plain numbers: requests must not wait for their metrics. */
export class Observations {
  readonly requests = new Map<string, RequestCount>();
  /** Durations in seconds, by route. */
  readonly seconds = new Map<string, BucketCounts>();
  readonly confirms = new Map<ObservedOutcome, number>();
  readonly batches = new BucketCounts(BATCH_BOUNDS);

  countRequest(answered: AnsweredRequest): void {
    const { route, seconds } = this.#durationsOf(answered.route);
    seconds.count(answered.seconds);
    const { method: said = '', status } = answered;
    const method = METHODS.includes(said) ? said : OTHER_METHOD;
    const key = `${status} ${method} ${route}`;
    const known = this.requests.get(key);
    if (known === undefined) this.requests.set(key, { route, method, code: String(status), count: 1 });
    else known.count += 1;
  }

  countConfirm(outcome: ObservedOutcome): void {
    this.confirms.set(outcome, (this.confirms.get(outcome) ?? 0) + 1);
  }

  #durationsOf(route: string): { readonly route: string; readonly seconds: BucketCounts } {
    const known = this.seconds.get(route);
    if (known !== undefined) return { route, seconds: known };
    if (this.seconds.size >= ROUTES_MAX && route !== OTHER_ROUTE) return this.#durationsOf(OTHER_ROUTE);
    const seconds = new BucketCounts(SECONDS_BOUNDS);
    this.seconds.set(route, seconds);
    return { route, seconds };
  }
}
