import { beforeEach, describe, expect, test } from '@jest/globals';
import { describeApi } from '../support/api';
import { type ApiClient, apiClient } from './support/api-client';
import { anActiveSubscription } from './support/scenarios/subscriptions';

const REQUEST = { amountMillimes: 30_000, interval: 'month', name: 'Gold', reference: 'SUB-1' };

describeApi(
  'the operations on subscriptions',
  (current) => {
    let client: ApiClient;
    beforeEach(async () => {
      client = await apiClient(current.api);
    });

    describe('createSubscription', () => {
      test('answers 201 with the place of a new one, 200 for its reference, and reference_live for other terms', async () => {
        const first = await client.call('createSubscription', { body: REQUEST });
        const { trackingId } = first.body.subscription;
        expect([first.status, first.body.kind]).toEqual([201, 'created']);
        expect(first.headers.location).toBe(`/api/v1/subscriptions/${trackingId}`);
        const second = await client.call('createSubscription', { body: REQUEST });
        expect(second).toMatchObject({ status: 200, body: { kind: 'existing', subscription: { trackingId } } });
        const other = await client.problem('createSubscription', { body: { ...REQUEST, name: 'Silver' } });
        expect(other).toMatchObject({ code: 'reference_live', params: { trackingId } });
      });

      test('names a field that the gateway would not accept', async () => {
        const body = { ...REQUEST, amountMillimes: 1, maxCycles: 1 };
        const problem = await client.problem('createSubscription', { body });
        expect(problem).toMatchObject({ code: 'bad_input', params: { field: 'amountMillimes' } });
      });
    });

    describe('listSubscriptions', () => {
      test('filters by the state of the request, the status at the gateway and the reference', async () => {
        const active = await anActiveSubscription(current.api, 'SUB-1');
        await client.done('createSubscription', { body: { ...REQUEST, reference: 'SUB-2' } });
        const idsOf = async (query: Record<string, string>): Promise<string[]> =>
          (await client.done('listSubscriptions', { query })).data.map((each: { reference: string }) => each.reference);
        expect(await idsOf({ state: 'made' })).toEqual(['SUB-2', 'SUB-1']);
        expect(await idsOf({ state: 'refused' })).toEqual([]);
        expect(await idsOf({ status: 'active' })).toEqual(['SUB-1']);
        expect(await idsOf({ reference: 'SUB-2' })).toEqual(['SUB-2']);
        const { data } = await client.done('listCharges', { params: { id: 'SUB-1' } });
        expect(data).toMatchObject([{ paymentId: active.firstPaymentId, status: 'SUCCESS', amountMillimes: 30_000 }]);
      });
    });

    describe('verifySubscription', () => {
      test('answers the state at the gateway, which showSubscription then answers too', async () => {
        const { trackingId, subscriptionId = '' } = await anActiveSubscription(current.api, 'SUB-1');
        const shown = await client.done('showSubscription', { params: { id: 'SUB-1' } });
        expect(shown).toMatchObject({ trackingId, subscriptionId, status: 'active', cyclesCompleted: 1 });
        expect(await client.done('showSubscription', { params: { id: subscriptionId } })).toEqual(shown);
        const verified = await client.done('verifySubscription', { params: { id: trackingId } });
        expect(verified).toMatchObject({ kind: 'looked', retryAfterMs: null, subscription: { status: 'active' } });
        expect(await client.problem('verifySubscription', { params: { id: 'other' } })).toMatchObject({
          code: 'not_found',
        });
      });
    });
  },
  { hasGateway: true },
);
