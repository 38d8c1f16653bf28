import { expect, test } from '@jest/globals';
import supertest from 'supertest';
import { createApp } from '../../src/app';
import { describeApi } from './support/api';

// Goal: an operator's probe tells a process that lives from one that can answer the gateway.

describeApi('the probes', (current) => {
  test('healthz is 200 while the process lives', async () => {
    const { status, body, headers } = await supertest(createApp(current.api.millime)).get('/healthz');
    expect({ status, body }).toEqual({ status: 200, body: { status: 'ok' } });
    expect(headers['cache-control']).toBe('no-store');
  });

  test('readyz is 200 if the database is readable, current and writable', async () => {
    const { status, body } = await supertest(createApp(current.api.millime)).get('/readyz');
    expect({ status, body }).toEqual({ status: 200, body: { status: 'ready' } });
  });

  test.each(['draining', 'database', 'migrations'] as const)(
    'readyz is 503 with the word %s, and healthz still 200',
    async (reason) => {
      const app = createApp({ ...current.api.millime, readiness: async () => reason });
      const ready = await supertest(app).get('/readyz');
      expect({ status: ready.status, body: ready.body }).toEqual({ status: 503, body: { error: reason } });
      expect(ready.headers['retry-after']).toMatch(/^\d+$/);
      expect(ready.headers['cache-control']).toBe('no-store');
      await supertest(app).get('/healthz').expect(200);
    },
  );

  test('healthz is 200 while nothing else works', async () => {
    const readiness = (): Promise<never> => Promise.reject(new Error('nothing works'));
    const app = createApp({ ...current.api.millime, readiness });
    await supertest(app).get('/healthz').expect(200);
    await supertest(app).get('/readyz').expect(503);
  });

  test('readyz answers HEAD like GET, without the body', async () => {
    const app = createApp(current.api.millime);
    const [get, head] = [await supertest(app).get('/readyz'), await supertest(app).head('/readyz')];
    expect(head.status).toBe(200);
    expect(head.text).toBeUndefined();
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  test.each(['/healthz', '/readyz'])('%s allows only GET and HEAD', async (path) => {
    const { status, headers, body } = await supertest(createApp(current.api.millime)).post(path);
    expect({ status, allow: headers['allow'], body }).toEqual({
      status: 405,
      allow: 'GET, HEAD',
      body: { error: 'method_not_allowed' },
    });
  });
});
