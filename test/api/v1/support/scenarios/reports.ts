import { OPERATOR } from '../../../../../src/identity';
import type { Api } from '../../../support/api';
import { importStatement, payoutLineIds } from '../a-statement';
import type { Scenario, Scenarios } from './scenario';

const withStatement = async (api: Api): Promise<Scenario> => {
  await importStatement(api);
  return { call: {} };
};

export const REPORT_SCENARIOS: Scenarios = {
  async showMorning(api) {
    await importStatement(api);
    await api.millime.reconciliation.run({ actor: OPERATOR, dryRun: false });
    return { call: {} };
  },
  async showTrends(api) {
    await importStatement(api);
    await api.millime.reconciliation.run({ actor: OPERATOR, dryRun: false });
    return { call: {} };
  },
  showDailyReport: withStatement,
  showAgingReport: withStatement,
  showClearingReport: withStatement,
  showAgentsReport: withStatement,
  showPayoutsReport: withStatement,
  async showPayout(api) {
    const [lineId = ''] = await payoutLineIds(api, await importStatement(api));
    return { call: { params: { lineId } } };
  },
  showFeesReport: withStatement,
  verifyLedger: withStatement,
  async exportLedger(api) {
    await importStatement(api);
    return { call: { query: { format: 'csv' } } };
  },
};
