import { ROWS_PER_STATEMENT, type Session } from '../db';
import { HOUR_MS, type Instant, pagesOf } from '../kernel';
import { openDeliveries } from './delivery-store';
import { openEvents } from './event-store';
import type { NotificationDeps } from './notification-deps';
import { PRESENT_EVENTS, type PresentEvent } from './present-events';
import { NOTIFICATION_KINDS, type NotificationKind } from './recipient';
import { openRecipients } from './recipient-store';

/** An event that ended and holds again within this time is the same event, so that a flapping job is one message. */
const SAME_EVENT_MS = HOUR_MS;
/** The events that one transaction begins; the next run continues. */
const BEGUN_MAX = 5_000;
/** The events that a message describes; the others it counts. */
const DESCRIBED_MAX = 20;

/**
 * Finds the events that began since the last call, and stores one message about them for each recipient. An event and
 * its messages are one transaction, and the key of the event admits it once. Throws the first error at the end, because
 * a kind that cannot be read must not hold back the others.
 */
export async function observeEvents(deps: NotificationDeps): Promise<void> {
  const errors: unknown[] = [];
  for (const kind of NOTIFICATION_KINDS) {
    try {
      const present = await PRESENT_EVENTS[kind](deps);
      await deps.database.transact((session) => storeEvents(session, kind, present, deps.clock.now()), {
        // Another process stored the same events first: the next run finds them.
        retryDuplicate: true,
      });
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

async function storeEvents(
  session: Session,
  kind: NotificationKind,
  present: readonly PresentEvent[],
  now: Instant,
): Promise<void> {
  const events = openEvents(session);
  await events.forget(kind, now - SAME_EVENT_MS);
  const known = await events.of(kind);
  const subjects = new Set(present.map(({ subject }) => subject));
  const endedNow = [...known].filter(([subject, endedAt]) => endedAt === undefined && !subjects.has(subject));
  const holdsAgain = [...known].filter(([subject, endedAt]) => endedAt !== undefined && subjects.has(subject));
  const subjectsOf = (of: readonly (readonly [string, unknown])[]): string[] => of.map(([subject]) => subject);
  await events.mark(kind, subjectsOf(endedNow), now);
  await events.mark(kind, subjectsOf(holdsAgain), undefined);
  const begun = present.filter(({ subject }) => !known.has(subject)).slice(0, BEGUN_MAX);
  if (begun.length === 0) return;
  await events.begin(
    kind,
    begun.map(({ subject }) => subject),
    now,
  );
  const recipients = (await openRecipients(session).list()).filter(({ kinds }) => kinds.includes(kind));
  const content = { count: begun.length, items: begun.slice(0, DESCRIBED_MAX).map(({ facts }) => facts) };
  for (const page of pagesOf(recipients, ROWS_PER_STATEMENT)) {
    await openDeliveries(session).add(
      page.map(({ id }) => id),
      kind,
      content,
      now,
    );
  }
}
