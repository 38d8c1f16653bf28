// Goal: Generate Payment accepts exactly what interface section 2.1 allows, with the JSON types of each variant.
// Method: one table of valid bodies, one of bodies with a single fault; the stored payment is compared.
import { describe, expect, test } from '@jest/globals';
import { aCheckout, BAD_REQUEST, BODY } from './pack';

const PART = { amount: 20_000, destination: '0123' };

describe('A valid body', () => {
  test.each([
    ['standard', {}],
    ['standard', { accept_card: true, image_url: 'https://shop.example/logo.png', webhook_version: 1 }],
    ['standard', { developer_tracking_id: '', pre_auth: true, colour: 'red' }],
    ['standard', { success_link: 'http://127.0.0.1:9000/paid', webhook: 'http://localhost:9000/hook' }],
    ['standard', { amount: '9007199254740991' }],
    ['binding', { client_id: 'customer-77' }],
    ['preauthorization', { amount: 25_000, pre_authorization: true }],
    ['preauthorization', { amount: 25_000, pre_authorization: true, client_id: 'customer-77' }],
    ['split', { amount: 25_000, destination: [PART] }],
    ['split', { amount: 25_000, destination: [PART, { amount: 5_000, destination: '4567' }] }],
  ])('creates a pending payment of the variant %s from %j', (variant, more) => {
    const world = aCheckout();

    const answer = world.call('payments.create', { body: { ...BODY, ...more } });

    expect(answer).toMatchObject({ status: 200, body: { code: 0, result: { success: true } } });
    const [payment] = Object.values(world.simulation.world.checkout.payments);
    expect(payment).toMatchObject({ variant, status: 'PENDING', type: 'NA', takenMillimes: 0 });
    expect(payment?.amountMillimes).toBe(Number({ ...BODY, ...more }.amount));
    expect(world.simulation.world.trace).toContainEqual(
      expect.objectContaining({ what: 'payment.created', facts: expect.objectContaining({ variant }) }),
    );
  });

  test('gets the defaults of the interface: version 1, no card, a session of 1200 seconds', () => {
    const world = aCheckout();

    const payment = world.payment(world.create());

    expect(payment).toMatchObject({ webhookVersion: 1, acceptCard: false, webhook: null, developerTrackingId: null });
    expect(payment.expiresAt - payment.createdAt).toBe(1_200_000);
  });

  test('is answered with the id, a link to the page of that id, and the tracking id', () => {
    const world = aCheckout();

    const { body } = world.call('payments.create', { body: { ...BODY, developer_tracking_id: 'commande-é-1' } });

    const [paymentId = ''] = Object.keys(world.simulation.world.checkout.payments);
    expect(body).toMatchObject({
      result: {
        payment_id: paymentId,
        link: `http://localhost/pay/${paymentId}`,
        developer_tracking_id: 'commande-é-1',
      },
    });
  });
});

test.each<[string, unknown]>([
  ['no body', undefined],
  ['an array', []],
  ['an amount that is missing', { ...BODY, amount: undefined }],
  ['an integer where the standard variant has a text', { ...BODY, amount: 25_000 }],
  ['an integer where the binding variant has a text', { ...BODY, amount: 25_000, client_id: 'c' }],
  ['a text where the pre-authorization has an integer', { ...BODY, pre_authorization: true }],
  ['a text where the split has an integer', { ...BODY, destination: [PART] }],
  ['an amount of zero', { ...BODY, amount: '0' }],
  ['an amount below zero', { ...BODY, amount: '-5' }],
  ['an amount with a fraction', { ...BODY, amount: '10.0' }],
  ['an amount with a space', { ...BODY, amount: '10 ' }],
  ['an amount with an exponent', { ...BODY, amount: '1e3' }],
  ['an amount with a leading zero', { ...BODY, amount: '025' }],
  ['an amount that JSON cannot hold', { ...BODY, amount: '9007199254740992' }],
  ['a pre-authorization of a fraction', { ...BODY, amount: 10.5, pre_authorization: true }],
  ['a pre-authorization that is not true', { ...BODY, pre_authorization: false }],
  ['a pre-authorization in words', { ...BODY, amount: 25_000, pre_authorization: 'true' }],
  ['a pre-authorization of a split', { ...BODY, amount: 25_000, pre_authorization: true, destination: [PART] }],
  ['no success_link', { ...BODY, success_link: undefined }],
  ['no fail_link', { ...BODY, fail_link: undefined }],
  ['a link without a scheme', { ...BODY, success_link: 'shop.example/paid' }],
  ['a link of another scheme', { ...BODY, fail_link: 'javascript:alert(1)' }],
  ['a webhook that is no link', { ...BODY, webhook: 'later' }],
  ['a webhook that is null', { ...BODY, webhook: null }],
  ['version 3 of the webhook', { ...BODY, webhook_version: 3 }],
  ['a version in words', { ...BODY, webhook_version: '2' }],
  ['a tracking id that is a number', { ...BODY, developer_tracking_id: 7 }],
  ['a session of no time', { ...BODY, session_timeout_secs: 0 }],
  ['a session in words', { ...BODY, session_timeout_secs: '1200' }],
  ['accept_card in words', { ...BODY, accept_card: 'true' }],
  ['an empty client_id', { ...BODY, client_id: '' }],
  ['a client_id that is a number', { ...BODY, client_id: 77 }],
  ['an image that is no link', { ...BODY, image_url: 'logo.png' }],
  ['a split among nobody', { ...BODY, amount: 25_000, destination: [] }],
  ['a part of nothing', { ...BODY, amount: 25_000, destination: [{ ...PART, amount: 0 }] }],
  ['a part as a text', { ...BODY, amount: 25_000, destination: [{ ...PART, amount: '20000' }] }],
  ['a merchant id as a number', { ...BODY, amount: 25_000, destination: [{ ...PART, destination: 123 }] }],
  ['parts of more than the amount', { ...BODY, amount: 25_000, destination: [PART, { ...PART, amount: 5_001 }] }],
  [
    'parts whose sum cannot be counted exactly',
    { ...BODY, amount: 9_007_199_254_740_991, destination: Array(3).fill({ ...PART, amount: 9_007_199_254_740_991 }) },
  ],
])('refuses %s as a bad request, and makes no payment', (_name, body) => {
  const world = aCheckout();

  const answer = world.call('payments.create', { body });

  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject(BAD_REQUEST);
  expect(world.simulation.world.checkout.payments).toEqual({});
  expect(world.simulation.world.trace).toEqual([expect.objectContaining({ what: 'refused' })]);
});

test.each<[string, unknown, object]>([
  ['no body', undefined, { field: 'the body', reason: expect.stringContaining('object') }],
  ['a missing link', { ...BODY, fail_link: undefined }, { field: 'fail_link' }],
  [
    'a part of nothing',
    { ...BODY, amount: 5, destination: [{ ...PART, amount: 0 }] },
    { field: 'destination.0.amount' },
  ],
  ['an integer', { ...BODY, amount: 25_000 }, { field: 'amount', reason: expect.stringContaining('string of digits') }],
  ['a text', { ...BODY, pre_authorization: true }, { field: 'amount', reason: expect.stringContaining('integer') }],
  [
    'parts of more than the amount',
    { ...BODY, amount: 19_999, destination: [PART] },
    { field: 'destination', reason: expect.stringContaining('more than amount') },
  ],
  [
    'a pre-authorization of a split',
    { ...BODY, amount: 25_000, pre_authorization: true, destination: [PART] },
    { field: 'destination' },
  ],
])('the trace names the first field of a refused call, and why: %s', (_name, body, facts) => {
  const world = aCheckout();

  world.call('payments.create', { body });

  expect(world.simulation.world.trace).toMatchObject([
    { what: 'refused', facts: { operation: 'payments.create', reason: expect.stringMatching(/./), ...facts } },
  ]);
});
