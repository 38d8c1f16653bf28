import type { ReconBreak } from '../../breaks';
import type { Instant } from '../../kernel';
import type { ChannelFacts, PaymentObservation } from '../../payments';

/** What a decision about a POS transaction is based on. */
export interface PosFacts extends ChannelFacts {
  /** Those before this answer, the oldest first. */
  readonly observations: readonly PaymentObservation[];
  /** Opened while it was unknown whether the start had reached the gateway. */
  readonly unknownOutcome: ReconBreak | undefined;
}

/** Returns since when every status check saw this status; the answer itself is the last of them. Pure. */
export function statusSince({ observations, observedAt }: PosFacts, status: string): Instant {
  let since = observedAt;
  for (const observation of observations.toReversed()) {
    if (observation.status !== status) return since;
    since = observation.observedAt;
  }
  return since;
}
