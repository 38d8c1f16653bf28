// Goal: finance reads the figures of the last day that a run cut off, its plots and its files; others begin elsewhere.
// Method: requests of a browser without scripts, on both databases.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { OPERATOR } from '../../src/identity';
import { importStatement } from '../api/v1/support/a-statement';
import { anAgent, register } from '../support/factories';
import { describeConsole, person, type Visitor } from './support/visitor';

describeConsole('the pages of the morning', (current) => {
  let salma: Visitor;
  beforeEach(async () => {
    salma = await person(current.api);
  });

  test('say how to begin before the first run', async () => {
    for (const path of ['/console', '/console/figures']) {
      const page = await salma.get(path);
      expect(page.status).toBe(200);
      expect(page.text).toContain('No day cut off yet');
    }
  });

  describe('after a run', () => {
    beforeEach(async () => {
      await importStatement(current.api, { lines: [['27/02/2026', 'VIR RECU SERVICE DE PAIEMENT SA', 150_000]] });
      await current.api.millime.reconciliation.run({ actor: OPERATOR, dryRun: false });
    });

    test('show the day, its cut-off, and what came since', async () => {
      const page = await salma.get('/console');
      expect(page).toMatchObject({ status: 200, heading: 'This morning' });
      expect(page.text).toContain('Confirmed on 01/03');
      expect(page.text).toContain('Since the cut-off, in none of the figures above');
      expect(page.source).toContain('href="/console/credits?to=2026-03-01"');
      expect(page.source).not.toMatch(/ style=|<style|<script(?! src)/);
    });

    test('count the credits behind their link, and no more once a person matched one', async () => {
      const { reconciliation } = current.api.millime;
      const open = await salma.get('/console');
      expect(open.text).toContain('To explain 1 credit 150,000 DT');
      const { rows, links } = await salma.get('/console/credits?to=2026-03-01');
      expect(rows).toHaveLength(1);
      const lineId =
        links
          .find(({ href }) => /credits\/\w{26}$/.test(href))
          ?.href.split('/')
          .at(-1) ?? '';
      await register(current.api.millime, anAgent());
      await current.api.confirmCode({ transactionId: 'TX-1', agentId: '004711', amount: 150_000 });
      await reconciliation.match({ lineId, items: ['service:TX-1'], reason: 'seen', actor: OPERATOR, dryRun: false });
      const done = await salma.get('/console');
      expect(done.text).toContain('To explain 0 credits ✓ Nothing to do');
      expect((await salma.get('/console/credits?to=2026-03-01')).rows).toEqual([]);
    });

    test('lead to the day before, and refuse a day that no run has cut off', async () => {
      const before = await salma.get('/console?day=2026-02-28');
      expect(before.text).toContain('Confirmed on 28/02');
      expect(before.text).toContain('No run cut off this day when it ended.');
      expect((await salma.get('/console?day=2026-03-02')).status).toBe(400);
    });

    test('plot the figures, each plot with a title and its table', async () => {
      const page = await salma.get('/console/figures');
      const plots = page.source.match(/<svg [^>]*role="img"/g) ?? [];
      // Only the credit by day: nothing was received, expected or matched, and no break is open.
      expect(plots).toHaveLength(1);
      expect(page.source.match(/<figure class="plot">/g)).toHaveLength(plots.length);
      expect(page.source.match(/<\/svg><\/div><\/div><details>/g)).toHaveLength(plots.length);
    });

    test('begin at the first day with a figure, and show a week at least', async () => {
      const { rows } = await salma.get('/console/figures');
      expect(rows).toHaveLength(7);
      expect([rows[0]?.[0], rows[6]?.[0]]).toEqual(['01/03/2026', '23/02/2026']);
    });

    test('show the report of a day once a person asks, and its files', async () => {
      const list = await salma.get('/console/reports');
      expect(list.text).not.toContain('adds up');
      const shown = await salma.get('/console/reports?from=2026-02-01&to=2026-02-28');
      expect(shown.text).toContain('The report adds up.');
      expect(shown.source).toContain('/console/reports/clearing/csv?from=2026-02-01&amp;to=2026-02-28');
    });
  });

  test.each([
    ['/console/reports/clearing/csv?from=2026-02-01&to=2026-02-28', 'clearing-2026-02-01-2026-02-28.csv', 'text/csv'],
    ['/console/reports/daily/html?to=2026-02-28', 'daily-2026-02-28.html', 'text/html'],
    ['/console/reports/payouts/csv', 'payouts.csv', 'text/csv'],
    ['/console/exports/ledger/hledger', 'ledger.journal', 'text/plain'],
  ])('download %s as an attachment', async (path, name, type) => {
    const answer = await salma.raw('GET', path);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-disposition']?.replaceAll('"', '')).toMatch(`attachment; filename=${name}`);
    expect(answer.headers['content-type']).toContain(type);
  });

  test.each([
    ['en', 'The report adds up.'],
    ['fr', 'Le rapport est juste.'],
    ['ar', 'Le rapport est juste.'],
  ] as const)('have pages to store that someone reads in %s', async (language, verdict) => {
    const reader = await person(current.api, { name: `reader-${language}`, roles: ['finance'], language });
    const { text } = await reader.raw('GET', '/console/reports/clearing/html?from=2026-02-01&to=2026-02-28');
    expect(text).toContain(verdict);
  });

  test.each(['/console/reports/nonesuch/csv', '/console/reports/fees/pdf', '/console/exports/ledger/xlsx'])(
    'have no file %s',
    async (path) => {
      expect((await salma.get(path)).status).toBe(404);
    },
  );

  test('refuse a file of a period that does not exist', async () => {
    const page = await salma.get('/console/reports/fees/csv?from=2026-02-30&to=2026-02-28');
    expect(page.status).toBe(400);
    expect(page.headers['content-disposition']).toBeUndefined();
  });

  test('are not where the field begins, and their files are refused to it', async () => {
    const field = await person(current.api, { name: 'fatma', roles: ['field'] });
    expect((await field.get('/console')).path).toBe('/console/agents/search');
    expect((await field.get('/console/exports/ledger/csv')).status).toBe(403);
    const { rows } = await current.api.millime.identity.auditRecords({ limit: 10, action: 'page.refused' });
    expect(rows).toMatchObject([{ actorName: 'fatma', subject: 'page:/exports/ledger/:format' }]);
  });

  test('are where an operator begins', async () => {
    const operator = await person(current.api, { name: 'omar', roles: ['operator'] });
    expect((await operator.get('/console')).path).toBe('/console');
  });
});
