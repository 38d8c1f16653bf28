import type { Actor } from '../identity';
import {
  type AddRecipient,
  addRecipient,
  type ListedRecipients,
  listRecipients,
  type NewRecipient,
  removeRecipient,
  testRecipient,
} from './manage-recipients';
import type { NotificationDeps } from './notification-deps';
import { observeEvents } from './observe-events';
import { sendDue } from './send-due';

export { type Delivery, DELIVERY_ERRORS, DELIVERY_STATES, MESSAGE_KINDS } from './delivery';
export type { ListedRecipients, NewRecipient } from './manage-recipients';
export {
  NOTIFICATION_KINDS,
  NOTIFICATION_WAYS,
  type NotificationWay,
  type Recipient,
  SCOPE_OF_KIND,
} from './recipient';

/** Tells people about events: where to, what about, and the messages. */
export interface Notifications {
  /**
   * Adds a recipient for the actor, who needs the scope of each kind.
   *
   * @throws AppError `bad_input`, `missing_scope`, `notifications_off`, `too_many_recipients`.
   */
  add(command: AddRecipient): Promise<NewRecipient>;
  /** Returns the recipients of the actor with the newest messages to them; those of all people for the operator. */
  list(actor: Actor): Promise<ListedRecipients>;
  /** Removes a recipient with its messages. @throws AppError `not_found`, also for that of another person. */
  remove(id: string, actor: Actor): Promise<void>;
  /** Stores a test message, unless one waits, and returns its id. @throws AppError `not_found`, `notifications_off`. */
  test(id: string, actor: Actor): Promise<string>;
  /** Stores the messages about events that began since the last call. */
  observe(): Promise<void>;
  /** Sends the messages that are due, and returns the number of those that were sent. */
  send(signal?: AbortSignal): Promise<number>;
}

export function createNotifications(deps: NotificationDeps): Notifications {
  return {
    add: (command) => addRecipient(deps, command),
    list: (actor) => listRecipients(deps, actor),
    remove: (id, actor) => removeRecipient(deps, id, actor),
    test: (id, actor) => testRecipient(deps, id, actor),
    observe: () => observeEvents(deps),
    send: (signal) => sendDue(deps, signal),
  };
}
