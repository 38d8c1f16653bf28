import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import supertest from 'supertest';
import { silentLogger } from '../../src/logging';
import { type Metrics, metricsHandler } from '../../src/metrics';
import { samplesOf } from '../integration/metrics/samples-of';
import { aDue, anAgent, assess, register } from '../support/factories';
import { describeApi } from './support/api';

// Goal: every answered request is counted once under its template, and no path, id or token reaches a label.

const HINT_TOKEN = 'an-unguessable-part-of-the-path-0123456789';
const GATEWAY = {
  GATEWAY_BASE_URL: 'http://127.0.0.1:9',
  GATEWAY_PUBLIC_KEY: 'pk_test',
  GATEWAY_PRIVATE_KEY: 'sk_test',
  HINT_TOKEN,
};

describeApi(
  'the metrics of a server',
  (current) => {
    const metricsOf = (): Metrics => {
      const { metrics } = current.api.millime;
      if (metrics === undefined) throw new Error('METRICS_PORT is set');
      return metrics;
    };
    /** What a test added to a counter, as earlier tests of the file count on the same server. */
    async function added(work: () => Promise<unknown>): Promise<(name: string) => number> {
      const read = async (): Promise<ReadonlyMap<string, number>> => samplesOf(await metricsOf().scrape());
      const before = await read();
      await work();
      const after = await read();
      return (name) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    }

    test('count checks and confirms by template, code and outcome', async () => {
      const { api } = current;
      await register(api.millime, anAgent());
      await assess(api.millime, aDue());
      const count = await added(async () => {
        await api.check('004711');
        await api.check('no-such-agent');
        await api.confirm({ transactionId: 'T1', agentId: '004711', amount: 1_000 });
        await api.confirm({ transactionId: 'T1', agentId: '004711', amount: 1_000 });
        await api.confirm({ transactionId: 'T2', agentId: 'nobody', amount: 1_000 });
        await api.call({ path: '/service/confirm', headers: { Authorization: 'Bearer wrong' } });
        await api.call({ path: '/service/x/y' });
      });
      expect(count('millime_http_requests_total{route="/service/check/{agentId}",method="GET",code="200"}')).toBe(2);
      expect(count('millime_http_requests_total{route="/service/confirm",method="POST",code="200"}')).toBe(3);
      expect(count('millime_http_requests_total{route="/service/confirm",method="GET",code="403"}')).toBe(1);
      expect(count('millime_http_requests_total{route="other",method="GET",code="404"}')).toBe(1);
      expect(count('millime_http_request_seconds_count{route="/service/confirm"}')).toBe(4);
      expect(count('millime_http_request_seconds_bucket{route="/service/confirm",le="+Inf"}')).toBe(4);
      expect(count('millime_confirms_total{outcome="stored",code="0"}')).toBe(1);
      expect(count('millime_confirms_total{outcome="duplicate_transaction",code="3"}')).toBe(1);
      expect(count('millime_confirms_total{outcome="unknown_agent",code="1"}')).toBe(1);
      expect(count('millime_confirm_batch_size_sum')).toBe(3);
    });

    test('S18, S20: count the other routes by template, without the token of a hint', async () => {
      const { api } = current;
      const count = await added(async () => {
        await api.call({ path: '/healthz' });
        await api.call({ path: '/wp-admin/SECRET' });
        await api.call({ method: 'POST', path: `/webhooks/hint/${HINT_TOKEN}/pos`, body: '{}' });
        await api.call({ method: 'POST', path: '/webhooks/payment', body: '{}' });
      });
      expect(count('millime_http_requests_total{route="/healthz",method="GET",code="200"}')).toBe(1);
      expect(count('millime_http_requests_total{route="other",method="GET",code="404"}')).toBe(1);
      expect(count('millime_http_requests_total{route="/webhooks/hint/{token}/{kind}",method="POST",code="200"}')).toBe(
        1,
      );
      expect(count('millime_http_requests_total{route="/webhooks/payment",method="POST",code="401"}')).toBe(1);
      expect(await metricsOf().scrape()).not.toMatch(/SECRET|wp-admin|unguessable|004711|nobody/);
    });

    test('S12: are not served by the listener of the gateway', async () => {
      expect((await current.api.call({ path: '/metrics' })).status).toBe(404);
    });

    test('are served by GET /metrics alone', async () => {
      const listener = createServer(metricsHandler(metricsOf(), silentLogger));
      const { status, headers, text } = await supertest(listener).get('/metrics');
      expect({ status, type: headers['content-type'], cache: headers['cache-control'] }).toEqual({
        status: 200,
        type: 'text/plain; version=0.0.4; charset=utf-8',
        cache: 'no-store',
      });
      expect(text).toContain('millime_database_up 1');
      const { headers: refused } = await supertest(listener).post('/metrics').expect(405);
      expect(refused['allow']).toBe('GET');
      await supertest(listener).get('/').expect(404);
      await supertest(listener).get('/metrics/x').expect(404);
    });
  },
  { environment: { METRICS_PORT: '0', ...GATEWAY } },
);
