// Goal: every webhook equals the interface's definition, and with a fault exactly the definition of that fault.
// Method: a real receiver stores the bytes, and the client verifies them at the simulated time.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { verifyPaymentWebhook, verifySubscriptionWebhook } from '../../../src/gateway';
import { DAY_MS, millimes, MINUTE_MS, parseInstant } from '../../../src/kernel';
import {
  decodeWebhookOrder,
  type DeliveryView,
  earnMoney,
  emitWebhook,
  listDeliveries,
  nextWebhook,
  type WebhookMessage,
  type World,
} from '../../../src/simulator/testing';
import { PAYMENT_BODY, SUBSCRIPTION_BODY } from '../../fixtures/webhooks/webhook-given';
import { aSimulator, passTime } from '../../support/a-simulator';
import { type ReceivedWebhook, WebhookReceiver } from '../../support/webhook-receiver';

/** Ends a wait that must end by itself: only the test of a silent receiver reaches it. */
const SHORT_TIMEOUT_MS = 150;

let receiver: WebhookReceiver;

beforeEach(async () => {
  receiver = await WebhookReceiver.start();
});

afterEach(async () => {
  await receiver.stop();
});

async function receiveWith(...reply: Parameters<typeof WebhookReceiver.start>): Promise<void> {
  await receiver.stop();
  receiver = await WebhookReceiver.start(...reply);
}

type Simulated = ReturnType<typeof aSimulator>;

const v1 = (paymentId = 'P-1', success = true): WebhookMessage => ({
  kind: 'payment_v1',
  url: `${receiver.baseUrl}/webhooks/payment`,
  paymentId,
  success,
});
const v2 = (eventId = 'evt_1'): WebhookMessage => ({
  kind: 'payment_v2',
  url: `${receiver.baseUrl}/webhooks/payment`,
  event: 'payment.succeeded',
  body: { ...PAYMENT_BODY, event: 'payment.succeeded', event_id: eventId },
});
const subscription = (): WebhookMessage => ({
  kind: 'subscription',
  url: `${receiver.baseUrl}/webhooks/subscription`,
  event: 'subscription.activated',
  body: { ...SUBSCRIPTION_BODY, event: 'subscription.activated' },
});
const hint = (channel: 'pos' | 'partner' | 'payout'): WebhookMessage => ({
  kind: 'hint',
  url: `${receiver.baseUrl}/webhooks/hint/token/${channel}`,
  channel,
  body: { id: 'X-1' },
});

/** Judges a webhook as an integrator does who holds the current key, unless it still accepts the previous one too. */
function judge({ simulation }: Simulated, webhook: ReceivedWebhook | undefined, keys = ['sk_simulator']) {
  if (webhook === undefined) throw new Error('no such webhook came');
  const request = { ...webhook, keys, now: Math.floor(simulation.now() / 1_000) };
  return webhook.target.includes('/subscription') ? verifySubscriptionWebhook(request) : verifyPaymentWebhook(request);
}

function order({ simulation }: Simulated, fault: unknown, match: unknown = {}): void {
  nextWebhook(simulation, decodeWebhookOrder({ fault, match }));
}

function onlyDelivery({ simulation }: Simulated): DeliveryView {
  const [delivery, ...others] = listDeliveries(simulation);
  if (delivery === undefined || others.length > 0) throw new Error(`${others.length + 1} deliveries, not one`);
  return delivery;
}

const pathOf = ({ target }: ReceivedWebhook): string => target.split('?')[0] ?? '';
const eventIdOf = ({ rawBody }: ReceivedWebhook): unknown =>
  (JSON.parse(rawBody.toString('utf8')) as { event_id?: unknown }).event_id;

describe('A webhook without a fault', () => {
  test.each([
    ['True', true],
    ['False', false],
  ])('is a signed GET with success=%s in version 1', async (word, success) => {
    const simulator = aSimulator();
    emitWebhook(simulator.simulation, v1('a/b+c', success));
    await simulator.catchUp();
    expect(receiver.received[0]).toMatchObject({
      method: 'GET',
      target: `/webhooks/payment?payment_id=a%2Fb%2Bc&success=${word}`,
    });
    expect(judge(simulator, receiver.received[0])).toMatchObject({
      kind: 'authentic',
      version: 1,
      event: { paymentId: 'a/b+c', success },
    });
  });

  test("follows the address's own query in version 1", async () => {
    const simulator = aSimulator();
    const message: WebhookMessage = {
      kind: 'payment_v1',
      url: `${receiver.baseUrl}/in?shop=1`,
      paymentId: 'P-1',
      success: true,
    };
    emitWebhook(simulator.simulation, message);
    await simulator.catchUp();
    expect(receiver.received[0]?.target).toBe('/in?shop=1&payment_id=P-1&success=True');
    expect(judge(simulator, receiver.received[0]).kind).toBe('authentic');
  });

  test('is signed JSON with its event in a header in version 2 and for subscriptions', async () => {
    const simulator = aSimulator();
    emitWebhook(simulator.simulation, v2());
    emitWebhook(simulator.simulation, subscription());
    await simulator.catchUp();
    expect(receiver.received.map(({ method, headers }) => [method, headers['x-service-event']])).toEqual([
      ['POST', 'payment.succeeded'],
      ['POST', 'subscription.activated'],
    ]);
    expect(receiver.received.map(({ headers }) => headers['content-type'])).toEqual([
      'application/json',
      'application/json',
    ]);
    expect(judge(simulator, receiver.received[0])).toMatchObject({ kind: 'authentic', event: { eventId: 'evt_1' } });
    expect(judge(simulator, receiver.received[1])).toMatchObject({ kind: 'authentic', version: 'subscription' });
  });

  test.each(['pos', 'partner', 'payout'] as const)('is JSON without a signature as a hint of %s', async (channel) => {
    const simulator = aSimulator();
    emitWebhook(simulator.simulation, hint(channel));
    await simulator.catchUp();
    const [webhook] = receiver.received;
    expect(webhook).toMatchObject({ method: 'POST', target: `/webhooks/hint/token/${channel}` });
    expect(webhook?.rawBody.toString()).toBe('{"id":"X-1"}');
    expect(Object.keys(webhook?.headers ?? {}).filter((name) => name.startsWith('x-service'))).toEqual([]);
  });

  test('is a hint of a transferred payout to the configured address, and not sent without one', async () => {
    const payoutWebhook = `${receiver.baseUrl}/webhooks/hint/token/payout`;
    for (const settings of [{}, { payoutWebhook }]) {
      const simulator = aSimulator({ settings });
      const { simulation } = simulator;
      earnMoney(simulation, {
        itemId: 'payment:P-1',
        channel: 'wallet',
        amountMillimes: millimes(50_000),
        succeededAt: simulation.now(),
        availableAt: simulation.now(),
      });
      await passTime(simulator, 3 * DAY_MS);
    }
    expect(receiver.received.map(({ target }) => target)).toEqual(['/webhooks/hint/token/payout']);
    expect(JSON.parse(receiver.received[0]?.rawBody.toString() ?? '')).toMatchObject({
      amount_in_millimes: 50_000,
      status: 'PAID',
    });
  });
});

describe('The repeats of a webhook', () => {
  const START = '2026-03-02T08:00:00.000Z';
  const minutesAfterStart = (text: string): number =>
    ((parseInstant(text) ?? NaN) - (parseInstant(START) ?? NaN)) / MINUTE_MS;

  test('follow 1, 2, 4, 8 and 16 minutes after the previous try with the same event_id, and then end', async () => {
    await receiveWith(() => 500);
    const simulator = aSimulator({ startAt: START });
    emitWebhook(simulator.simulation, v2('evt_same'));
    await passTime(simulator, DAY_MS);
    const delivery = onlyDelivery(simulator);
    expect(delivery.attempts.map(({ at }) => minutesAfterStart(at))).toEqual([0, 1, 3, 7, 15, 31]);
    expect(delivery).toMatchObject({ status: 'given_up', nextAt: null });
    expect(receiver.received.map(eventIdOf)).toEqual(Array.from({ length: 6 }, () => 'evt_same'));
    expect(new Set(receiver.received.map(({ rawBody }) => rawBody.toString())).size).toBe(1);
  });

  test('are not sent a millisecond early', async () => {
    await receiveWith(() => 500);
    const simulator = aSimulator();
    emitWebhook(simulator.simulation, v2());
    await simulator.catchUp();
    await passTime(simulator, MINUTE_MS - 1);
    expect(receiver.received).toHaveLength(1);
    await passTime(simulator, 1);
    expect(receiver.received).toHaveLength(2);
  });

  test('end with the first 2xx', async () => {
    await receiveWith((n) => (n < 3 ? 500 : 204));
    const simulator = aSimulator({ startAt: START });
    emitWebhook(simulator.simulation, v2());
    await passTime(simulator, DAY_MS);
    const delivery = onlyDelivery(simulator);
    expect(delivery.attempts.map(({ answer }) => answer)).toEqual([
      { kind: 'answered', status: 500 },
      { kind: 'answered', status: 500 },
      { kind: 'answered', status: 204 },
    ]);
    expect(delivery.status).toBe('delivered');
  });

  test('continue after a redirect, which is not followed', async () => {
    await receiveWith((n) => (n === 1 ? { redirectTo: '/elsewhere' } : 200));
    const simulator = aSimulator();
    emitWebhook(simulator.simulation, v2());
    await passTime(simulator, 2 * MINUTE_MS);
    expect(receiver.received.map(pathOf)).toEqual(['/webhooks/payment', '/webhooks/payment']);
    expect(onlyDelivery(simulator).attempts[0]?.answer).toEqual({ kind: 'answered', status: 307 });
  });

  test.each(['cut', 'silence'] as const)('continue after a receiver answers with %s', async (how) => {
    await receiveWith((n) => (n === 1 ? how : 200));
    const timeoutMs = how === 'silence' ? SHORT_TIMEOUT_MS : 60_000;
    const simulator = aSimulator({ settings: { webhooks: { timeoutMs } } });
    emitWebhook(simulator.simulation, v2());
    await simulator.catchUp();
    const reason = how === 'cut' ? 'lost' : 'timed_out';
    expect(onlyDelivery(simulator)).toMatchObject({
      status: 'waiting',
      attempts: [{ answer: { kind: 'no_answer', reason } }],
    });
  });

  test('continue while no receiver listens', async () => {
    const simulator = aSimulator();
    const message = v2();
    await receiver.stop();
    emitWebhook(simulator.simulation, message);
    await simulator.catchUp();
    expect(onlyDelivery(simulator)).toMatchObject({ status: 'waiting', attempts: [{ answer: { kind: 'no_answer' } }] });
  });

  test.each([
    [true, ['authentic', 'authentic', 'authentic', 'authentic', 'authentic', 'authentic']],
    [false, ['authentic', 'authentic', 'authentic', 'stale', 'stale', 'stale']],
  ])('have the verdicts of the receiver with renewTimestamp %p', async (renewTimestamp, expected) => {
    const kinds: string[] = [];
    const simulator = aSimulator({ settings: { webhooks: { renewTimestamp } } });
    await receiveWith((_n, webhook) => {
      kinds.push(judge(simulator, webhook).kind);
      return 500;
    });
    emitWebhook(simulator.simulation, v2());
    await passTime(simulator, DAY_MS);
    expect(kinds).toEqual(expected);
  });
});

test('a loaded simulator continues its repeats with the same event_id', async () => {
  await receiveWith((n) => (n === 1 ? 500 : 200));
  const before = aSimulator();
  emitWebhook(before.simulation, v2('evt_kept'));
  await before.catchUp();
  const after = aSimulator();
  await after.load(JSON.parse(JSON.stringify(before.snapshot())) as World);
  await passTime(after, MINUTE_MS);
  expect(receiver.received.map(eventIdOf)).toEqual(['evt_kept', 'evt_kept']);
  expect(onlyDelivery(after)).toMatchObject({ status: 'delivered', attempts: [{}, {}] });
});

describe("A fault of a webhook's content", () => {
  test.each([
    ['wrong_key', 'rejected', 'wrong_signature'],
    ['previous_key', 'rejected', 'wrong_signature'],
    ['tampered', 'rejected', 'wrong_signature'],
    ['unsigned', 'rejected', 'missing_signature'],
    ['old_timestamp', 'stale', undefined],
    ['future_timestamp', 'stale', undefined],
  ] as const)('%s is noticed in all three families', async (kind, verdict, reason) => {
    const simulator = aSimulator();
    for (const message of [v1(), v2(), subscription()]) {
      order(simulator, { kind });
      emitWebhook(simulator.simulation, message);
    }
    await simulator.catchUp();
    expect(receiver.received).toHaveLength(3);
    for (const webhook of receiver.received) {
      const judged = judge(simulator, webhook);
      expect(judged.kind).toBe(verdict);
      if (reason !== undefined) expect(judged).toEqual({ kind: 'rejected', reason });
    }
  });

  test('is authentic as previous_key for a receiver that still accepts that key', async () => {
    const simulator = aSimulator();
    order(simulator, { kind: 'previous_key' });
    emitWebhook(simulator.simulation, v2());
    await simulator.catchUp();
    const keys = ['sk_simulator', 'sk_simulator_previous'];
    expect(judge(simulator, receiver.received[0], keys).kind).toBe('authentic');
  });

  test('shifts the times by the ordered seconds in the right direction', async () => {
    const simulator = aSimulator();
    order(simulator, { kind: 'old_timestamp', secs: 301 });
    order(simulator, { kind: 'future_timestamp', secs: 302 });
    emitWebhook(simulator.simulation, v2('evt_old'));
    emitWebhook(simulator.simulation, v2('evt_future'));
    await simulator.catchUp();
    const nowSecs = simulator.simulation.now() / 1_000;
    expect(receiver.received.map((webhook) => judge(simulator, webhook))).toMatchObject([
      { kind: 'stale', timestampSecs: nowSecs - 301 },
      { kind: 'stale', timestampSecs: nowSecs + 302 },
    ]);
  });

  test('is signed as it is written for lower_case_success, and waits for a webhook of version 1', async () => {
    const simulator = aSimulator();
    order(simulator, { kind: 'lower_case_success' });
    emitWebhook(simulator.simulation, v2());
    emitWebhook(simulator.simulation, v1());
    await simulator.catchUp();
    expect(receiver.received[1]?.target).toContain('success=true');
    expect(receiver.received.map((webhook) => judge(simulator, webhook).kind)).toEqual(['authentic', 'authentic']);
  });

  test('is authentic in header and body for an unknown event', async () => {
    const simulator = aSimulator();
    order(simulator, { kind: 'unknown_event' });
    emitWebhook(simulator.simulation, v2());
    await simulator.catchUp();
    const event = receiver.received[0]?.headers['x-service-event'];
    expect(event).toMatch(/^payment\.(?!succeeded|failed)/);
    expect(judge(simulator, receiver.received[0])).toMatchObject({ kind: 'authentic', event: { event } });
  });

  test('affects only what its order matches, for its number of times', async () => {
    const simulator = aSimulator();
    const orderOf = { fault: { kind: 'unsigned' }, match: { kind: 'payment_v1', paymentId: 'P-2' }, times: 2 };
    nextWebhook(simulator.simulation, decodeWebhookOrder(orderOf));
    for (const paymentId of ['P-1', 'P-2', 'P-2', 'P-2']) emitWebhook(simulator.simulation, v1(paymentId));
    await simulator.catchUp();
    expect(receiver.received.map(({ headers }) => 'x-service-signature' in headers)).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });
});

describe("A fault of a webhook's time", () => {
  test('never sends a lost webhook', async () => {
    const simulator = aSimulator();
    order(simulator, { kind: 'lost' });
    emitWebhook(simulator.simulation, v2());
    await passTime(simulator, DAY_MS);
    expect(receiver.received).toEqual([]);
    expect(onlyDelivery(simulator)).toMatchObject({ status: 'lost', attempts: [] });
  });

  test('sends a doubled webhook twice with the same event_id, even if the first was accepted', async () => {
    const simulator = aSimulator();
    order(simulator, { kind: 'doubled' });
    emitWebhook(simulator.simulation, v2('evt_twice'));
    await passTime(simulator, DAY_MS);
    expect(receiver.received.map(eventIdOf)).toEqual(['evt_twice', 'evt_twice']);
  });

  test('does not double the repeats of a doubled webhook', async () => {
    await receiveWith(() => 500);
    const simulator = aSimulator();
    order(simulator, { kind: 'doubled' });
    emitWebhook(simulator.simulation, v2());
    await passTime(simulator, DAY_MS);
    expect(receiver.received).toHaveLength(7);
  });

  test('sends a reordered webhook after the next one', async () => {
    const simulator = aSimulator();
    order(simulator, { kind: 'reordered' });
    for (const eventId of ['evt_1', 'evt_2', 'evt_3']) emitWebhook(simulator.simulation, v2(eventId));
    await simulator.catchUp();
    expect(receiver.received.map(eventIdOf)).toEqual(['evt_2', 'evt_1', 'evt_3']);
  });

  test('sends a reordered webhook after a minute if none follows', async () => {
    const simulator = aSimulator();
    order(simulator, { kind: 'reordered' });
    emitWebhook(simulator.simulation, v2());
    await passTime(simulator, MINUTE_MS - 1);
    expect(receiver.received).toHaveLength(0);
    await passTime(simulator, 1);
    expect(receiver.received).toHaveLength(1);
  });

  test('sends a late webhook a day later, signed with the time of sending', async () => {
    const simulator = aSimulator();
    order(simulator, { kind: 'late' });
    emitWebhook(simulator.simulation, v2());
    await passTime(simulator, DAY_MS - 1);
    expect(receiver.received).toHaveLength(0);
    await passTime(simulator, 1);
    expect(receiver.received).toHaveLength(1);
    expect(judge(simulator, receiver.received[0]).kind).toBe('authentic');
  });
});

test('a rate of 1 000 000 ppm affects every webhook', async () => {
  const settings = { webhookFaults: { doubledPpm: 1_000_000, tamperedPpm: 1_000_000 } };
  const simulator = aSimulator({ settings });
  emitWebhook(simulator.simulation, v2('evt_1'));
  emitWebhook(simulator.simulation, v2('evt_2'));
  await simulator.catchUp();
  expect(receiver.received.map(eventIdOf)).toEqual(['evt_1', 'evt_1', 'evt_2', 'evt_2']);
  const verdicts = receiver.received.map((webhook) => judge(simulator, webhook));
  expect(verdicts).toEqual(Array.from({ length: 4 }, () => ({ kind: 'rejected', reason: 'wrong_signature' })));
});
