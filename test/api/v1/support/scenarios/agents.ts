import { anAgent, register } from '../../../../support/factories';
import type { Api } from '../../../support/api';
import { audited, type Scenarios } from './scenario';

const params = { agentId: '004711' };

const withAgent = (api: Api): Promise<void> => register(api.millime, anAgent());

export const AGENT_SCENARIOS: Scenarios = {
  async searchAgents(api) {
    await withAgent(api);
    return { call: { body: { q: 'amal' } } };
  },
  async showAgent(api) {
    await withAgent(api);
    return { call: { params } };
  },
  async addAgent(api) {
    return {
      call: { body: { agentId: 'new', fullName: 'Nour', phone: '' } },
      other: { body: { agentId: 'another', fullName: 'Nour', phone: '' } },
      effect: () => audited(api, 'agent.added'),
    };
  },
  async closeAgent(api) {
    await withAgent(api);
    return {
      call: { params },
      other: { params: { agentId: 'another' } },
      effect: () => audited(api, 'agent.closed'),
    };
  },
  async eraseAgent(api) {
    await withAgent(api);
    return {
      call: { params, body: { reason: 'the person asked for it' } },
      other: { params, body: { reason: 'another reason' } },
      effect: () => audited(api, 'agent.erased'),
    };
  },
};
