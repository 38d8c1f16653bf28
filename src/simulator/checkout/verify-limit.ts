import { type Instant, MINUTE_MS, SECOND_MS } from '../../kernel';
import { banned, detail } from '../core/answers';
import type { SimAnswer } from '../core/operation';
import type { SimulatorSettings } from '../core/settings';
import type { Simulation } from '../core/simulation';
import { NO_VERIFY_CALLS, type VerifyCalls } from './checkout-state';

/** Refuses every call from a banned address (interface section 8; the numbers are settings). */
export function refuseBanned(simulation: Simulation): SimAnswer | undefined {
  const { bannedUntil } = simulation.world.checkout.verifyCalls;
  if (bannedUntil === null || simulation.now() >= bannedUntil) return undefined;
  return banned();
}

/** Counts a call of Verify Payment and returns the refusal if it exceeds the limit. Further calls do not lift a ban. */
export function refuseRepeatedVerify(simulation: Simulation): SimAnswer | undefined {
  const { world, settings } = simulation;
  const refusal = refuseBanned(simulation);
  if (refusal !== undefined) return refusal;
  const { calls, retryAfterMs } = countVerify(world.checkout.verifyCalls, settings.verify, simulation.now());
  world.checkout.verifyCalls = calls;
  if (retryAfterMs === undefined) return undefined;
  if (calls.bannedUntil !== null) simulation.record('banned', { refused: calls.refused });
  return detail(429, 'Request was throttled.', { 'Retry-After': String(Math.ceil(retryAfterMs / SECOND_MS)) });
}

/** Returns the count after one more call; `retryAfterMs` is set when the call is over the limit. Pure. */
export function countVerify(
  before: VerifyCalls,
  { perMinute, banAfter, banMinutes }: SimulatorSettings['verify'],
  now: Instant,
): { readonly calls: VerifyCalls; readonly retryAfterMs?: number } {
  if (perMinute === null) return { calls: NO_VERIFY_CALLS };
  const isRecent = (instant: Instant): boolean => instant > now - MINUTE_MS;
  const allowedAt = before.allowedAt.filter(isRecent).slice(-perMinute);
  const persists = before.lastRefusedAt !== null && isRecent(before.lastRefusedAt);
  const refusedBefore = persists ? before.refused : 0;
  const [oldest] = allowedAt;
  if (oldest === undefined || allowedAt.length < perMinute) {
    return { calls: { ...before, allowedAt: [...allowedAt, now], refused: refusedBefore, bannedUntil: null } };
  }
  const refused = refusedBefore + 1;
  const isBanned = banAfter !== null && refused >= banAfter;
  const bannedUntil = isBanned ? now + banMinutes * MINUTE_MS : null;
  return {
    calls: { allowedAt, refused, lastRefusedAt: now, bannedUntil },
    retryAfterMs: oldest + MINUTE_MS - now,
  };
}
