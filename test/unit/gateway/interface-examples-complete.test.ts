import { describe, expect, test } from '@jest/globals';
import { exchangesOf, interfaceExamples, webhookExamples } from '../../support/interface-examples';

// Goal: each operation, POS path, error code and event of the interface has a literal example.
// Method: tables typed again from the interface, compared with the names in the files.

const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  'payments.create': ['POST /api/v2/generate_payment'],
  'payments.createWithBinding': ['POST /api/v2/generate_payment'],
  'payments.preauthorize': ['POST /api/v2/generate_payment'],
  'payments.createSplit': ['POST /api/v2/generate_payment'],
  'payments.verify': ['GET /api/v2/verify_payment/PAY-1', 'GET /api/v2/verify_payment/a%2Fb%2Bc%3D%3Fd%20%25'],
  'payments.capture': ['POST /api/v2/confirm_payment'],
  'payments.cancel': ['POST /api/v2/cancel_payment'],
  'payments.refund': ['POST /api/v2/refund_payment'],
  'bindings.list': ['GET /api/v2/bindings/list'],
  'subscriptions.create': ['POST /api/v2/subscriptions'],
  'subscriptions.retrieve': ['GET /api/v2/subscriptions/SUB-1'],
  'subscriptions.listCharges': ['GET /api/v2/subscriptions/SUB-1/charges'],
  'wallet.initiateLink': ['POST /partners/accounts/initiate_link_account'],
  'wallet.authenticate': ['POST /api/accounts/authenticate'],
  'wallet.refresh': ['GET /api/accounts/authenticate/refresh'],
  'wallet.balance': ['GET /partners/v1/transactions/balance'],
  'wallet.history': ['GET /partners/v1/transactions/history'],
  'wallet.pay': ['POST /partners/v1/transactions/initiate_payment'],
  'pos.start': ['POST /api/transactions/init_pos_transaction', 'POST /partners/transactions/init_pos_transaction'],
  'pos.status': [
    'GET /api/transactions/get_pos_transaction_status',
    'GET /partners/transactions/get_pos_transaction_status',
  ],
  'qr.generate': ['GET /api/business/generate_custom_qr_code'],
  'qr.verify': ['GET /api/business/custom_transaction/status'],
  'qr.history': ['GET /api/business/custom_transactions/history'],
};

/** Section 7: what each operation may answer in place of a success. */
const ERRORS: Readonly<Record<string, readonly string[]>> = {
  'payments.create': ['validation'],
  'payments.createWithBinding': ['validation'],
  'payments.preauthorize': ['validation'],
  'payments.createSplit': ['validation'],
  'payments.verify': ['not_found'],
  'payments.capture': ['CONFIRMATION_FAILED'],
  'payments.cancel': ['CANCELLATION_FAILED'],
  'payments.refund': ['REFUND_NOT_ALLOWED'],
  'bindings.list': ['validation'],
  'subscriptions.create': [
    'amount',
    'currency',
    'interval',
    'interval_count',
    'session_timeout',
    'destination',
    'success_link',
    'fail_link',
    'webhook',
    'card_recurring_not_enabled',
    'card_recurring_not_implemented',
    'merchant_not_allowed',
    'merchant_wallet_inactive',
    'affiliation_inactive',
    'duplicate_developer_tracking_id',
    'rate_limited',
    'recurring_payments_disabled',
  ],
  'subscriptions.retrieve': ['subscription_not_found'],
  'qr.generate': ['400', '403', '404', '500'],
  'qr.verify': ['400', '403', '503'],
  'qr.history': ['400', '403', '404', '500'],
};

const EVENTS = [
  'payment.succeeded',
  'payment.failed',
  'subscription.activated',
  'subscription.incomplete_expired',
  'subscription.charge.succeeded',
  'subscription.charge.failed',
  'subscription.past_due',
  'subscription.reactivated',
  'subscription.unpaid',
  'subscription.canceled',
  'subscription.completed',
  'subscription.updated',
];

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];
const examples = interfaceExamples();

describe('the literal examples of the interface', () => {
  test('name every operation that the interface specifies, and no other', () => {
    expect(unique(examples.map(({ operation }) => operation))).toEqual(Object.keys(OPERATIONS));
  });

  test.each(Object.entries(OPERATIONS))('have every path of %s', (name, paths) => {
    const seen = examples
      .filter(({ operation }) => operation === name)
      .map(({ request }) => `${request.method} ${request.path}`);

    expect(unique(seen)).toEqual(paths);
  });

  test.each(Object.entries(ERRORS))('have every error that section 7 lists for %s', (name, errors) => {
    const seen = examples
      .filter(({ operation }) => operation === name)
      .flatMap((example) => example.errors)
      .flatMap(({ error }) => [error.code, error.gatewayCode ?? '', ...Object.keys(error.fields ?? {})]);

    expect(seen).toEqual(expect.arrayContaining([...errors]));
  });

  test.each(['app', 'api-key', 'refresh:refresh-token-1'])('use the credential %s', (kind) => {
    expect(examples.map(({ request }) => request.authorization)).toContain(kind);
  });

  test('have one answer each, and distinct names for the cases of one call', () => {
    for (const example of examples) {
      const names = [...example.answers, ...example.errors].map(({ name }) => name);
      expect(example.answers).not.toHaveLength(0);
      expect(names).toEqual(unique(names));
    }
    expect(unique(examples.map(({ operation, about }) => `${operation}: ${about}`))).toHaveLength(examples.length);
  });

  test('have a body for every POST and none for a GET', () => {
    const requests = examples
      .flatMap((example) => [...example.answers, ...example.errors].flatMap((answer) => exchangesOf(example, answer)))
      .map(({ request }) => request);

    for (const { method, body } of requests) expect(body === null).toBe(method === 'GET');
  });

  test('start every paged list with the request of its example', () => {
    const walks = examples.flatMap((example) =>
      example.answers.flatMap((answer) => ('pages' in answer ? [{ example, pages: answer.pages }] : [])),
    );

    expect(walks).not.toHaveLength(0);
    for (const { example, pages } of walks) expect(pages[0]?.query).toEqual(example.request.query);
  });
});

describe('the literal webhooks of the interface', () => {
  const webhooks = webhookExamples();

  test('name every event of sections 6.3 and 6.4, equally in the header and in the body', () => {
    const named = webhooks.flatMap((webhook) => (webhook.kind === 'payment-v1' ? [] : [webhook]));

    expect(unique(named.map(({ event }) => event))).toEqual(EVENTS);
    for (const { event, body } of named) expect(body['event']).toBe(event);
  });

  test('have both outcomes of version 1', () => {
    const queries = webhooks.flatMap((webhook) => (webhook.kind === 'payment-v1' ? [webhook.query] : []));

    expect(queries.some((query) => query.endsWith('&success=True'))).toBe(true);
    expect(queries.some((query) => query.endsWith('&success=False'))).toBe(true);
  });

  test('have distinct event ids', () => {
    const ids = webhooks.flatMap((webhook) => (webhook.kind === 'payment-v1' ? [] : [webhook.body['event_id']]));

    expect(new Set(ids).size).toBe(ids.length);
  });
});
