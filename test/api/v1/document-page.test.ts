import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { problemStatuses, ROUTES } from '../../../src/api';
import { PACKAGE_ROOT } from '../../../src/kernel';
import { BrowserPage, installedBrowser } from '../../support/browser';
import { anAgent, register } from '../../support/factories';
import { describeApiOnOneDatabase } from '../support/api';
import { apiClient } from './support/api-client';

// Goal: people without a key can read the API and the meaning of its problems; with a key they can try it on the page.

const OUTPUT = join(PACKAGE_ROOT, 'test-output', 'api-page');
const browser = installedBrowser();
if (browser === undefined) {
  process.stderr.write('chromium: not installed; the tests that open a page are skipped (install chromium)\n');
}

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

  (browser === undefined ? describe.skip : describe)('on the page', () => {
    let page: BrowserPage;
    beforeAll(async () => {
      page = await BrowserPage.open(browser ?? '');
    });
    afterAll(() => page.close());

    const until = (what: string): Promise<unknown> =>
      page.evaluate(`new Promise((done, fail) => {
        const limit = setTimeout(() => fail(new Error(${JSON.stringify(what)} + ' did not come: ' + document.body.innerText.slice(0, 500))), 30000);
        const look = () => (${what}) ? (clearTimeout(limit), done(true)) : setTimeout(look, 20);
        look();
      })`);

    test('operations are listed and can be tried with a key, under a strict policy', async () => {
      const { keyText } = await apiClient(current.api);
      await register(current.api.millime, anAgent());
      await page.show(`http://127.0.0.1:${current.api.port}/api/docs`, { width: 1200, height: 900 });
      await until(`document.querySelectorAll('.opblock').length === ${ROUTES.length}`);
      await page.evaluate(`window.blocked = [];
        document.addEventListener('securitypolicyviolation', ({ blockedURI, violatedDirective }) =>
          window.blocked.push(violatedDirective + ' ' + blockedURI)); 0`);
      const fill = (selector: string, value: string) => `(() => {
        const field = document.querySelector(${JSON.stringify(selector)});
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, ${JSON.stringify(value)});
        field.dispatchEvent(new Event('input', { bubbles: true }));
      })()`;
      const click = (selector: string) => page.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);
      await click('.btn.authorize');
      await until(`document.querySelector('.auth-container input') !== null`);
      await page.evaluate(fill('.auth-container input', keyText));
      await click('.auth-btn-wrapper .authorize');
      await click('.auth-btn-wrapper .btn-done');
      await click('#operations-Agents_and_dues-showAgent .opblock-summary-control');
      await until(`document.querySelector('#operations-Agents_and_dues-showAgent .try-out__btn') !== null`);
      await click('#operations-Agents_and_dues-showAgent .try-out__btn');
      await until(`document.querySelector('#operations-Agents_and_dues-showAgent input') !== null`);
      await page.evaluate(fill('#operations-Agents_and_dues-showAgent input', '004711'));
      await click('#operations-Agents_and_dues-showAgent .execute');
      await until(`/Amal Trabelsi/.test(document.querySelector('.live-responses-table')?.innerText ?? '')`);
      expect(await page.evaluate('window.blocked')).toEqual([]);
      expect(await page.evaluate('Object.keys(localStorage).length + document.cookie.length')).toBe(0);
      mkdirSync(OUTPUT, { recursive: true });
      writeFileSync(join(OUTPUT, 'page.png'), await page.screenshot({ wholePage: false }));
    });
  });
});
