import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { problemStatuses, ROUTES } from '../../../src/api';
import { PACKAGE_ROOT } from '../../../src/kernel';
import { describeWithBrowser, DESKTOP, openBrowser, watchPage } from '../../support/browser';
import { anAgent, register } from '../../support/factories';
import { describeApiOnOneDatabase } from '../support/api';
import { apiClient } from './support/api-client';

// Goal: people without a key can read the API and the meaning of its problems; with a key they can try it on the page.

const OUTPUT = join(PACKAGE_ROOT, 'test-output', 'api-page');

describeApiOnOneDatabase('the documents of the API', (current) => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    current.api.call({ path: `/api${path}`, headers: { Authorization: '', ...headers } });

  test('are the OpenAPI document, which a client may keep until it changes', async () => {
    const { status, headers, text } = await get('/openapi.json');
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(Object.keys((JSON.parse(text) as { paths: object }).paths)).toHaveLength(
      new Set(ROUTES.map(({ path }) => path)).size,
    );
    expect((await get('/openapi.json', { 'If-None-Match': String(headers.etag) })).status).toBe(304);
  });

  test('are the problem types, one by one and as a list', async () => {
    const { data } = JSON.parse((await get('/problems')).text) as { data: { code: string }[] };
    expect(data.map(({ code }) => code)).toEqual([...problemStatuses().keys()]);
    expect(JSON.parse((await get('/problems/agent_exists')).text)).toEqual({
      type: '/api/problems/agent_exists',
      code: 'agent_exists',
      status: 409,
      title: 'Agent exists',
    });
    expect((await get('/problems/constructor')).status).toBe(404);
  });

  describeWithBrowser('the page of the API', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser();
    });
    afterAll(() => browser.close());

    test('lists the operations, which can be tried with a key, under a strict policy', async () => {
      const { keyText } = await apiClient(current.api);
      await register(current.api.millime, anAgent());
      const origin = `http://127.0.0.1:${current.api.port}`;
      const page = await browser.newPage({ viewport: DESKTOP });
      const faults = watchPage(page, origin);
      await page.goto(`${origin}/api/docs`);
      // A polled expression would be evaluated by the page, whose policy forbids it.
      const operations = page.locator('.opblock');
      await operations.nth(ROUTES.length - 1).waitFor();
      expect(await operations.count()).toBe(ROUTES.length);
      await page.click('.btn.authorize');
      await page.fill('.auth-container input', keyText);
      await page.click('.auth-btn-wrapper .authorize');
      await page.click('.auth-btn-wrapper .btn-done');
      const operation = page.locator('#operations-Agents_and_dues-showAgent');
      await operation.locator('.opblock-summary-control').click();
      await operation.locator('.try-out__btn').click();
      await operation.getByPlaceholder('agentId').fill('004711');
      await operation.locator('.execute').click();
      await operation.locator('.live-responses-table', { hasText: 'Amal Trabelsi' }).waitFor();
      expect(faults).toEqual([]);
      expect(await page.evaluate('Object.keys(localStorage).length + document.cookie.length')).toBe(0);
      mkdirSync(OUTPUT, { recursive: true });
      writeFileSync(join(OUTPUT, 'page.png'), await page.screenshot());
    });
  });
});
