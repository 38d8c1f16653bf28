import { z } from 'zod';
import { addDays } from '../../kernel';
import { amountField, dayParameter, outsideIdField, textField } from '../../shapes/values';
import {
  qrPurchaseJson,
  qrPurchaseValue,
  walletBalanceJson,
  walletBalanceValue,
  walletLinkJson,
  walletLinkValue,
  walletOperationJson,
  walletOperationValue,
} from '../../shapes/wallets';
import type { ApiProblemCode } from '../operation/problem';
import { ok, route } from '../operation/route';
import { CREATION_ANSWERS, CREATION_PROBLEMS, creationAnswer } from './payment-creation';

const tag = 'Payments';
const READ_PROBLEMS: readonly ApiProblemCode[] = [
  'request_faults',
  'gateway_not_found',
  'gateway_refused',
  'gateway_off',
];

/** Phone numbers and ids of customers stay out of addresses, which logs contain. */
const account = {
  phoneNumber: textField(50).meta({ example: '21620000001' }),
  trackingId: textField(100).meta({ description: 'The uuid of the linked account.' }),
};

/** The operations on customers' wallets and on the merchant's QR purchases, as the gateway answers them. */
export const WALLET_ROUTES = [
  route({
    method: 'get',
    path: '/qr-history',
    operationId: 'listQrPurchases',
    summary: "List the merchant's QR purchases at the gateway",
    description: 'Answers at most 10,000 purchases; ask for a shorter period if there are more.',
    tag,
    scope: 'payments:read',
    query: { from: dayParameter, to: dayParameter },
    answers: { 200: z.strictObject({ purchases: z.array(qrPurchaseValue) }) },
    problems: READ_PROBLEMS,
    async handle({ paymentChannels, calendar }, { query: { from, to } }) {
      const window = { from: calendar.startOf(from), until: calendar.startOf(addDays(to, 1)) };
      return ok({ purchases: (await paymentChannels.qrHistory(window)).map(qrPurchaseJson) });
    },
  }),
  route({
    method: 'post',
    path: '/wallets/links',
    operationId: 'linkWallet',
    summary: 'Send a customer the code that links the wallet',
    tag,
    scope: 'payments:write',
    body: z.strictObject({ phoneNumber: account.phoneNumber }),
    effect: 'secret',
    answers: { 200: walletLinkValue },
    problems: READ_PROBLEMS,
    async handle({ paymentChannels }, { body: { phoneNumber }, actor }) {
      return ok(walletLinkJson(await paymentChannels.walletLink(phoneNumber, actor)));
    },
  }),
  route({
    method: 'post',
    path: '/wallets/balance',
    operationId: 'readWalletBalance',
    summary: 'Read the balance of a customer wallet',
    tag,
    scope: 'payments:write',
    body: z.strictObject(account),
    effect: 'reads',
    answers: { 200: walletBalanceValue },
    problems: READ_PROBLEMS,
    async handle({ paymentChannels }, { body, actor }) {
      return ok(walletBalanceJson(await paymentChannels.walletBalance(body, actor)));
    },
  }),
  route({
    method: 'post',
    path: '/wallets/history',
    operationId: 'readWalletHistory',
    summary: 'List the operations of a customer wallet, without amounts',
    description: 'Answers at most 10,000 operations.',
    tag,
    scope: 'payments:write',
    body: z.strictObject({ ...account, from: dayParameter.optional(), to: dayParameter.optional() }),
    effect: 'reads',
    answers: { 200: z.strictObject({ operations: z.array(walletOperationValue) }) },
    problems: READ_PROBLEMS,
    async handle({ paymentChannels, calendar }, { body: { from, to, ...owner }, actor }) {
      const window = {
        from: from === undefined ? undefined : calendar.startOf(from),
        until: to === undefined ? undefined : calendar.startOf(addDays(to, 1)),
      };
      const operations = await paymentChannels.walletHistory({ ...owner, ...window }, actor);
      return ok({ operations: operations.map(walletOperationJson) });
    },
  }),
  route({
    method: 'post',
    path: '/wallets/payments',
    operationId: 'payFromWallet',
    summary: 'Charge a customer wallet once',
    tag,
    scope: 'payments:refund',
    body: z.strictObject({
      ...account,
      amountMillimes: amountField,
      product: textField(100).meta({ description: 'A product code of the gateway.' }),
      reference: outsideIdField.optional(),
    }),
    effect: 'once',
    dryRun: true,
    answers: CREATION_ANSWERS,
    problems: CREATION_PROBLEMS,
    async handle({ paymentChannels }, { body, actor, dryRun }) {
      return creationAnswer(await paymentChannels.payFromWallet(body, { actor, dryRun }));
    },
  }),
];
