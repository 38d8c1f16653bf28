import { z } from 'zod';
import { LANGUAGES } from '../identity';
import {
  type Delivery,
  DELIVERY_ERRORS,
  DELIVERY_STATES,
  type ListedRecipients,
  MESSAGE_KINDS,
  type NewRecipient,
  NOTIFICATION_KINDS,
  NOTIFICATION_WAYS,
  type Recipient,
} from '../notifications';
import { idValue, instantJson, instantValue } from './values';

const recipientFields = {
  id: idValue,
  owner: z.string().meta({ description: 'The person who added it.', example: 'salma' }),
  way: z.enum(NOTIFICATION_WAYS),
  address: z.string().meta({ description: 'An e-mail address, or the URL of a webhook.' }),
  kinds: z.array(z.enum(NOTIFICATION_KINDS)),
  language: z.enum(LANGUAGES).meta({ description: 'The language of the e-mails.' }),
  createdAt: instantValue,
};

const recipient = z.strictObject(recipientFields).meta({ id: 'NotificationRecipient' });

function recipientJson({ id, ownerName: owner, way, address, kinds, language, createdAt }: Recipient) {
  return { id, owner, way, address, kinds: [...kinds], language, createdAt: instantJson(createdAt) };
}

/** A new recipient with the secret of its webhook. */
export const newRecipient = z
  .strictObject({
    ...recipientFields,
    secret: z
      .string()
      .nullable()
      .meta({ description: 'The only copy of the signing secret of a webhook (Standard Webhooks); null for e-mail.' }),
  })
  .meta({ id: 'NewNotificationRecipient' });

/** Returns a new recipient as JSON. */
export function newRecipientJson({ recipient: made, secret }: NewRecipient): z.input<typeof newRecipient> {
  return { ...recipientJson(made), secret: secret ?? null };
}

const message = z
  .strictObject({
    id: idValue.meta({ description: 'Also in the Message-ID or the `webhook-id`; a repeat has the same.' }),
    recipientId: idValue,
    kind: z.enum(MESSAGE_KINDS),
    count: z.int().min(0).meta({ description: 'The number of events that it is about.' }),
    state: z.enum(DELIVERY_STATES),
    tries: z.int().min(0),
    error: z.enum(DELIVERY_ERRORS).nullable().meta({ description: 'Why the last try failed.' }),
    answer: z.int().nullable().meta({ description: 'The status or the code with which a server refused.' }),
    createdAt: instantValue,
    nextTryAt: instantValue.nullable().meta({ description: 'Null once it is done.' }),
    doneAt: instantValue.nullable(),
  })
  .meta({ id: 'NotificationMessage' });

function messageJson(delivery: Delivery): z.input<typeof message> {
  const { id, recipientId, kind, content, state, tries, error = null, answer = null } = delivery;
  const nextTryAt = state === 'waiting' ? instantJson(delivery.availableAt) : null;
  const times = { createdAt: instantJson(delivery.createdAt), nextTryAt, doneAt: instantJson(delivery.doneAt) };
  return { id, recipientId, kind, count: content.count, state, tries, error, answer, ...times };
}

/** The recipients of a person, oldest first, and the newest messages to them. */
export const listedRecipients = z.strictObject({ recipients: z.array(recipient), messages: z.array(message) });

/** Returns recipients and messages as JSON. */
export function listedRecipientsJson(of: ListedRecipients): z.input<typeof listedRecipients> {
  return { recipients: of.recipients.map(recipientJson), messages: of.deliveries.map(messageJson) };
}
