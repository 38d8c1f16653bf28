import { z } from 'zod';
import { checkKindValue, lateFields, lateJson } from '../../shapes/status-checks';
import {
  chargeJson,
  chargeValue,
  subscriptionCreationJson,
  subscriptionCreationValue,
  subscriptionJson,
  subscriptionValue,
} from '../../shapes/subscriptions';
import { amountField, newIdField, outsideIdField, textField } from '../../shapes/values';
import { type CreateSubscriptionOutcome, SUBSCRIPTION_REQUEST_STATES } from '../../subscriptions';
import { listRoute } from '../operation/list-route';
import { ok, route } from '../operation/route';
import { CREATION_PROBLEMS, PLAN_IMPORT, refusedByGateway } from './payment-creation';

const tag = 'Payments';
const ofSubscription = {
  id: outsideIdField.meta({ description: "The id of Millime, the gateway's, or a reference." }),
};
const linkField = textField(2_000).meta({ description: 'An https address.', example: 'https://shop.example/paid' });

const subscriptionRequest = z.strictObject({
  amountMillimes: amountField.meta({ description: 'The amount of each charge.' }),
  interval: z.enum(['day', 'week', 'month', 'year']),
  intervalCount: z.int().min(1).max(366).optional(),
  name: textField(50).meta({ description: 'The customer reads it.' }),
  description: textField(200).optional(),
  reference: newIdField
    .optional()
    .meta({ description: 'Your name for it. A repeat with the reference returns the live subscription.' }),
  agentId: outsideIdField.optional().meta({ description: 'The agent whose due the charges lower.' }),
  clientId: textField(255).optional().meta({ description: 'Your id of the customer.' }),
  maxCycles: z.int().min(1).max(2_147_483_647).optional(),
  sessionTimeoutSecs: z.int().min(1).max(2_147_483_647).optional(),
  acceptCard: z.boolean().optional(),
  successLink: linkField.optional(),
  failLink: linkField.optional(),
});

/** The operations on subscriptions. */
export const SUBSCRIPTION_ROUTES = [
  listRoute({
    path: '/subscriptions',
    operationId: 'listSubscriptions',
    summary: 'List subscriptions, newest first',
    tag,
    scope: 'payments:read',
    filter: {
      state: z.enum(SUBSCRIPTION_REQUEST_STATES).optional().meta({ description: 'The state of the request.' }),
      status: textField(100).optional().meta({ description: "The gateway's word, such as active." }),
      reference: outsideIdField.optional(),
    },
    row: subscriptionValue,
    key: z.tuple([z.string()]).readonly(),
    page: ({ subscriptions }, { filter: { state, ...filter }, after, limit }) =>
      subscriptions.list({ ...filter, requestState: state, after, limit }),
    toJson: subscriptionJson,
  }),
  route({
    method: 'get',
    path: '/subscriptions/{id}',
    operationId: 'showSubscription',
    summary: 'Show a subscription',
    tag,
    scope: 'payments:read',
    params: ofSubscription,
    answers: { 200: subscriptionValue },
    problems: ['not_found'],
    async handle({ subscriptions }, { params: { id } }) {
      return ok(subscriptionJson((await subscriptions.show(id)).subscription));
    },
  }),
  listRoute({
    path: '/subscriptions/{id}/charges',
    operationId: 'listCharges',
    summary: 'List the charges of a subscription with their fees, newest first',
    tag,
    scope: 'payments:read',
    params: ofSubscription,
    row: chargeValue,
    key: z.tuple([z.int(), z.string()]).readonly(),
    problems: ['not_found'],
    async page({ subscriptions }, { params: { id }, after, limit }) {
      const { trackingId } = (await subscriptions.show(id)).subscription;
      return subscriptions.charges(trackingId, { after, limit });
    },
    toJson: chargeJson,
  }),
  route({
    method: 'post',
    path: '/subscriptions',
    operationId: 'createSubscription',
    summary: 'Create a subscription',
    description:
      'Answers 201 for a new one, 200 for the live one of the same reference and terms, and 202 while the outcome is ' +
      'unknown; the queue then repeats the request under the same tracking id.',
    tag,
    scope: 'payments:write',
    body: subscriptionRequest,
    effect: 'once',
    dryRun: true,
    answers: { 200: subscriptionCreationValue, 201: subscriptionCreationValue, 202: subscriptionCreationValue },
    problems: CREATION_PROBLEMS,
    async handle({ subscriptions }, { body, actor, dryRun }) {
      return creationAnswer(await subscriptions.create(body, { actor, dryRun }));
    },
  }),
  route({
    ...PLAN_IMPORT,
    path: '/subscription-plans',
    operationId: 'importSubscriptionPlan',
    summary: 'Queue the subscriptions of a CSV file',
    async handle({ subscriptions }, { body, actor, dryRun }) {
      return ok({ ...(await subscriptions.importPlan(body, { actor, dryRun })), dryRun });
    },
  }),
  route({
    method: 'post',
    path: '/subscriptions/{id}/verify',
    operationId: 'verifySubscription',
    summary: 'Check a subscription and its charges at the gateway now',
    description: 'Answers the last known state if the gateway may not be asked yet, or did not answer.',
    tag,
    scope: 'payments:write',
    params: ofSubscription,
    effect: 'repeatable',
    answers: {
      200: z
        .strictObject({ kind: checkKindValue, subscription: subscriptionValue, ...lateFields })
        .meta({ id: 'SubscriptionCheck' }),
    },
    problems: ['not_found', 'gateway_off'],
    async handle({ subscriptions }, { params: { id } }) {
      const { trackingId } = (await subscriptions.show(id)).subscription;
      const outcome = await subscriptions.checkStatus(trackingId);
      const { subscription } = await subscriptions.show(trackingId);
      return ok({ kind: outcome.kind, subscription: subscriptionJson(subscription), ...lateJson(outcome) });
    },
  }),
];

type Created = ReturnType<typeof subscriptionCreationJson>;

function creationAnswer(
  outcome: CreateSubscriptionOutcome,
):
  | { readonly status: 200; readonly body: Created }
  | { readonly status: 201 | 202; readonly body: Created; readonly location: string } {
  const body = subscriptionCreationJson(outcome);
  if (outcome.kind === 'checked' || outcome.kind === 'existing') return { status: 200, body };
  const { trackingId } = outcome.subscription;
  if (outcome.kind === 'refused') throw refusedByGateway(outcome.reason, trackingId);
  return { status: outcome.kind === 'created' ? 201 : 202, body, location: `/subscriptions/${trackingId}` };
}
