import { businessDate } from '../../../../../src/kernel';
import { BY_TEST } from '../../../../support/factories';
import { ITEMS, ITEMS_SUM, OTHER_TEXT, withCredits, withMatch, withRun } from './credit-world';
import { audited, type Scenarios } from './scenario';

const reason = 'the contract states it';

export const CREDIT_SCENARIOS: Scenarios = {
  async listCredits(api) {
    await withCredits(api, [10_000, 2_500]);
    return { call: { query: { outcome: 'waiting,break', from: '2026-03-01' } } };
  },
  async listUnpaidItems(api) {
    await withRun(api);
    await api.confirmCode({ transactionId: 'TX-4', agentId: '004711', amount: 900 });
    await api.millime.reconciliation.run({ through: businessDate('2026-03-06'), ...BY_TEST });
    return { call: { query: { channel: 'agent', state: 'pending' } } };
  },
  async sumUnpaidItems(api) {
    const [creditId = ''] = await withCredits(api, [10_000]);
    return { call: { query: { channel: 'agent', creditId } } };
  },
  async markPayouts(api) {
    await withCredits(api, [10_000, 2_500], OTHER_TEXT);
    const { rows } = await api.millime.statements.list({ limit: 1 });
    const choice = { statementId: rows[0]?.statement.id };
    return {
      call: { body: { choice, text: 'passerelle', isPayout: true, reason } },
      other: { body: { choice, text: 'passerelle', isPayout: false, reason } },
      effect: () => audited(api, 'payouts.marked'),
    };
  },
  async showCredit(api) {
    return { call: { params: { lineId: await withMatch(api) } } };
  },
  async listCreditItems(api) {
    return { call: { params: { lineId: await withMatch(api) } } };
  },
  async listCandidates(api) {
    const [lineId = ''] = await withCredits(api, [12_400]);
    return { call: { params: { lineId } } };
  },
  async tryMatch(api) {
    const [lineId = ''] = await withCredits(api, [ITEMS_SUM]);
    return { call: { params: { lineId }, body: { itemIds: ITEMS } } };
  },
  async matchCredit(api) {
    const [lineId = ''] = await withCredits(api, [ITEMS_SUM]);
    const items = { itemIds: ITEMS };
    return {
      call: { params: { lineId }, body: { items, reason } },
      other: { params: { lineId }, body: { items, reason: 'another reason' } },
      effect: () => audited(api, 'payout.matched'),
    };
  },
  async unmatchCredit(api) {
    const lineId = await withMatch(api);
    return {
      call: { params: { lineId }, body: { reason } },
      other: { params: { lineId }, body: { reason: 'another reason' } },
      effect: () => audited(api, 'payout.unmatched'),
    };
  },
};
