import { z } from 'zod';
import { REQUEST_STATES } from '../../attempts';
import { millimes } from '../../kernel';
import { CHANNELS } from '../../ledger';
import { CHECKOUT_KINDS, progressOf } from '../../payments';
import { MONEY_STATES, PAYMENT_SOURCES } from '../../reporting';
import { listedPaymentJson, listedPaymentValue, shownPaymentValue } from '../../shapes/found-payments';
import { progressJson, progressValue } from '../../shapes/payment-progress';
import { timelineEntryJson, timelineEntryValue } from '../../shapes/payment-timeline';
import { paymentJson, paymentValue } from '../../shapes/payments';
import { checkKindValue, lateFields, lateJson } from '../../shapes/status-checks';
import {
  amountField,
  dayParameter,
  millimesParameter,
  newIdField,
  outsideIdField,
  textField,
} from '../../shapes/values';
import { listRoute } from '../operation/list-route';
import type { ApiProblemCode } from '../operation/problem';
import { ok, route } from '../operation/route';
import { listPayments, paymentTimeline, showPayment } from './find-payments';
import {
  CREATION_ANSWERS,
  CREATION_PROBLEMS,
  creationAnswer,
  OPERATION_ANSWERS,
  operationAnswer,
  PLAN_IMPORT,
} from './payment-creation';

const tag = 'Payments';
const ofAnyPayment = {
  id: outsideIdField.meta({
    description:
      'An id of Millime or the gateway, a transactionId, an item, a reference, or the unique beginning of an id.',
  }),
};
const ofPayment = {
  id: outsideIdField.meta({ description: "The id of Millime, the gateway's, or a reference, whose newest counts." }),
};
const linkField = textField(2_000).meta({ description: 'An https address.', example: 'https://shop.example/paid' });
const referenceField = newIdField.meta({
  description: 'Your name for it. A repeat of the request with the reference returns the live payment.',
  example: 'ORDER-1',
});

const checkoutRequest = z.strictObject({
  kind: z.enum(CHECKOUT_KINDS).default('standard'),
  amountMillimes: amountField,
  reference: referenceField.optional(),
  agentId: outsideIdField.optional().meta({ description: 'The agent whose due the payment lowers.' }),
  successLink: linkField.optional(),
  failLink: linkField.optional(),
  acceptCard: z.boolean().optional(),
  sessionTimeoutSecs: z.int().min(1).max(2_147_483_647).optional(),
  clientId: textField(255).optional().meta({ description: 'Your id of the customer; required by `binding`.' }),
  imageUrl: linkField.optional(),
  destination: z
    .array(z.strictObject({ amountMillimes: amountField, destination: textField(255) }))
    .min(1)
    .max(1_000)
    .optional()
    .meta({ description: 'The parts of other merchants; only for `split`.' }),
});

const posRequest = z.strictObject({
  idTerminal: textField(255),
  serialNumber: textField(255),
  amountMillimes: amountField,
  paymentMethod: z.enum(['NFC', 'CARD', 'WALLET', 'CHECK']),
  reference: referenceField.optional(),
  agentId: outsideIdField.optional(),
});

const qrRequest = z.strictObject({
  amountMillimes: amountField.meta({ description: 'What each customer pays.' }),
  merchantId: z.int().min(0).optional().meta({ description: 'By default the merchant of this installation.' }),
  barcode: z.boolean().optional().meta({ description: 'A short text instead of an image.' }),
  reference: referenceField.optional(),
  agentId: outsideIdField.optional(),
});

const CREATE = { method: 'post', tag, scope: 'payments:write', effect: 'once', dryRun: true } as const;
const OPERATE = { method: 'post', tag, scope: 'payments:refund', effect: 'once', dryRun: true } as const;
const OPERATION_PROBLEMS: readonly ApiProblemCode[] = [
  'not_found',
  'operation_not_possible',
  'gateway_refused',
  'gateway_off',
];

/** The operations on payments of all channels. */
export const PAYMENT_ROUTES = [
  listRoute({
    path: '/payments',
    operationId: 'listPayments',
    summary: 'List the payments of all channels, newest first',
    description:
      'Attempts of every channel, confirms of agents, charges of subscriptions and payments of QR codes. A page ' +
      'examines at most 2,000 payments, so it may be short. A period makes a search for an amount short.',
    tag,
    scope: 'payments:read',
    filter: {
      channel: z.enum(CHANNELS).optional(),
      agentId: outsideIdField.optional(),
      reference: outsideIdField.optional(),
      state: z
        .enum(['none', ...MONEY_STATES])
        .optional()
        .meta({ description: 'Where the money is.' }),
      requestState: z.enum(REQUEST_STATES).optional().meta({ description: 'Only attempts in this state.' }),
      status: textField(100).optional().meta({ description: "The gateway's word, such as SUCCESS." }),
      from: dayParameter.optional(),
      to: dayParameter.optional().meta({ description: 'This day counts.' }),
      amountMillimes: millimesParameter.optional(),
    },
    row: listedPaymentValue,
    key: z.tuple([z.int(), z.enum(PAYMENT_SOURCES), outsideIdField]).readonly(),
    async page(rooms, { filter: { amountMillimes, ...filter }, after, limit }) {
      const amount = amountMillimes === undefined ? undefined : millimes(amountMillimes);
      return listPayments(rooms, { ...filter, amount, after, limit });
    },
    toJson: ({ placed, attempt }) => listedPaymentJson(placed, attempt),
  }),
  route({
    method: 'get',
    path: '/payments/{id}',
    operationId: 'showPayment',
    summary: 'Show a payment of any channel and where its money is',
    tag,
    scope: 'payments:read',
    params: ofAnyPayment,
    answers: { 200: shownPaymentValue },
    problems: ['not_found', 'ambiguous_id'],
    async handle(rooms, { params: { id } }) {
      return ok(await showPayment(rooms, id));
    },
  }),
  listRoute({
    path: '/payments/{id}/timeline',
    operationId: 'listPaymentTimeline',
    summary: 'List what happened to a payment of any channel, the oldest entry first',
    description:
      'Its request, status checks, webhooks, operations, postings, matches with bank lines, breaks and closed days. ' +
      'While no credit paid it, an entry stands at the end of the last day on which the bank should book it. ' +
      'Status checks and webhooks have no limit; of every other thing at most 500 are listed. ' +
      'A break is listed if it names the payment now, or named it when it ended.',
    tag,
    scope: 'payments:read',
    params: ofAnyPayment,
    row: timelineEntryValue,
    key: z.tuple([z.int(), z.int(), z.string()]).readonly(),
    problems: ['not_found', 'ambiguous_id'],
    page: (rooms, { params: { id }, after, limit }) => paymentTimeline(rooms, id, { after, limit }),
    toJson: timelineEntryJson,
  }),
  route({
    ...CREATE,
    path: '/payments',
    operationId: 'createPayment',
    summary: 'Create a payment link',
    description:
      'Answers 201 for a new link, 200 for the live payment of the same reference and terms, and 202 while the outcome ' +
      'is unknown; then Millime checks the status, and the request must not be repeated with another reference.',
    body: checkoutRequest,
    answers: CREATION_ANSWERS,
    problems: CREATION_PROBLEMS,
    async handle({ payments }, { body, actor, dryRun }) {
      return creationAnswer(await payments.create(body, { actor, dryRun }));
    },
  }),
  route({
    ...CREATE,
    path: '/pos-payments',
    operationId: 'startPosPayment',
    summary: 'Start a payment on a terminal',
    body: posRequest,
    answers: CREATION_ANSWERS,
    problems: CREATION_PROBLEMS,
    async handle({ paymentChannels }, { body, actor, dryRun }) {
      return creationAnswer(await paymentChannels.startPos(body, { actor, dryRun }));
    },
  }),
  route({
    ...CREATE,
    path: '/qr-codes',
    operationId: 'createQrCode',
    summary: 'Create a QR code that several customers may pay',
    body: qrRequest,
    answers: CREATION_ANSWERS,
    problems: CREATION_PROBLEMS,
    async handle({ paymentChannels }, { body, actor, dryRun }) {
      return creationAnswer(await paymentChannels.createQr(body, { actor, dryRun }));
    },
  }),
  route({
    ...PLAN_IMPORT,
    path: '/payment-plans',
    operationId: 'importPaymentPlan',
    summary: 'Queue the payments of a CSV file',
    async handle({ payments }, { body, actor, dryRun }) {
      return ok({ ...(await payments.importPlan(body, { actor, dryRun })), dryRun });
    },
  }),
  route({
    method: 'post',
    path: '/payments/{id}/verify',
    operationId: 'verifyPayment',
    summary: 'Check the status of a payment at the gateway now',
    description: 'Answers the last known state if the gateway may not be asked yet, or did not answer.',
    tag,
    scope: 'payments:write',
    params: ofPayment,
    effect: 'repeatable',
    answers: {
      200: z
        .strictObject({ kind: checkKindValue, payment: paymentValue, progress: progressValue, ...lateFields })
        .meta({ id: 'PaymentCheck' }),
    },
    problems: ['not_found', 'gateway_off'],
    async handle({ payments }, { params: { id } }) {
      const { trackingId } = (await payments.show(id)).payment;
      const outcome = await payments.checkStatus(trackingId);
      const details = await payments.show(trackingId);
      const progress = progressJson(progressOf(details));
      return ok({ kind: outcome.kind, payment: paymentJson(details.payment), progress, ...lateJson(outcome) });
    },
  }),
  route({
    ...OPERATE,
    path: '/payments/{id}/capture',
    operationId: 'capturePayment',
    summary: 'Capture all or a part of a pre-authorized payment',
    description: 'Millime sends it once. A captured part releases the rest.',
    params: ofPayment,
    body: z.strictObject({ amountMillimes: amountField.optional().meta({ description: 'By default all.' }) }),
    answers: OPERATION_ANSWERS,
    problems: OPERATION_PROBLEMS,
    async handle({ payments }, { params: { id }, body: { amountMillimes }, actor, dryRun }) {
      const { trackingId } = (await payments.show(id)).payment;
      return operationAnswer(await payments.capture(trackingId, amountMillimes, { actor, dryRun }));
    },
  }),
  route({
    ...OPERATE,
    path: '/payments/{id}/cancel',
    operationId: 'cancelPayment',
    summary: 'Release the money that a pre-authorized payment holds',
    description: 'Millime sends it once.',
    params: ofPayment,
    answers: OPERATION_ANSWERS,
    problems: OPERATION_PROBLEMS,
    async handle({ payments }, { params: { id }, actor, dryRun }) {
      const { trackingId } = (await payments.show(id)).payment;
      return operationAnswer(await payments.cancel(trackingId, { actor, dryRun }));
    },
  }),
  route({
    ...OPERATE,
    path: '/payments/{id}/refund',
    operationId: 'refundPayment',
    summary: 'Refund the whole payment to the customer',
    description: 'Millime sends it once.',
    params: ofPayment,
    answers: OPERATION_ANSWERS,
    problems: OPERATION_PROBLEMS,
    async handle({ payments }, { params: { id }, actor, dryRun }) {
      const { trackingId } = (await payments.show(id)).payment;
      return operationAnswer(await payments.refund(trackingId, { actor, dryRun }));
    },
  }),
];
