import type { ReconBreak } from '../../breaks';
import type { Instant } from '../../kernel';
import type { ChannelFacts, PaymentObservation } from '../../payments';

export interface PosFacts extends ChannelFacts {
  /** The observations before this answer, oldest first. */
  readonly observations: readonly PaymentObservation[];
  /** The break that was opened while it was unknown whether the start had reached the gateway. */
  readonly unknownOutcome: ReconBreak | undefined;
}

/** Returns since when every status check, up to this answer, has seen this status. Pure. */
export function statusSince({ observations, observedAt }: PosFacts, status: string): Instant {
  let since = observedAt;
  for (const observation of observations.toReversed()) {
    if (observation.status !== status) return since;
    since = observation.observedAt;
  }
  return since;
}
