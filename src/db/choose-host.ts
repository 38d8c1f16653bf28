import { SECOND_MS } from '../kernel';
import type { HostHealth } from './judge-connection';

/** How long a preferred host must have been well before connections return to it. */
export const RETURN_AFTER_MS = 10 * SECOND_MS;

/** What is known of a host. */
export interface HostRecord {
  /** Undefined until its first probe has ended. */
  readonly health: HostHealth | undefined;
  /** Since when it has been well, by the monotonic clock; -Infinity if it was never seen otherwise. */
  readonly wellSince?: number | undefined;
}

const RANKS: Readonly<Record<HostHealth | 'unknown', number>> = {
  well: 0,
  behind: 1,
  unknown: 2,
  limited: 3,
  silent: 4,
  lost: 5,
};

/**
 * Chooses the host to which all connections of a process go, as its position in the order of preference. Undefined if
 * every host is lost. Pure.
 *
 * A host that is well is left only for a preferred one that has been well for `returnAfterMs`. So a host that comes and
 * goes is not followed, and all processes return to the same one. Otherwise the best host is chosen, the preferred of
 * equals, and the present one is not left for an equal.
 */
export function chooseHost(
  hosts: readonly HostRecord[],
  current: number | undefined,
  now: number,
  returnAfterMs = RETURN_AFTER_MS,
): number | undefined {
  const rankOf = (position: number): number => RANKS[hosts[position]?.health ?? 'unknown'];
  if (current !== undefined && rankOf(current) === RANKS.well) {
    const preferred = hosts.findIndex(
      ({ health, wellSince }, position) =>
        position < current && health === 'well' && wellSince !== undefined && now - wellSince >= returnAfterMs,
    );
    return preferred < 0 ? current : preferred;
  }
  const best = Math.min(...hosts.map((_, position) => rankOf(position)));
  if (best === RANKS.lost) return undefined;
  if (current !== undefined && rankOf(current) === best) return current;
  return hosts.findIndex((_, position) => rankOf(position) === best);
}
