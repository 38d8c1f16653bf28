import type { Api } from '../../../support/api';
import { audited, type Scenarios } from './scenario';

/** Stores two hints and returns the id of the newer one. */
async function withHints({ millime: { webhooks } }: Api): Promise<string> {
  await webhooks.receiveHint('pos', Buffer.from('{}'));
  await webhooks.receiveHint('payout', Buffer.from('{"payout":1}'));
  const [newest] = (await webhooks.list({ limit: 1 })).rows;
  if (newest === undefined) throw new Error('the hints were not stored');
  return newest.id;
}

export const WEBHOOK_SCENARIOS: Scenarios = {
  async listWebhooks(api) {
    await withHints(api);
    return { call: { query: { family: 'hint', state: 'received,parked' } } };
  },
  async showWebhook(api) {
    return { call: { params: { webhookId: await withHints(api) } } };
  },
  async replayWebhook(api) {
    const params = { webhookId: await withHints(api) };
    return {
      call: { params },
      other: { params: { webhookId: '01KJQ0Z8XG3T5V7W9Y1B2C4D6F' } },
      effect: () => audited(api, 'webhook.replayed'),
    };
  },
  diagnoseWebhook: async () => ({ call: { body: { request: 'POST /webhooks/payment\n\n{}' } } }),
};
