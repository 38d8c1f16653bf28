import type { Session } from '../../db';
import { HOUR_MS, type Instant, MINUTE_MS } from '../../kernel';
import { type Person, personId } from '../actor';
import { openAuditTrail } from '../audit-store';
import { openUsers } from '../users/user-store';
import { openApiKeys } from './api-key-store';

/** Agents that a person may see who may not read the directory: enough for visits, too few to copy it. */
const LIMITS = [
  { windowMs: MINUTE_MS, most: 30 },
  { windowMs: HOUR_MS, most: 300 },
] as const;
const LOOKED_UP = 'agent.looked_up';

/** How many agents may be seen, and when the next one. */
export interface LookUpLimit {
  readonly most: number;
  readonly windowMs: number;
  readonly retryAfterMs: number;
}

/**
 * Records that a person looks at agents, one record each, or a record without an agent for a search that found none.
 * Returns the limit that this would pass, and then records nothing. The limits hold for all processes together.
 */
export async function recordLookUps(
  session: Session,
  actor: Person,
  agentIds: readonly string[],
  { at, isLimited }: { readonly at: Instant; readonly isLimited: boolean },
): Promise<LookUpLimit | undefined> {
  const subjects = agentIds.length === 0 ? ['agents'] : agentIds.map((agentId) => `agent:${agentId}`);
  if (isLimited) {
    const limit = await limitPassed(session, actor, subjects.length, at);
    if (limit !== undefined) return limit;
  }
  for (const subject of subjects) {
    await openAuditTrail(session).record({ at, actor, action: LOOKED_UP, subject, detail: {} });
  }
  return undefined;
}

async function limitPassed(
  session: Session,
  actor: Person,
  count: number,
  at: Instant,
): Promise<LookUpLimit | undefined> {
  if (actor.kind === 'user') await openUsers(session).hold(actor.name);
  else await openApiKeys(session).hold(actor.keyId);
  for (const { windowMs, most } of LIMITS) {
    const done = { keyId: personId(actor), action: LOOKED_UP, since: at - windowMs + 1 };
    const seen = await openAuditTrail(session).times(done, most);
    if (seen.length + count <= most) continue;
    // The window has room once this record has left it.
    const leaving = seen[most - Math.min(count, most)] ?? at;
    return { most, windowMs, retryAfterMs: Math.max(1, leaving + windowMs - at) };
  }
  return undefined;
}
