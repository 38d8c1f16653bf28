import { z } from 'zod';
import { LANGUAGES } from '../../identity';
import { NOTIFICATION_KINDS, NOTIFICATION_WAYS } from '../../notifications';
import { listedRecipients, listedRecipientsJson, newRecipient, newRecipientJson } from '../../shapes/notifications';
import { idValue, outsideIdField } from '../../shapes/values';
import { created, ok, route } from '../operation/route';

const tag = 'Administration';
const params = { recipientId: outsideIdField };

/** Everyone manages their own recipients. The scopes of the kinds decide what may be sent to them. */
const scope = undefined;

/** The operations on notifications of the caller. */
export const NOTIFICATION_ROUTES = [
  route({
    method: 'get',
    path: '/notification-recipients',
    operationId: 'listNotificationRecipients',
    summary: 'List where you are notified, and the newest messages',
    ...{ tag, scope },
    answers: { 200: listedRecipients },
    handle: async ({ notifications }, { actor }) => ok(listedRecipientsJson(await notifications.list(actor))),
  }),
  route({
    method: 'post',
    path: '/notification-recipients',
    operationId: 'addNotificationRecipient',
    summary: 'Add an e-mail address or a webhook to notify',
    description:
      'You need the scope of each kind: `breaks:read` for `high_break`, `jobs:read` for the others. Messages are sent while you ' +
      'have it. A webhook follows Standard Webhooks, and its secret is shown in this answer alone.',
    ...{ tag, scope },
    body: z.strictObject({
      way: z.enum(NOTIFICATION_WAYS),
      address: z.string().min(1).max(500).meta({ example: 'finance@bank.example' }),
      kinds: z.array(z.enum(NOTIFICATION_KINDS)).min(1).max(NOTIFICATION_KINDS.length),
      language: z.enum(LANGUAGES).default('fr').meta({ description: 'The language of the e-mails.' }),
    }),
    effect: 'secret',
    answers: { 201: newRecipient },
    problems: ['missing_scope', 'notifications_off', 'too_many_recipients'],
    handle: async ({ notifications }, { body, actor }) =>
      created(newRecipientJson(await notifications.add({ ...body, actor }))),
  }),
  route({
    method: 'delete',
    path: '/notification-recipients/{recipientId}',
    operationId: 'removeNotificationRecipient',
    summary: 'Remove a recipient with its messages',
    ...{ tag, scope },
    params,
    effect: 'repeatable',
    answers: { 200: z.strictObject({ id: idValue, outcome: z.literal('removed') }) },
    problems: ['not_found'],
    async handle({ notifications }, { params: { recipientId: id }, actor }) {
      await notifications.remove(id, actor);
      return ok({ id, outcome: 'removed' as const });
    },
  }),
  route({
    method: 'post',
    path: '/notification-recipients/{recipientId}/test',
    operationId: 'testNotificationRecipient',
    summary: 'Send a test message within a minute',
    ...{ tag, scope },
    params,
    effect: 'once',
    answers: { 200: z.strictObject({ id: idValue, messageId: idValue }) },
    problems: ['not_found', 'notifications_off'],
    async handle({ notifications }, { params: { recipientId: id }, actor }) {
      return ok({ id, messageId: await notifications.test(id, actor) });
    },
  }),
];
