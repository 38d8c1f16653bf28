import { businessDate, millimes } from '../../../../../src/kernel';
import { BY_TEST } from '../../../../support/factories';
import { count } from '../../../support/api';
import { withCredits, withRun } from './credit-world';
import { audited, type Scenarios } from './scenario';

const reason = 'the contract states it';
const rule = {
  channel: 'agent',
  rate_ppm: 15_000,
  fixed_millimes: 0,
  tva_ppm: 190_000,
  rounding: 'half_up',
  basis: 'item',
};

export const RUN_SCENARIOS: Scenarios = {
  async listRuns(api) {
    await withRun(api);
    await api.millime.reconciliation.run({ through: businessDate('2026-03-04'), ...BY_TEST });
    return { call: {} };
  },
  async listFeeSchedules(api) {
    const given = { channel: 'agent', ratePpm: 1, fixedMillimes: millimes(0), tvaPpm: 0 } as const;
    const rules = [{ ...given, rounding: 'down', basis: 'item' } as const];
    await api.millime.reconciliation.giveFees({ rules, reason, ...BY_TEST });
    await api.millime.reconciliation.giveFees({ rules: [], reason, ...BY_TEST });
    return { call: {} };
  },
  async showRun(api) {
    return { call: { params: { runId: await withRun(api) } } };
  },
  async runReconciliation(api) {
    await withCredits(api, [12_400]);
    return {
      call: { body: { through: '2026-03-05' } },
      other: { body: { through: '2026-03-04' } },
      effect: () => count(api.millime, 'recon_runs'),
    };
  },
  async replayRun(api) {
    return { call: { params: { runId: await withRun(api) } } };
  },
  async setFees(api) {
    return {
      call: { body: { rules: [rule, { ...rule, from: '2026-04-01', rate_ppm: 12_000 }], reason } },
      other: { body: { rules: [], reason } },
      effect: () => audited(api, 'fees.given'),
    };
  },
  async confirmFees(api) {
    await api.millime.database.transact(async (session) => {
      const learned = { id: '0'.repeat(26), rules: '[]', run_id: '', credits: '[]', recorded_at: 0 };
      await session('payout_fee_schedules').insert({ ...learned, recorded_by: 'test' });
    });
    return {
      call: { body: { reason } },
      other: { body: { reason: 'another reason' } },
      effect: () => audited(api, 'fees.confirmed'),
    };
  },
};
