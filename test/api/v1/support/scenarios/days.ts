import { businessDate } from '../../../../../src/kernel';
import { BY_TEST } from '../../../../support/factories';
import { MONDAY, withClosedDay, withRun } from './credit-world';
import { audited, type Scenarios } from './scenario';

const params = { date: MONDAY };
const reason = 'a late statement came';

export const DAY_SCENARIOS: Scenarios = {
  async listDays(api) {
    await withClosedDay(api);
    await api.millime.dayClosing.close({ date: businessDate('2026-03-03'), reason, ...BY_TEST });
    return { call: {} };
  },
  async verifySeals(api) {
    await withClosedDay(api);
    return { call: {} };
  },
  async showDay(api) {
    await withClosedDay(api);
    return { call: { params } };
  },
  async proveDay(api) {
    await withRun(api);
    return { call: { params, body: {} } };
  },
  async closeDay(api) {
    await withRun(api);
    return {
      call: { params, body: { reason } },
      other: { params, body: { reason: 'another reason' } },
      effect: () => audited(api, 'day.closed'),
    };
  },
  async proposeReopening(api) {
    await withClosedDay(api);
    return {
      call: { params, body: { reason } },
      other: { params, body: { reason: 'another reason' } },
      effect: () => audited(api, 'day.reopening_proposed'),
    };
  },
  async approveReopening(api) {
    await withClosedDay(api);
    await api.millime.dayClosing.proposeReopening({ date: businessDate(MONDAY), reason, ...BY_TEST });
    return {
      call: { params },
      other: { params: { date: '2026-03-03' } },
      effect: () => audited(api, 'day.reopened'),
    };
  },
};
