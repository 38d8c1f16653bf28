import { z } from 'zod';
import {
  flagParameter,
  idValue,
  instantParameter,
  outsideIdField,
  pastedField,
  wordsParameter,
} from '../../shapes/values';
import {
  WEBHOOK_STATE_WORDS,
  webhookDiagnosis,
  webhookDiagnosisJson,
  webhookEntry,
  webhookEntryJson,
  webhookFamily,
} from '../../shapes/webhooks';
import { byInstant, listRoute } from '../operation/list-route';
import { ok, route } from '../operation/route';

const tag = 'Webhooks';
const KIB = 1_024;
const ofWebhook = { webhookId: idValue };

/** The operations on received webhooks. */
export const WEBHOOK_ROUTES = [
  listRoute({
    path: '/webhooks',
    operationId: 'listWebhooks',
    summary: 'List received webhooks, newest first',
    tag,
    scope: 'webhooks:read',
    filter: {
      state: wordsParameter(WEBHOOK_STATE_WORDS).optional(),
      family: webhookFamily.optional(),
      paymentId: outsideIdField.optional().meta({ description: 'The id of the payment at the gateway.' }),
      conflicted: flagParameter
        .optional()
        .meta({ description: '`true`: only those that arrived with other bytes too.' }),
    },
    row: webhookEntry,
    key: byInstant,
    page: ({ webhooks }, { filter: { state, ...filter }, after, limit }) =>
      webhooks.list({ states: state, ...filter, after, limit }),
    toJson: webhookEntryJson,
  }),
  route({
    method: 'get',
    path: '/webhooks/{webhookId}',
    operationId: 'showWebhook',
    summary: 'Show a received webhook without its content',
    tag,
    scope: 'webhooks:read',
    params: ofWebhook,
    answers: { 200: webhookEntry },
    problems: ['not_found'],
    handle: async ({ webhooks }, { params }) => ok(webhookEntryJson(await webhooks.find(params.webhookId))),
  }),
  route({
    method: 'post',
    path: '/webhooks/{webhookId}/replay',
    operationId: 'replayWebhook',
    summary: 'Process a webhook again',
    tag,
    scope: 'webhooks:replay',
    params: ofWebhook,
    effect: 'once',
    dryRun: true,
    answers: { 200: webhookEntry.extend({ dryRun: z.boolean() }) },
    problems: ['not_found'],
    async handle({ webhooks }, { params, actor, dryRun }) {
      return ok({ ...webhookEntryJson(await webhooks.replay(params.webhookId, { actor, dryRun })), dryRun });
    },
  }),
  route({
    method: 'post',
    path: '/webhooks/diagnoses',
    operationId: 'diagnoseWebhook',
    summary: 'Explain why a pasted webhook request is refused',
    description: 'Needs the private key of the gateway in the configuration. It reveals no key and no valid signature.',
    tag,
    scope: 'webhooks:read',
    body: z.strictObject({
      request: pastedField(64 * KIB).meta({
        description: 'The request line or address, the headers, an empty line and the body, as they arrived.',
        example: 'POST /webhooks/payment\nX-Service-Signature: t=1772442000,v1=00\n\n{}',
      }),
      at: instantParameter.optional().meta({ description: 'When the request arrived (default: now).' }),
    }),
    // JSON may write a byte of the text as six.
    bodyBytesMax: 400 * KIB,
    effect: 'reads',
    answers: { 200: webhookDiagnosis },
    problems: ['gateway_off'],
    async handle({ webhooks }, { body: { request, at } }) {
      return ok(webhookDiagnosisJson(webhooks.diagnose(Buffer.from(request), at === undefined ? {} : { at })));
    },
  }),
];
