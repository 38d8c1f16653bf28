import { RateCounter } from '../../http';
import type { Identity } from '../../identity';
import type { Clock } from '../../kernel';
import { ApiRefusal } from '../operation/problem';
import type { KeyOwner, Route } from '../operation/route';

/** Look-ups of one key in a minute, in each process: enough for visits, too few to copy the directory. */
const LOOK_UPS_PER_MINUTE_MAX = 30;

/**
 * Limits and records a look-up of an agent by a key that may not read the directory.
 *
 * @throws ApiRefusal `look_ups_limited`.
 */
export type NoteLookUp = (
  route: Route,
  owner: KeyOwner & { readonly requestId: string },
  params: Readonly<Record<string, unknown>>,
) => Promise<void>;

/** Creates the limit of look-ups of one process. */
export function lookUps(identity: Pick<Identity, 'recordLookUp'>, monotonic: Clock): NoteLookUp {
  const counter = new RateCounter(monotonic);
  return async ({ scope }, owner, params) => {
    if (scope !== 'agents:lookup' || owner.scopes.has('agents:read')) return;
    const { inWindow, endsInMs } = counter.count(owner.keyId);
    if (inWindow > LOOK_UPS_PER_MINUTE_MAX) {
      throw new ApiRefusal(
        'look_ups_limited',
        `a key without agents:read may read ${LOOK_UPS_PER_MINUTE_MAX} agents in a minute`,
        { retryAfterMs: endsInMs },
      );
    }
    await identity.recordLookUp(owner, typeof params['agentId'] === 'string' ? params['agentId'] : undefined);
  };
}
