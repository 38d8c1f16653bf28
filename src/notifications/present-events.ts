import { sizeOf } from '../breaks';
import { DAY_MS, formatInstant, type Instant } from '../kernel';
import { jobStates } from '../scheduler';
import type { TokenExpiry } from '../service-tokens';
import type { EventFacts } from './delivery';
import type { NotificationDeps } from './notification-deps';
import type { NotificationKind } from './recipient';

/** An event that holds now. Its subject tells it from the others of its kind. */
export interface PresentEvent {
  readonly subject: string;
  readonly facts: EventFacts;
}

/** How each kind finds the events that hold now. */
export const PRESENT_EVENTS: Readonly<
  Record<NotificationKind, (deps: NotificationDeps) => Promise<readonly PresentEvent[]>>
> = {
  async high_break({ highBreaks }) {
    return (await highBreaks()).map(({ id, breakClass, amount }) => ({
      subject: id,
      facts: { breakId: id, class: breakClass, amountMillimes: sizeOf({ amount }) ?? null },
    }));
  },
  /** A job holds its failure until a window of it succeeds. */
  async failed_job(deps) {
    const states = await jobStates(deps, []);
    return states
      .filter(({ ended }) => ended?.outcome === 'failed')
      .map(({ name, ended }) => ({
        subject: name,
        facts: { job: name, window: ended === undefined ? null : formatInstant(ended.window) },
      }));
  },
  async token_expiring({ tokenExpiry, clock }) {
    const expiry = await tokenExpiry();
    const event = expiryEvent(expiry, clock.now());
    return event === undefined ? [] : [event];
  },
};

/** Returns the stage before the end of the last valid token: seven days, one day, none left. Pure. */
function expiryEvent(expiry: TokenExpiry, now: Instant): PresentEvent | undefined {
  if (expiry.state === 'expired') return { subject: 'expired', facts: { expiresAt: null } };
  if (expiry.state !== 'expiring') return undefined;
  const expiresAt = formatInstant(expiry.expiresAt);
  const stage = expiry.expiresAt - now <= DAY_MS ? 'day' : 'week';
  return { subject: `${stage}:${expiresAt}`, facts: { expiresAt } };
}
