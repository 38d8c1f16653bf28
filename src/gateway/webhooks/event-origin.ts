import { type BusinessCalendar, ownValue } from '../../kernel';
import { decodeTime } from '../codec/gateway-time';
import { readId, type WebhookBody } from './body-fields';

/** The fields that every event with a body has, known or unknown (interface sections 6.3 and 6.4). */
export interface EventOrigin {
  readonly event: string;
  /** UTC ISO 8601; undefined when it is missing or cannot be read. */
  readonly created: string | undefined;
  /** Fields that go unchanged into the decoded event. */
  readonly fields: {
    readonly eventId: string;
    readonly createdAssumedOffset: boolean;
    readonly dedupeKey: string;
    readonly raw: WebhookBody;
  };
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
