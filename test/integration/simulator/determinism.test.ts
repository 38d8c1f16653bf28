// Goal: the same seed and the same calls yield the same trace, whatever the load of the machine.
// Method: a morning of payments with every random choice on, run twice over HTTP with the same receiver; then compared.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { HOUR_MS } from '../../../src/kernel';
import type { TraceEntry } from '../../../src/simulator/testing';
import { aClientOf, aRunningSimulator, passTime } from '../../support/a-simulator';
import { type ReceivedWebhook, WebhookReceiver } from '../../support/webhook-receiver';

const PAYMENTS = 20;
const RATE_PPM = 200_000;

const SETTINGS = {
  payer: { mode: 'auto', failurePpm: RATE_PPM, abandonPpm: RATE_PPM },
  webhookFaults: {
    lostPpm: RATE_PPM,
    doubledPpm: RATE_PPM,
    reorderedPpm: RATE_PPM,
    latePpm: RATE_PPM,
    lateMinutes: 45,
    wrongKeyPpm: RATE_PPM,
    lowerCaseSuccessPpm: RATE_PPM,
    oldTimestampPpm: RATE_PPM,
    unknownEventPpm: RATE_PPM,
    tamperedPpm: RATE_PPM,
  },
};

let receiver: WebhookReceiver;

beforeEach(async () => {
  receiver = await WebhookReceiver.start((n) => (n % 3 === 0 ? 500 : 200));
});

afterEach(async () => {
  await receiver.stop();
});

interface Run {
  readonly trace: readonly TraceEntry[];
  readonly webhooks: readonly string[];
}

async function run(seed: number): Promise<Run> {
  receiver.received.splice(0);
  const running = await aRunningSimulator({ seed, settings: SETTINGS });
  try {
    const client = aClientOf(running);
    for (let number = 1; number <= PAYMENTS; number += 1) {
      await client.payments.create({
        amountMillimes: 1_000 * number,
        successLink: 'https://shop.example/paid',
        failLink: 'https://shop.example/failed',
        developerTrackingId: `order-${number}`,
        webhook: `${receiver.baseUrl}/webhooks/payment`,
        webhookVersion: number % 2 === 0 ? 1 : 2,
      });
    }
    await passTime(running.simulator, 2 * HOUR_MS);
    return { trace: [...running.simulator.simulation.world.trace], webhooks: receiver.received.map(describeWebhook) };
  } finally {
    await running.close();
  }
}

const describeWebhook = ({ method, target, headers, rawBody }: ReceivedWebhook): string =>
  [method, target, String(headers['x-service-signature']), rawBody.toString('utf8')].join('\n');

test('two runs of one seed have the same trace and send the same bytes', async () => {
  const first = await run(7);
  const second = await run(7);
  expect(first.webhooks.length).toBeGreaterThan(PAYMENTS / 2);
  expect(second.trace).toEqual(first.trace);
  expect(second.webhooks).toEqual(first.webhooks);
});

test('a different seed has a different trace', async () => {
  const first = await run(7);
  const other = await run(8);
  expect(other.trace).not.toEqual(first.trace);
});
