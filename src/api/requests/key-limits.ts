import type { ServerResponse } from 'node:http';
import { RateCounter } from '../../http';
import type { Clock } from '../../kernel';
import { ApiRefusal, wholeSeconds } from '../operation/problem';

export interface KeyLimitSettings {
  /** Requests of one key in a minute, in each process. */
  readonly requestsPerMinute: number;
  /** Those of them that write. */
  readonly writesPerMinute: number;
}

/**
 * Counts the requests of each key, announces what is left, and refuses those beyond the limit.
 *
 * @throws ApiRefusal `rate_limited`.
 */
export type LimitKey = (keyId: string, writes: boolean, response: ServerResponse) => void;

/** Creates the limits of one process. */
export function keyLimits(settings: KeyLimitSettings, monotonic: Clock): LimitKey {
  const all = { counter: new RateCounter(monotonic), name: 'requests', most: settings.requestsPerMinute };
  const writing = { counter: new RateCounter(monotonic), name: 'writes', most: settings.writesPerMinute };
  return (keyId, writes, response) => {
    const limits = writes ? [all, writing] : [all];
    const counted = limits.map((limit) => ({ ...limit, ...limit.counter.count(keyId) }));
    const left = counted.map(({ name, most, inWindow, endsInMs }) => {
      return `"${name}";r=${Math.max(0, most - inWindow)};t=${wholeSeconds(endsInMs)}`;
    });
    response.setHeader('RateLimit', left.join(', '));
    response.setHeader('RateLimit-Policy', limits.map(({ name, most }) => `"${name}";q=${most};w=60`).join(', '));
    const passed = counted.find(({ inWindow, most }) => inWindow > most);
    if (passed === undefined) return;
    const { name, most, endsInMs } = passed;
    throw new ApiRefusal('rate_limited', `this key sent more than ${most} ${name} in a minute`, {
      retryAfterMs: endsInMs,
    });
  };
}
