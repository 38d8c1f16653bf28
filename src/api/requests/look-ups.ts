import type { Identity } from '../../identity';
import { counted, MINUTE_MS } from '../../kernel';
import { ApiRefusal } from '../operation/problem';
import type { Caller, Route } from '../operation/route';

/** Who asks, and for which request. */
type Asking = Caller & { readonly requestId: string };

/**
 * Answers a request. If its key may not read the directory, it limits and records which agents it shows.
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
  const record = async (asking: Asking, agentIds: readonly string[]): Promise<void> => {
    const limit = await identity.recordLookUps(asking, agentIds);
    if (limit === undefined) return;
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
    if (scope !== 'agents:lookup' || asking.scopes.has('agents:read')) return answer();
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
