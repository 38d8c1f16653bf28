import { type BusinessCalendar, ownValue } from '../../kernel';
import { decodeTime } from '../codec/gateway-time';
import { readId, type WebhookBody } from './body-fields';

/** What every event with a body has in common, known by its name or not (interface sections 6.3 and 6.4). */
export interface EventOrigin {
  readonly event: string;
  /** UTC ISO 8601; undefined when it is missing or cannot be read. */
  readonly created: string | undefined;
  /** What the event is given on with. */
  readonly fields: {
    readonly eventId: string;
    readonly createdAssumedOffset: boolean;
    readonly dedupeKey: string;
    readonly raw: WebhookBody;
  };
}

/** Undefined without a name or an id: there is nothing by which to tell it from others. */
export function readOrigin(body: WebhookBody, calendar: BusinessCalendar): EventOrigin | undefined {
  const event = readId(body, 'event');
  const eventId = readId(body, 'event_id');
  if (event === undefined || eventId === undefined) return undefined;
  const time = decodeTime(ownValue(body, 'created'), calendar);
  const createdAssumedOffset = time?.assumedOffset ?? false;
  return { event, created: time?.text, fields: { eventId, createdAssumedOffset, dedupeKey: eventId, raw: body } };
}
