import { OPERATOR } from '../../../../../src/identity';
import type { Api } from '../../../support/api';
import { audited, type Scenarios } from './scenario';

const PLACE = { way: 'email', address: 'finance@bank.example', kinds: ['high_break'], language: 'ar' } as const;

/** Adds a recipient of the person who asks. */
async function add({ millime }: Api, keyId: string): Promise<{ recipientId: string }> {
  const { name, scopes } = await millime.identity.findKey(keyId);
  const actor = { kind: 'api_key', name, keyId, scopes } as const;
  return { recipientId: (await millime.notifications.add({ ...PLACE, actor })).recipient.id };
}

const other = { params: { recipientId: 'another' } };

export const NOTIFICATION_SCENARIOS: Scenarios = {
  async listNotificationRecipients(api, { keyId }) {
    const { recipientId } = await add(api, keyId);
    await api.millime.notifications.test(recipientId, OPERATOR);
    return { call: {} };
  },
  async addNotificationRecipient(api) {
    const body = { ...PLACE, way: 'webhook', address: 'https://bank.example/millime' };
    return {
      call: { body },
      other: { body: { ...body, kinds: ['failed_job'] } },
      effect: () => audited(api, 'recipient.added'),
    };
  },
  removeNotificationRecipient: async (api, { keyId }) => ({ call: { params: await add(api, keyId) } }),
  async testNotificationRecipient(api, { keyId }) {
    return { call: { params: await add(api, keyId) }, other, effect: () => audited(api, 'recipient.tested') };
  },
};
