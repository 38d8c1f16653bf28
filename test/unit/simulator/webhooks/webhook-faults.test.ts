import { describe, expect, test } from '@jest/globals';
import { isAppError } from '../../../../src/kernel';
import { listDeliveries, nextWebhook, type WebhookMessage } from '../../../../src/simulator/testing';
import { emitWebhook } from '../../../../src/simulator/webhooks/emit-webhook';
import { decodeWebhookOrder, orderFits } from '../../../../src/simulator/webhooks/webhook-order';
import { aSimulator } from '../../../support/a-simulator';

const URL_TEXT = 'https://shop.example/in';
const V1: WebhookMessage = { kind: 'payment_v1', url: URL_TEXT, paymentId: 'P-1', success: true };
const V2: WebhookMessage = {
  kind: 'payment_v2',
  url: URL_TEXT,
  event: 'payment.failed',
  body: { payment_id: 'P-2', event: 'payment.failed' },
};
const SUBSCRIPTION: WebhookMessage = {
  kind: 'subscription',
  url: URL_TEXT,
  event: 'subscription.updated',
  body: { subscription_id: 'S-1', payment_id: null },
};
const HINT: WebhookMessage = { kind: 'hint', url: URL_TEXT, channel: 'pos', body: {} };

function refusedFieldsOf(value: unknown): readonly string[] {
  try {
    decodeWebhookOrder(value);
  } catch (error) {
    if (isAppError(error, 'bad_input')) return error.details.map((detail) => detail.split(':')[0] ?? '');
    throw error;
  }
  return [];
}

describe('An order for a webhook fault', () => {
  test('applies once to the next webhook of any kind by default', () => {
    expect(decodeWebhookOrder({ fault: { kind: 'late' } })).toEqual({
      fault: { kind: 'late', minutes: 1_440 },
      match: {},
      times: 1,
    });
  });

  test.each([
    ['nothing', undefined, 'webhook fault'],
    ['no fault', {}, 'fault'],
    ['an unknown fault', { fault: { kind: 'eaten' } }, 'fault.kind'],
    ['a lateness of nothing', { fault: { kind: 'late', minutes: 0 } }, 'fault.minutes'],
    ['a time in the wrong unit', { fault: { kind: 'old_timestamp', minutes: 5 } }, 'fault'],
    ['an unknown sort', { fault: { kind: 'lost' }, match: { kind: 'payment' } }, 'match.kind'],
    ['an unknown condition', { fault: { kind: 'lost' }, match: { url: URL_TEXT } }, 'match'],
    ['an empty id', { fault: { kind: 'lost' }, match: { paymentId: '' } }, 'match.paymentId'],
    ['no times', { fault: { kind: 'lost' }, times: 0 }, 'times'],
  ])('is refused for %s, and names the field', (_what, value, field) => {
    expect(refusedFieldsOf(value)).toEqual([field]);
  });

  test.each([
    [{}, [V1, V2, SUBSCRIPTION, HINT]],
    [{ kind: 'payment_v1' }, [V1]],
    [{ paymentId: 'P-1' }, [V1]],
    [{ paymentId: 'P-2' }, [V2]],
    [{ subscriptionId: 'S-1' }, [SUBSCRIPTION]],
    [{ event: 'payment.failed' }, [V2]],
    [{ channel: 'pos' }, [HINT]],
    [{ channel: 'payout' }, []],
    [{ kind: 'subscription', paymentId: 'P-2' }, []],
  ])('with the match %j waits for a webhook that fits', (match, fitting) => {
    const order = decodeWebhookOrder({ fault: { kind: 'lost' }, match });
    expect([V1, V2, SUBSCRIPTION, HINT].filter((message) => orderFits(order, message))).toEqual(fitting);
  });

  test.each([
    ['lost', [V1, V2, SUBSCRIPTION, HINT]],
    ['unsigned', [V1, V2, SUBSCRIPTION]],
    ['lower_case_success', [V1]],
    ['unknown_event', [V2, SUBSCRIPTION]],
  ])('of %s waits for a webhook that it can change', (kind, fitting) => {
    const order = decodeWebhookOrder({ fault: { kind } });
    expect([V1, V2, SUBSCRIPTION, HINT].filter((message) => orderFits(order, message))).toEqual(fitting);
  });
});

// Goal: random webhook faults follow from the seed alone, and change nothing else.
// Method: a thousand webhooks are planned and none is sent; the plans of several simulators are compared.

const WEBHOOKS = 1_000;
const EVERY_TENTH_PPM = 100_000;
const ALWAYS_PPM = 1_000_000;

const message = (number: number): WebhookMessage => ({
  kind: 'payment_v1',
  url: 'https://shop.example/in',
  paymentId: `P-${number}`,
  success: true,
});

/** Which faults each of a thousand webhooks has, and where the common chance stands afterwards. */
function plans(seed: number, webhookFaults: Readonly<Record<string, number>>) {
  const { simulation } = aSimulator({ seed, settings: { webhookFaults } });
  for (let number = 0; number < WEBHOOKS; number += 1) emitWebhook(simulation, message(number));
  const faults = listDeliveries(simulation).map((delivery) => delivery.faults.map(({ kind }) => kind));
  return { faults, randomState: simulation.random.state() };
}

const hitsOf = ({ faults }: ReturnType<typeof plans>, kind: string): readonly number[] =>
  faults.flatMap((kinds, index) => (kinds.some((one) => one === kind) ? [index] : []));

describe('Random faults of webhooks', () => {
  test('are the same for the same seed and differ for another seed', () => {
    const rates = { lostPpm: EVERY_TENTH_PPM, wrongKeyPpm: EVERY_TENTH_PPM };
    expect(plans(7, rates)).toEqual(plans(7, rates));
    expect(plans(8, rates).faults).not.toEqual(plans(7, rates).faults);
  });

  test('occur about as often as their rate', () => {
    const hits = hitsOf(plans(7, { lostPpm: EVERY_TENTH_PPM }), 'lost');
    expect(hits.length).toBeGreaterThan(50);
    expect(hits.length).toBeLessThan(200);
  });

  test('do not change other random decisions', () => {
    const rates = { lostPpm: EVERY_TENTH_PPM, tamperedPpm: EVERY_TENTH_PPM };
    expect(plans(7, rates).randomState).toBe(plans(7, {}).randomState);
  });

  test('hit the same webhooks when another rate changes', () => {
    const alone = hitsOf(plans(7, { doubledPpm: EVERY_TENTH_PPM }), 'doubled');
    const together = hitsOf(plans(7, { doubledPpm: EVERY_TENTH_PPM, tamperedPpm: ALWAYS_PPM }), 'doubled');
    expect(together).toEqual(alone);
  });

  test('do not occur without a rate', () => {
    expect(plans(7, {}).faults.flat()).toEqual([]);
  });

  test('are at most one of time and one of content for each webhook', () => {
    const all = { lostPpm: ALWAYS_PPM, doubledPpm: ALWAYS_PPM, wrongKeyPpm: ALWAYS_PPM, unsignedPpm: ALWAYS_PPM };
    expect(plans(7, all).faults[0]).toEqual(['lost', 'wrong_key']);
  });
});

test('an ordered fault replaces a random fault of the same kind only', () => {
  const settings = { webhookFaults: { lostPpm: ALWAYS_PPM, wrongKeyPpm: ALWAYS_PPM } };
  const { simulation } = aSimulator({ settings });
  nextWebhook(simulation, decodeWebhookOrder({ fault: { kind: 'doubled' } }));
  emitWebhook(simulation, message(1));
  emitWebhook(simulation, message(2));
  const faults = listDeliveries(simulation).map((delivery) => delivery.faults.map(({ kind }) => kind));
  expect(faults).toEqual([
    ['doubled', 'wrong_key'],
    ['lost', 'wrong_key'],
  ]);
});

test('an unusable address is recorded in the trace and stops no other webhook', () => {
  const { simulation } = aSimulator();
  emitWebhook(simulation, { ...message(1), url: 'shop' });
  emitWebhook(simulation, { ...message(1), url: 'ftp://shop.example/' });
  expect(listDeliveries(simulation)).toEqual([]);
  expect(simulation.world.trace.map(({ what }) => what)).toEqual(['webhook.bad_url', 'webhook.bad_url']);
});

test('beyond a limit the oldest finished webhooks are dropped, and waiting ones are kept', () => {
  const { simulation } = aSimulator({ settings: { webhookFaults: { lostPpm: ALWAYS_PPM } } });
  nextWebhook(simulation, decodeWebhookOrder({ fault: { kind: 'late' } }));
  for (let number = 1; number <= 21_000; number += 1) emitWebhook(simulation, message(number));
  const kept = listDeliveries(simulation).map(({ paymentId }) => paymentId);
  expect(kept).toHaveLength(16_000);
  expect([kept[0], kept[1], kept.at(-1)]).toEqual(['P-1', 'P-5002', 'P-21000']);
});
