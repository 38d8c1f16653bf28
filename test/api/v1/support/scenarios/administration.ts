import { OPERATOR } from '../../../../../src/identity';
import { anAgent, register } from '../../../../support/factories';
import type { Api } from '../../../support/api';
import { audited, type Scenarios } from './scenario';

const createKey = ({ millime }: Api): Promise<{ readonly key: { readonly id: string } }> =>
  millime.identity.createKey({ name: 'omar', scopes: ['agents:read'], actor: OPERATOR, dryRun: false });

const mint = ({ millime }: Api): Promise<{ readonly jti: string }> =>
  millime.serviceTokens.mint({ subject: 'gateway', ttlSeconds: 3_600, actor: OPERATOR });

export const ADMINISTRATION_SCENARIOS: Scenarios = {
  showOwnKey: async () => ({ call: {} }),
  async listKeys(api) {
    await createKey(api);
    return { call: {} };
  },
  async createKey(api) {
    return {
      call: { body: { name: 'amal', scopes: ['agents:read'], ttlSeconds: 3_600 } },
      other: { body: { name: 'amal', scopes: ['agents:read', 'agents:write'] } },
      effect: () => audited(api, 'key.created'),
    };
  },
  async revokeKey(api) {
    const { key } = await createKey(api);
    const params = { keyId: key.id };
    return {
      call: { params, body: { reason: 'lost' } },
      other: { params, body: { reason: 'stolen' } },
      effect: () => audited(api, 'key.revoked'),
    };
  },
  async listAuditRecords(api) {
    await createKey(api);
    return { call: { query: { action: 'key.created' } } };
  },
  async listServiceTokens(api, client) {
    for (const idempotencyKey of ['one', 'two']) {
      await client.done('mintServiceToken', { body: { ttlSeconds: 60 }, idempotencyKey });
    }
    return { call: {} };
  },
  async mintServiceToken(api) {
    return {
      call: { body: { ttlSeconds: 60 } },
      other: { body: { ttlSeconds: 61 } },
      effect: () => audited(api, 'token.minted'),
    };
  },
  async revokeServiceToken(api) {
    const { jti } = await mint(api);
    return {
      call: { params: { jti } },
      other: { params: { jti: 'another' } },
      effect: () => audited(api, 'token.revoked'),
    };
  },
  async rotateServiceTokenKeys(api) {
    return {
      call: { body: {} },
      other: { body: { retire: true } },
      effect: () => audited(api, 'token.rotated'),
    };
  },
  listJobs: async () => ({ call: {} }),
  showGatewayBudget: async () => ({ call: {} }),
  async diagnose(api) {
    await register(api.millime, anAgent());
    return { call: {} };
  },
};
