import type { Instant } from '../kernel';
import { NOTIFICATION_KINDS } from './recipient';

/** What a message is about: an event, or nothing but whether it arrives. */
export const MESSAGE_KINDS = [...NOTIFICATION_KINDS, 'test'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** `dropped`: the person may not read it any longer. `failed`: the last try failed. */
export const DELIVERY_STATES = ['waiting', 'sent', 'failed', 'dropped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/**
 * Why the last try failed.
 *
 * - `rights_lost`: the person, or the key that they used, may not read it now.
 * - `not_configured`: this installation sends no messages by this way.
 * - `unreachable`, `timed_out`, `tls_failed`: no connection, no answer in time, no trusted encryption.
 * - `sign_in_failed`: the mail server did not accept Millime's user. `refused`: it did not accept the message.
 * - `private_address`, `redirected`, `bad_status`: of a webhook.
 */
export const DELIVERY_ERRORS = [
  'rights_lost',
  'not_configured',
  'unreachable',
  'timed_out',
  'tls_failed',
  'sign_in_failed',
  'refused',
  'private_address',
  'redirected',
  'bad_status',
  'other',
] as const;
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];

/** One event in a message: ids, codes and amounts. It names no agent. */
export type EventFacts = Readonly<Record<string, string | number | null>>;

/** What a message says: the number of events, and the first of them. */
export interface MessageContent {
  readonly count: number;
  readonly items: readonly EventFacts[];
}

/** A message to a recipient. Its id stays the same however often it is sent. */
export interface Delivery {
  readonly id: string;
  readonly recipientId: string;
  readonly kind: MessageKind;
  readonly content: MessageContent;
  readonly state: DeliveryState;
  readonly createdAt: Instant;
  /** When the next try is due. */
  readonly availableAt: Instant;
  readonly tries: number;
  readonly error: DeliveryError | undefined;
  /** The code with which a server refused. */
  readonly answer: number | undefined;
  readonly doneAt: Instant | undefined;
}

/** How a try ended. */
export type Attempted =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'dropped' }
  | {
      readonly outcome: 'refused';
      readonly error: DeliveryError;
      readonly answer?: number | undefined;
      /** Whether another try would be refused, too. */
      readonly isFinal?: boolean;
    };
