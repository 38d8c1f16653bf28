import { beforeEach, describe, expect, test } from '@jest/globals';
import { KEY, paymentBody, signedPost } from '../../unit/webhooks/signed-webhook';
import { describeApi } from '../support/api';
import { type ApiClient, apiClient } from './support/api-client';

const GATEWAY = {
  GATEWAY_BASE_URL: 'http://127.0.0.1:9',
  GATEWAY_PUBLIC_KEY: 'pk_test',
  GATEWAY_PRIVATE_KEY: KEY,
};
const SENT_AT = Date.parse('2026-03-02T09:00:00.000Z');

describeApi(
  'the operations on webhooks',
  (current) => {
    let client: ApiClient;
    beforeEach(async () => {
      client = await apiClient(current.api);
    });

    const received = async (): Promise<string> => {
      const { webhooks } = current.api.millime;
      await webhooks.receive(signedPost(paymentBody(), { at: SENT_AT }));
      await webhooks.receiveHint('payout', Buffer.from('{}'));
      return (await client.done('listWebhooks', { query: { paymentId: 'pay_1' } })).data[0].id;
    };

    test('show an entry without its content, and not_found for another id', async () => {
      const webhookId = await received();
      const shown = await client.done('showWebhook', { params: { webhookId } });
      expect(shown).toMatchObject({
        ...{ id: webhookId, family: 'payment_v2', proof: 'authentic', state: 'received', paymentId: 'pay_1' },
        contentBytes: Buffer.byteLength(paymentBody()),
        signedAt: '2026-03-02T09:00:00.000Z',
      });
      expect(shown).not.toHaveProperty('content');
      const other = { params: { webhookId: client.keyId } };
      expect(await client.problem('showWebhook', other)).toMatchObject({ code: 'not_found' });
    });

    test('list the entries of a family and of one of several states', async () => {
      await received();
      const list = async (query: Record<string, string>) =>
        (await client.done('listWebhooks', { query })).data.map(({ family }: { family: string }) => family);
      expect(await list({ family: 'payment_v2' })).toEqual(['payment_v2']);
      expect((await list({ state: 'received,done' })).sort()).toEqual(['hint', 'payment_v2']);
      expect(await list({ state: 'done' })).toEqual([]);
    });

    test('replay an entry and record who did it', async () => {
      const webhookId = await received();
      await client.done('replayWebhook', { params: { webhookId } });
      const { data } = await client.done('listAuditRecords', { query: { subject: `webhook:${webhookId}` } });
      expect(data).toMatchObject([{ action: 'webhook.replayed', actor: { name: 'salma' } }]);
    });

    describe('diagnoseWebhook', () => {
      const diagnose = (request: string, at?: string) => client.done('diagnoseWebhook', { body: { request, at } });
      const { target, headers, rawBody } = signedPost(paymentBody(), { at: SENT_AT });
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
      const pasted = [`POST ${target}`, ...lines, '', Buffer.from(rawBody ?? []).toString()].join('\n');

      test('explains a request of now and of another time', async () => {
        expect(await diagnose(pasted)).toMatchObject({ verdict: 'authentic', cause: 'authentic' });
        expect(await diagnose(pasted, '2026-03-02T11:00:00+01:00')).toMatchObject({ cause: 'clock_skew' });
        expect(await diagnose(pasted.replace('pay_1', 'pay_2'))).toMatchObject({ verdict: 'rejected' });
      });

      test.each([
        ['no request', 'hello'],
        ['nothing', ''],
        ['a text of more than 64 KiB', `POST /webhooks/payment\n\n${'é'.repeat(32 * 1_024)}`],
        ['a lone surrogate', 'POST /webhooks/payment\n\n\ud800'],
      ])('refuses %s and names the field', async (_, request) => {
        const problem = await client.problem('diagnoseWebhook', { body: { request } });
        expect(problem).toMatchObject({ code: 'bad_input', errors: [{ pointer: '/request' }] });
      });

      test('reads a text of 64 KiB, however JSON writes it', async () => {
        const request = `POST /webhooks/payment\n\n${'\u0001'.repeat(60 * 1_024)}`;
        expect(await diagnose(request)).toMatchObject({ verdict: 'rejected' });
      });
    });
  },
  { environment: GATEWAY },
);
