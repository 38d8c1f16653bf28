// Goal: people do their tasks in a real browser: on a phone, by keyboard alone, in French and Arabic, and without
// scripts; no text of others runs.
// Method: Debian's Chromium on a server with hostile names. Every page is held against axe and its policy.
// Screenshots are in test-output/console.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { menuOf, PAGES } from '../../src/console/testing';
import { OPERATOR, type Role } from '../../src/identity';
import { scopesOfRoles } from '../../src/identity/testing';
import { PACKAGE_ROOT } from '../../src/kernel';
import { LANGUAGES } from '../../src/texts';
import { openBreak, withCredits, withProposal } from '../api/v1/support/scenarios/credit-world';
import { axeFindings, describeWithBrowser, DESKTOP, openBrowser, PHONE, watchPage } from '../support/browser';
import { describeConsoleOnOneDatabase, person, type Visitor } from './support/visitor';

const OUTPUT = join(PACKAGE_ROOT, 'test-output', 'console');
const HOSTILE = '<img src=x onerror=alert(1)><script>alert(2)</script>"\'{{x}}$t(y)';

describeConsoleOnOneDatabase('the console', (current) => {
  describeWithBrowser('in a browser', () => {
    let browser: Browser;
    const origin = (): string => `http://127.0.0.1:${current.api.port}`;
    beforeAll(async () => {
      mkdirSync(OUTPUT, { recursive: true });
      browser = await openBrowser();
    });
    afterAll(() => browser.close());

    /** Opens a browser in which a person is signed in. */
    const contextOf = async (
      visitor: Visitor,
      options: Parameters<Browser['newContext']>[0],
    ): Promise<BrowserContext> => {
      const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
      await context.addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url: origin() })));
      return context;
    };
    const shoot = (page: Page, name: string): Promise<unknown> =>
      page.screenshot({ path: join(OUTPUT, `${name}.png`), fullPage: true });

    beforeEach(async () => {
      const { agents } = current.api.millime;
      await withCredits(current.api, [12_500, 9_999]);
      await agents.add({ agentId: 'AG-7', fullName: HOSTILE, phone: '' }, { actor: OPERATOR, dryRun: false });
      await openBreak(current.api, HOSTILE);
    });

    test('an agent is looked up on a phone by keyboard alone', async () => {
      const fatma = await person(current.api, { name: 'fatma', roles: ['field'], language: 'fr' });
      const context = await contextOf(fatma, { viewport: PHONE });
      const page = await context.newPage();
      const faults = watchPage(page, origin());
      await page.goto(`${origin()}/console`);
      await page.waitForURL('**/agents/search');
      await page.keyboard.type('004711');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/agents/004711');
      expect(await page.locator('main').innerText()).toContain('Reste dû');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
      await shoot(page, 'agent-phone-fr');
      expect(faults).toEqual([]);
      await context.close();
    });

    test('an agent is looked up without scripts, in Arabic', async () => {
      const fatma = await person(current.api, { name: 'fatma', roles: ['field'], language: 'ar' });
      const context = await contextOf(fatma, { viewport: PHONE, javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(`${origin()}/console/agents/search`);
      await page.fill('[name=q]', '004711');
      await page.click('main button');
      await page.waitForURL('**/agents/004711');
      expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
      await shoot(page, 'agent-phone-ar');
      await context.close();
    });

    describe('every page', () => {
      const roles: readonly Role[] = ['finance', 'approver', 'admin', 'operator', 'field'];
      test.each(LANGUAGES)(
        'has no finding of axe, keeps its policy, and runs no hostile text, in %s',
        async (language) => {
          const proposal = await withProposal(current.api);
          expect(proposal).not.toBe('');
          for (const role of roles) {
            const visitor = await person(current.api, { name: `a-${role}`, roles: [role], language });
            const context = await contextOf(visitor, { viewport: language === 'ar' ? PHONE : DESKTOP });
            const page = await context.newPage();
            const faults = watchPage(page, origin());
            for (const path of pathsOf(role)) {
              const answer = await page.goto(`${origin()}${path}`);
              expect([role, path, answer?.status()]).toEqual([role, path, 200]);
              expect([role, path, await axeFindings(page)]).toEqual([role, path, []]);
              expect([role, path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([
                ...[role, path, page.viewportSize()?.width],
              ]);
              await shoot(page, `${role}-${language}${path.replaceAll(/\W+/g, '-')}`);
              await page.emulateMedia({ colorScheme: 'dark' });
              expect([role, path, await axeFindings(page, ['color-contrast'])]).toEqual([role, path, []]);
              await page.emulateMedia({ colorScheme: 'light' });
            }
            expect(faults).toEqual([]);
            await context.close();
          }
        },
      );
    });
  });
});

/** The pages of the menu of a role, and those that their rows lead to. */
function pathsOf(role: Role): readonly string[] {
  const scopes = scopesOfRoles([role]);
  const inMenu = menuOf(scopes).flatMap(({ pages }) => pages.map(({ path }) => path));
  const others = PAGES.filter(({ path, scope }) => !path.includes(':') && (scope === undefined || scopes.has(scope)));
  const own = others.map(({ path }) => `/console${path === '/' ? '' : path}`).filter((path) => !inMenu.includes(path));
  const agents = scopes.has('agents:read') ? ['/console/agents/004711', '/console/agents/AG-7'] : [];
  return [...inMenu, ...own, ...agents];
}
