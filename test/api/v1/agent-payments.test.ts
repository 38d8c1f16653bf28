import { expect, test } from '@jest/globals';
import { anAgent, register } from '../../support/factories';
import { describeApi, NOW } from '../support/api';
import { apiClient } from './support/api-client';

describeApi('listAgentPayments', (current) => {
  test('answers by when the bank should have a payment, and none for a refused call', async () => {
    const { api } = current;
    await register(api.millime, anAgent());
    expect(await api.confirmCode({ transactionId: 'TX-1', agentId: '004711', amount: 2_000 })).toBe('0');
    expect(await api.confirmCode({ transactionId: 'TX-2', agentId: '004711', amount: 0 })).not.toBe('0');
    api.setClock('2026-03-02T10:00:00.000Z');
    const client = await apiClient(api);
    const { data } = await client.done('listAgentPayments', { params: { agentId: '004711' } });
    const [due] = await api.millime.reconciliation.dueItems(['service:TX-1']);
    const ofState = (state: string) => data.filter((row: { state: string }) => row.state === state);
    expect(ofState('expected')).toMatchObject([
      {
        itemId: 'service:TX-1',
        confirmedAt: NOW,
        expected: { usuallyOn: due?.usuallyOn, latestOn: due?.dueOn, late: false },
      },
    ]);
    expect(ofState('refused')).toMatchObject([{ transactionId: 'TX-2' }]);
  });
});
