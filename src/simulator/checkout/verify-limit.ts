import { banned, detail } from '../core/answers';
import type { SimAnswer } from '../core/operation';
import type { Simulation } from '../core/simulation';
import type { SimulatorSettings } from '../core/settings';
import type { Instant } from '../../kernel';
import { NO_VERIFY_CALLS, type VerifyCalls } from './checkout-state';

const MS_PER_SECOND = 1_000;
const MS_PER_MINUTE = 60_000;

/** A call from a banned address, whatever it asks for (interface section 8; the numbers are settings). */
export function refuseBanned(simulation: Simulation): SimAnswer | undefined {
  const { bannedUntil } = simulation.world.checkout.verifyCalls;
  if (bannedUntil === null || simulation.now() >= bannedUntil) return undefined;
  return banned();
}

/** Counts a call of Verify Payment; the answer is the refusal of one too many. A ban is not lifted by calling on. */
export function refuseRepeatedVerify(simulation: Simulation): SimAnswer | undefined {
  const { world, settings } = simulation;
  const refusal = refuseBanned(simulation);
  if (refusal !== undefined) return refusal;
  const { calls, retryAfterMs } = countVerify(world.checkout.verifyCalls, settings.verify, simulation.now());
  world.checkout.verifyCalls = calls;
  if (retryAfterMs === undefined) return undefined;
  if (calls.bannedUntil !== null) simulation.record('banned', { refused: calls.refused });
  return detail(429, 'Request was throttled.', { 'Retry-After': String(Math.ceil(retryAfterMs / MS_PER_SECOND)) });
}

/** The count after one more call; `retryAfterMs` is there when the call is over the limit. Pure. */
export function countVerify(
  before: VerifyCalls,
  { perMinute, banAfter, banMinutes }: SimulatorSettings['verify'],
  now: Instant,
): { readonly calls: VerifyCalls; readonly retryAfterMs?: number } {
  if (perMinute === null) return { calls: NO_VERIFY_CALLS };
  const isRecent = (instant: Instant): boolean => instant > now - MS_PER_MINUTE;
  const allowedAt = before.allowedAt.filter(isRecent).slice(-perMinute);
  const persists = before.lastRefusedAt !== null && isRecent(before.lastRefusedAt);
  const refusedBefore = persists ? before.refused : 0;
  const [oldest] = allowedAt;
  if (oldest === undefined || allowedAt.length < perMinute) {
    return { calls: { ...before, allowedAt: [...allowedAt, now], refused: refusedBefore, bannedUntil: null } };
  }
  const refused = refusedBefore + 1;
  const isBanned = banAfter !== null && refused >= banAfter;
  const bannedUntil = isBanned ? now + banMinutes * MS_PER_MINUTE : null;
  return {
    calls: { allowedAt, refused, lastRefusedAt: now, bannedUntil },
    retryAfterMs: oldest + MS_PER_MINUTE - now,
  };
}
