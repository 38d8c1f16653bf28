import { connect } from 'node:net';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { documentToCsv, documentToJson, feesDocument } from '../../../src/reporting';
import { describeApi, describeApiOnOneDatabase } from '../support/api';
import { importStatement, payoutLineIds } from './support/a-statement';
import { type ApiClient, apiClient } from './support/api-client';

describeApi('the operations on reports and the ledger', (current) => {
  let client: ApiClient;
  beforeEach(async () => {
    client = await apiClient(current.api);
    await importStatement(current.api);
  });

  test('answer the document that the command line prints, as JSON and as CSV', async () => {
    const { reporting } = current.api.millime;
    const document = feesDocument(await reporting.fees({ from: '2026-02-01', to: '2026-02-28' } as never));
    const query = { from: '2026-02-01', to: '2026-02-28' };
    expect(await client.done('showFeesReport', { query })).toEqual(documentToJson(document));
    const { body, headers } = await client.call('showFeesReport', { query: { ...query, format: 'csv' } });
    expect(body).toBe(documentToCsv(document));
    expect(headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', etag: expect.any(String) });
  });

  test.each(['showDailyReport', 'showAgingReport', 'showClearingReport', 'showAgentsReport', 'showPayoutsReport'])(
    '%s answers a page without scripts, and CSV',
    async (operationId) => {
      const html = await client.call(operationId, { query: { format: 'html' } });
      expect(html.body).toMatch(/^<!doctype html>/i);
      expect(html.headers['content-security-policy']).toMatch(/^default-src 'none'.*sandbox$/);
      const csv = await client.call(operationId, { query: { format: 'csv' } });
      expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    },
  );

  test('answer the days of the command line if none is given', async () => {
    expect(await client.done('showDailyReport')).toMatchObject({ through: '2026-03-01' });
    expect(await client.done('showClearingReport', { query: { to: '2026-02-10' } })).toMatchObject({
      from: '2026-02-01',
      to: '2026-02-10',
    });
  });

  test.each([
    ['from after to', { from: '2026-02-02', to: '2026-02-01' }],
    ['a period of years', { from: '2016-02-02', to: '2026-02-01' }],
    ['a day that does not exist', { to: '2026-02-30' }],
  ])('refuse %s', async (_, query) => {
    for (const operationId of ['showFeesReport', 'showPayoutsReport']) {
      expect(await client.problem(operationId, { query })).toMatchObject({ code: 'bad_input' });
    }
  });

  test.each(['0000-01-01', '0001-01-01', '1000-01-01', '9999-12-31'])('answer the edge day %s', async (day) => {
    for (const operationId of ['showDailyReport', 'showAgingReport']) {
      expect((await client.call(operationId, { query: { through: day } })).status).toBeLessThan(500);
    }
    for (const operationId of ['showClearingReport', 'showFeesReport', 'showPayoutsReport', 'showAgentsReport']) {
      expect((await client.call(operationId, { query: { from: day, to: day } })).status).toBeLessThan(500);
    }
  });

  describe('showPayoutsReport', () => {
    test('answers the credits of the period with JSON that is written in pieces', async () => {
      const { api } = current;
      const { millime } = api;
      let text = '';
      const period = millime.reporting.usualPeriod();
      await millime.reporting.writePayouts(period, 'json', async (piece) => {
        text += piece;
        return true;
      });
      const { body, headers } = await client.call('showPayoutsReport');
      expect(body).toEqual(JSON.parse(text));
      expect(headers['transfer-encoding']).toBe('chunked');
    });
  });

  describe('showPayout', () => {
    test('answers one credit, and not_found for a line that is none', async () => {
      const [statement] = (await current.api.millime.statements.list({ limit: 1 })).rows;
      if (statement === undefined) throw new Error('no statement');
      const [lineId = ''] = await payoutLineIds(current.api, statement);
      expect(await client.done('showPayout', { params: { lineId } })).toMatchObject({ report: 'payouts' });
      const other = { params: { lineId: client.keyId } };
      expect(await client.problem('showPayout', other)).toMatchObject({ code: 'not_found' });
    });
  });

  describe('verifyLedger', () => {
    test('answers what holds and what is broken', async () => {
      const { invariants, broken } = await client.done('verifyLedger');
      expect([invariants > 10, broken]).toEqual([true, []]);
    });
  });

  describe('exportLedger', () => {
    test.each(['csv', 'hledger'] as const)('answers the whole ledger as %s, for download', async (format) => {
      let text = '';
      await current.api.millime.reporting.exportLedger(format, async (piece) => {
        text += piece;
        return true;
      });
      const { body, headers } = await client.call('exportLedger', { query: { format } });
      expect(body).toBe(text);
      expect(headers['content-disposition']).toMatch(/^attachment; filename="ledger\.(csv|journal)"/);
    });
  });
});

describeApiOnOneDatabase(
  'a body that is written in pieces',
  (current) => {
    const get = (keyText: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connect(current.api.port, '127.0.0.1');
        const chunks: Buffer[] = [];
        socket.on('data', (chunk) => chunks.push(chunk));
        socket.on('error', reject);
        socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
        const head = ['GET /api/v1/ledger/export?format=csv HTTP/1.1', 'Host: a', `Authorization: Bearer ${keyText}`];
        socket.write([...head, '', ''].join('\r\n'));
      });

    test('never appears complete if an error ends it', async () => {
      const { keyText } = await apiClient(current.api);
      const text = await get(keyText);
      expect(text).toMatch(/^HTTP\/1.1 200 OK/);
      expect(text).toContain('first piece');
      expect(text).not.toMatch(/\r\n0\r\n\r\n$/);
    });

    test('frees the place of the long operation, so that the next one is answered', async () => {
      const client = await apiClient(current.api);
      await get(client.keyText);
      expect((await client.done('verifyLedger')).broken).toEqual([]);
    });
  },
  {
    replace: ({ reporting }) => ({
      reporting: {
        ...reporting,
        async exportLedger(_format, write) {
          await write('first piece\n');
          throw new Error('the database is gone');
        },
      },
    }),
  },
);
