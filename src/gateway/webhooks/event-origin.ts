import { type BusinessCalendar, ownValue } from '../../kernel';
import { decodeTime } from '../codec/gateway-time';
import { readId, type WebhookBody } from './body-fields';

/** The fields that are the same in a known and in an unknown event (interface sections 6.3 and 6.4). */
export interface EventFields {
  readonly eventId: string;
  /** The gateway wrote `created` without an offset (open point 3). */
  readonly createdAssumedOffset: boolean;
  /** The event id; a retry has the same one. */
  readonly dedupeKey: string;
  /** The decoded body. */
  readonly raw: WebhookBody;
}

/** The fields of a known event that an unknown one may lack: missing and unreadable ones are null. */
export type OrNull<Event> = { readonly [Field in keyof Event]: Event[Field] | null };

/** The beginning of every event with a body, known or unknown. */
interface EventOrigin {
  readonly event: string;
  /** UTC ISO 8601; undefined when it is missing or cannot be read. */
  readonly created: string | undefined;
  readonly fields: EventFields;
}

/**
 * Reads the common fields. Returns undefined without a name or an id, because nothing would distinguish the event from
 * others.
 */
export function readOrigin(body: WebhookBody, calendar: BusinessCalendar): EventOrigin | undefined {
  const event = readId(body, 'event');
  const eventId = readId(body, 'event_id');
  if (event === undefined || eventId === undefined) return undefined;
  const time = decodeTime(ownValue(body, 'created'), calendar);
  const createdAssumedOffset = time?.assumedOffset ?? false;
  return { event, created: time?.text, fields: { eventId, createdAssumedOffset, dedupeKey: eventId, raw: body } };
}
