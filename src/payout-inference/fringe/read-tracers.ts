import type { MatchRequest } from '../match-request';
import type { Polls } from '../read-polls';

/** Only card money says when it leaves: what else is polled stays AVAILABLE for ever, so it is no tracer. */
export function readTracers({ items }: MatchRequest, polls: Polls): Polls {
  const lastAvailable = polls.lastAvailable.slice();
  const firstTaken = polls.firstTaken.slice();
  items.forEach(({ channel, amount }, index) => {
    if (channel === 'card' && amount > 0) return;
    lastAvailable[index] = -Infinity;
    firstTaken[index] = Infinity;
  });
  return { ...polls, lastAvailable, firstTaken };
}
