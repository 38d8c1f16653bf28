import { millimes } from '../../../../../src/kernel';
import { aDue, anAgent, assess, register } from '../../../../support/factories';
import type { Api } from '../../../support/api';
import { audited, type Scenarios } from './scenario';

const params = { agentId: '004711' };

const withAgents = (api: Api): Promise<void> =>
  register(api.millime, anAgent(), anAgent({ agentId: '004712', fullName: 'Amine Gharbi' }));

const withDues = async (api: Api): Promise<void> => {
  await withAgents(api);
  await assess(api.millime, aDue({ reference: 'D-1', amount: millimes(700) }), aDue({ reference: 'D-2' }));
};

const csv = (...lines: readonly string[]): Buffer => Buffer.from(lines.join('\n'));

export const AGENT_SCENARIOS: Scenarios = {
  async searchAgents(api) {
    await withAgents(api);
    return { call: { body: { q: 'amal' } } };
  },
  async listAgents(api) {
    await withAgents(api);
    return { call: { query: { status: 'open' } } };
  },
  async showAgent(api) {
    await withAgents(api);
    return { call: { params } };
  },
  async listDuesOfAgent(api) {
    await withDues(api);
    return { call: { params, query: { inForce: true } } };
  },
  async listAgentPayments(api) {
    await withAgents(api);
    await api.confirmCode({ transactionId: 'T-1', agentId: '004711', amount: 700 });
    await api.confirmCode({ transactionId: 'T-2', agentId: '004711', amount: 800 });
    return { call: { params } };
  },
  async listAgentMovements(api) {
    await withDues(api);
    return { call: { params } };
  },
  async addAgent(api) {
    return {
      call: { body: { agentId: 'new', fullName: 'Nour', phone: '' } },
      other: { body: { agentId: 'another', fullName: 'Nour', phone: '' } },
      effect: () => audited(api, 'agent.added'),
    };
  },
  async importAgents(api) {
    return {
      call: { body: csv('agent_id,full_name,phone', 'a-1,Nour,') },
      other: { body: csv('agent_id,full_name,phone', 'a-2,Nour,') },
      effect: () => audited(api, 'agents.imported'),
    };
  },
  async closeAgent(api) {
    await withAgents(api);
    return {
      call: { params },
      other: { params: { agentId: '004712' } },
      effect: () => audited(api, 'agent.closed'),
    };
  },
  async eraseAgent(api) {
    await withAgents(api);
    return {
      call: { params, body: { reason: 'the person asked for it' } },
      other: { params, body: { reason: 'another reason' } },
      effect: () => audited(api, 'agent.erased'),
    };
  },
  async importDues(api) {
    await withAgents(api);
    const head = 'reference,agent_id,amount_millimes,due_date,memo';
    return {
      call: { body: csv(head, 'D-9,004711,1500,2026-03-02,') },
      other: { body: csv(head, 'D-9,004711,1501,2026-03-02,') },
      effect: () => audited(api, 'dues.imported'),
    };
  },
  async cancelDue(api) {
    await withDues(api);
    return {
      call: { params: { reference: 'D-1' }, body: { reason: 'assessed twice' } },
      other: { params: { reference: 'D-2' }, body: { reason: 'assessed twice' } },
      effect: () => audited(api, 'due.cancelled'),
    };
  },
};
