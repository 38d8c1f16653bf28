import { beforeEach, expect, test } from '@jest/globals';
import { anAgent, register } from '../../support/factories';
import { describeApi, NOW } from '../support/api';
import { apiClient } from './support/api-client';
import { aPaidPayment } from './support/scenarios/payments';

// Goal: a client sees what happened to a payment of an attempt or of an agent, with typed facts and their origin.
// Method: the server with a simulated gateway, whose customers pay. The kinds decide the order of one instant.

describeApi(
  'listPaymentTimeline',
  (current) => {
    // Tests move the clock.
    beforeEach(() => current.api.setClock(NOW));

    test('lists the request, the check, the refund and the postings of a link', async () => {
      const { api } = current;
      const client = await apiClient(api);
      const { trackingId, gatewayId, itemId } = await aPaidPayment(api);
      await client.done('refundPayment', { params: { id: trackingId } });
      const { data } = await client.done('listPaymentTimeline', { params: { id: gatewayId ?? '' } });
      const ofKind = (kind: string) => data.filter((entry: { kind: string }) => entry.kind === kind);
      expect(data[0]).toEqual({
        kind: 'requested',
        at: NOW,
        from: { thing: 'payment', id: trackingId },
        facts: { attemptKind: 'standard', reference: null, amountMillimes: 12_500, by: 'test' },
      });
      expect(ofKind('sent')).toMatchObject([{ facts: { requestState: 'made', gatewayId } }]);
      expect(ofKind('paid')).toMatchObject([{ facts: { amountMillimes: 12_500 } }]);
      expect(ofKind('status_observed')).toMatchObject([
        { from: { thing: 'observation' }, facts: { call: 'verify', status: 'SUCCESS' } },
      ]);
      expect(ofKind('operation_requested')).toMatchObject([{ facts: { operation: 'refund', by: 'salma' } }]);
      expect(ofKind('operation_ended')).toMatchObject([{ facts: { operation: 'refund', state: 'done' } }]);
      expect(ofKind('posted')).toMatchObject([
        {
          from: { thing: 'ledger_transaction' },
          facts: { code: 'payment', reference: itemId, amountMillimes: 12_500 },
        },
        { facts: { code: 'refund', amountMillimes: 12_500 } },
      ]);
    });

    test('ends with the last expected day of a confirm that no credit paid', async () => {
      const { api } = current;
      await register(api.millime, anAgent());
      expect(await api.confirmCode({ transactionId: 'TX-1', agentId: '004711', amount: 2_000 })).toBe('0');
      api.setClock('2026-03-02T10:00:00.000Z');
      const client = await apiClient(api);
      const { data } = await client.done('listPaymentTimeline', { params: { id: 'TX-1' } });
      const shown = await client.done('showPayment', { params: { id: 'TX-1' } });
      expect(data.map(({ kind }: { kind: string }) => kind)).toEqual(['confirmed', 'posted', 'expected_at_bank']);
      expect(data[2]).toMatchObject({
        from: { thing: 'item', id: 'service:TX-1' },
        facts: { latestOn: shown.money.expectedBy, late: false },
      });
      expect(data[2].at > `${shown.money.expectedBy}T12`).toBe(true);
    });

    test('refuses an id that names no payment', async () => {
      const client = await apiClient(current.api);
      const problem = await client.problem('listPaymentTimeline', { params: { id: 'NONE' } });
      expect(problem).toMatchObject({ code: 'not_found', status: 404 });
    });
  },
  { hasGateway: true },
);
