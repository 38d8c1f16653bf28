import { expect, test } from '@jest/globals';
import supertest from 'supertest';
import { createApp } from '../../src/app';
import { describeApi } from './support/api';

// Goal: an operator's probe tells a process that lives from one that can answer the gateway.

describeApi('the probes', (current) => {
  test('healthz says that the process lives', async () => {
    const { status, body, headers } = await supertest(createApp(current.api.millime)).get('/healthz');
    expect({ status, body }).toEqual({ status: 200, body: { status: 'ok' } });
    expect(headers['cache-control']).toBe('no-store');
  });

  test('readyz says that the database answers', async () => {
    const { status, body } = await supertest(createApp(current.api.millime)).get('/readyz');
    expect({ status, body }).toEqual({ status: 200, body: { status: 'ready' } });
  });

  test('readyz is 503 while the database does not answer, and healthz still 200', async () => {
    const app = createApp({ ...current.api.millime, isReady: async () => false });
    const ready = await supertest(app).get('/readyz');
    expect({ status: ready.status, body: ready.body }).toEqual({ status: 503, body: { error: 'not_ready' } });
    expect(ready.headers['retry-after']).toMatch(/^\d+$/);
    await supertest(app).get('/healthz').expect(200);
  });

  test.each(['/healthz', '/readyz'])('%s takes GET and HEAD only', async (path) => {
    const { status, headers, body } = await supertest(createApp(current.api.millime)).post(path);
    expect({ status, allow: headers['allow'], body }).toEqual({
      status: 405,
      allow: 'GET, HEAD',
      body: { error: 'method_not_allowed' },
    });
  });
});
