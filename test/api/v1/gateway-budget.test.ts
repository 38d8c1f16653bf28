import { beforeEach, expect, test } from '@jest/globals';
import { describeApi, NOW } from '../support/api';
import { type ApiClient, apiClient } from './support/api-client';
import { aCreatedPayment } from './support/scenarios/payments';

// Goal: an operator sees by the answer alone how many calls are left and when the gateway is asked again.
// Method: the server with a simulated gateway, whose faults are ordered.

const after = (ms: number): string => new Date(Date.parse(NOW) + ms).toISOString();
const UNUSED = {
  at: NOW,
  verifies: { used: 0, limit: 30, freesAt: null },
  subscriptionCreations: { used: 0, limit: 60, freesAt: null },
  circuit: { isOpen: false, cause: null, retryAt: null },
  pausedQueues: [],
};

describeApi(
  'showGatewayBudget',
  (current) => {
    // Tests move the clock.
    beforeEach(() => current.api.setClock(NOW));

    async function orderFault(operation: string, fault: unknown): Promise<void> {
      const order = { method: 'POST', body: JSON.stringify({ operation, fault }) };
      expect((await fetch(`${current.api.gateway.baseUrl}/_simulator/faults`, order)).status).toBe(200);
    }

    async function verified(client: ApiClient): Promise<void> {
      const { trackingId } = await aCreatedPayment(current.api);
      await client.done('verifyPayment', { params: { id: trackingId } });
    }

    test('counts the calls of the last minute and answers when the oldest one is free', async () => {
      const client = await apiClient(current.api);
      expect(await client.done('showGatewayBudget')).toEqual(UNUSED);
      await verified(client);
      current.api.setClock(after(20_000));
      await verified(client);
      const verifies = { used: 2, limit: 30, freesAt: after(60_000) };
      expect(await client.done('showGatewayBudget')).toEqual({ ...UNUSED, at: after(20_000), verifies });
    });

    test('names why status checks are stopped, and until when', async () => {
      const client = await apiClient(current.api);
      const body = { result: { status: 403, message: 'No' } };
      await orderFault('payments.verify', { kind: 'status', code: 403, body, processed: false });
      await verified(client);
      expect(await client.done('showGatewayBudget')).toMatchObject({
        circuit: { isOpen: true, cause: 'forbidden', retryAt: after(15 * 60_000) },
      });
    });

    test('lists the queues that wait because the gateway does not answer', async () => {
      const client = await apiClient(current.api);
      await orderFault('payments.create', { kind: 'html_502', processed: true });
      const body = { amountMillimes: 12_500, acceptCard: true };
      expect((await client.call('createPayment', { body })).status).toBe(202);
      expect(await client.done('showGatewayBudget')).toMatchObject({
        pausedQueues: [{ queue: 'payments', unanswered: 1, resumesAt: after(60_000) }],
      });
    });
  },
  { hasGateway: true },
);
