import type { Identity } from '../../identity';
import { counted, MINUTE_MS } from '../../kernel';
import { ApiRefusal } from '../operation/problem';
import type { Caller, Route } from '../operation/route';

/** Who asks, and for which request. */
type Asking = Caller & { readonly requestId: string };

/**
 * Answers a request, and records which agents it shows to a person. Without the right to read the directory they are
 * limited. A program with that right leaves no record of each agent that it reads.
 *
 * @throws ApiRefusal `look_ups_limited`.
 */
export type LookUp = (
  route: Route,
  asking: Asking,
  params: Readonly<Record<string, unknown>>,
  answer: () => ReturnType<Route['handle']>,
) => ReturnType<Route['handle']>;

/** Creates the limit of look-ups. */
export function lookUps(identity: Pick<Identity, 'recordLookUps'>): LookUp {
  // A page calls several operations about one agent, which is one look.
  const seen = new WeakMap<Asking, Set<string>>();
  const record = async (asking: Asking, agentIds: readonly string[]): Promise<void> => {
    const known = seen.get(asking) ?? new Set<string>();
    seen.set(asking, known);
    const fresh = agentIds.filter((agentId) => !known.has(agentId));
    if (fresh.length === 0 && agentIds.length > 0) return;
    const isLimited = !asking.scopes.has('agents:read');
    const limit = await identity.recordLookUps(asking, fresh, { isLimited });
    if (limit === undefined) {
      for (const agentId of fresh) known.add(agentId);
      return;
    }
    const window = limit.windowMs === MINUTE_MS ? 'a minute' : 'an hour';
    throw new ApiRefusal(
      'look_ups_limited',
      `without agents:read you may see ${counted(limit.most, 'agent')} in ${window}`,
      {
        retryAfterMs: limit.retryAfterMs,
      },
    );
  };
  return async ({ scope }, asking, { agentId }, answer) => {
    const isProgram = asking.kind !== 'user' && asking.scopes.has('agents:read');
    if (scope !== 'agents:lookup' || isProgram) return answer();
    // An unknown id counts too, so that ids cannot be tried.
    if (typeof agentId === 'string') await record(asking, [agentId]);
    const found = await answer();
    if (typeof agentId !== 'string') await record(asking, foundIn(found));
    return found;
  };
}

/** Returns the agents that a search shows. */
function foundIn(answer: Awaited<ReturnType<Route['handle']>>): string[] {
  const { agents } = (answer as { readonly body: { readonly agents: readonly { readonly agentId: string }[] } }).body;
  return agents.map(({ agentId }) => agentId);
}
