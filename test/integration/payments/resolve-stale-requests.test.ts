// Goal: a dead process's request becomes unknown, and one that can no longer be paid becomes abandoned, at its time.
// Method: attempts as a crash leaves them, and the clock moved to the edges of the limits.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { millimes, MINUTE_MS } from '../../../src/kernel';
import type { Payment } from '../../../src/payments';
import { newPayment, openPaymentStore } from '../../../src/payments/testing';
import { describeOnEachDatabase } from '../../support/db';
import { aCollectingScene, type CollectingScene } from './scene';

const SESSION_MS = 20 * MINUTE_MS;

describeOnEachDatabase('stale requests', (harness) => {
  let scene: CollectingScene;
  let count = 0;

  beforeEach(async () => {
    scene = await aCollectingScene(harness.database);
  });
  afterEach(() => scene.close());

  const leave = async (overrides: Partial<Payment> = {}): Promise<string> => {
    count += 1;
    const at = scene.clock.now();
    const trackingId = String(count).padStart(26, '0');
    const payment = newPayment({
      trackingId,
      kind: 'standard',
      reference: `order-${count}`,
      agentId: undefined,
      amount: millimes(5_000),
      ourShare: millimes(5_000),
      terms: {},
      isTest: false,
      requestState: 'sending',
      requestedAt: at,
      sentAt: at,
      recordedBy: 'test',
    });
    await harness.database.transact((session) => openPaymentStore(session).add([{ ...payment, ...overrides }]));
    return trackingId;
  };
  const after = async (ms: number, trackingId: string): Promise<Payment> => {
    await scene.pass(ms);
    await scene.payments.resolveStaleRequests();
    return (await scene.payments.show(trackingId)).payment;
  };

  test('an attempt in transit becomes unknown after five minutes and keeps its reference', async () => {
    const trackingId = await leave();
    expect(await after(5 * MINUTE_MS, trackingId)).toMatchObject({ requestState: 'sending' });
    expect(await after(1, trackingId)).toMatchObject({
      requestState: 'unknown',
      isLive: true,
      nextCheckAt: undefined,
      requestError: expect.stringContaining('outcome_unknown'),
    });
  });

  test.each(['pos', 'qr', 'wallet'] as const)(
    'a lost %s request becomes due for a status check and is not abandoned',
    async (kind) => {
      const trackingId = await leave({ kind });
      const ended = await after(6 * MINUTE_MS, trackingId);
      expect(ended).toMatchObject({ requestState: 'unknown', isLive: true, nextCheckAt: scene.clock.now() });
      expect(await after(100 * SESSION_MS, trackingId)).toMatchObject({ requestState: 'unknown', isLive: true });
    },
  );

  test.each([
    [{}, SESSION_MS],
    [{ sessionTimeoutSecs: 60 }, MINUTE_MS],
    [{ sessionTimeoutSecs: 86_400 }, 1_440 * MINUTE_MS],
  ])('an unknown session of %j is abandoned 40 minutes after its end', async (terms, sessionMs) => {
    const trackingId = await leave({ requestState: 'unknown', terms });
    expect(await after(sessionMs + 40 * MINUTE_MS - 1, trackingId)).toMatchObject({
      requestState: 'unknown',
      isLive: true,
    });
    expect(await after(1, trackingId)).toMatchObject({ requestState: 'abandoned', isLive: false });
  });

  test('an attempt left in transit by a long standstill is abandoned immediately', async () => {
    const trackingId = await leave();
    expect(await after(24 * 60 * MINUTE_MS, trackingId)).toMatchObject({ requestState: 'abandoned', isLive: false });
  });

  test.each(['requested', 'made', 'refused'] as const)(
    'an attempt in state "%s" stays unchanged',
    async (requestState) => {
      const sentAt = requestState === 'requested' ? undefined : scene.clock.now();
      const trackingId = await leave({ requestState, sentAt });
      const before = (await scene.payments.show(trackingId)).payment;
      expect(await after(24 * 60 * MINUTE_MS, trackingId)).toEqual(before);
    },
  );
});
