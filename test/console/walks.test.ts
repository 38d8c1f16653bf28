// Goal: people do their tasks to the end in a real browser by the keyboard alone, in French and in Arabic; on a phone, and
// without scripts.
// Method: Debian's Chromium. What is typed and pressed reaches the page as keys only; what Tab does not reach fails.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { businessDate } from '../../src/kernel';
import { textsOf } from '../../src/texts';
import { rows } from '../api/support/api';
import { ITEMS, MONDAY, openBreak, withCredits, withItems, withRun } from '../api/v1/support/scenarios/credit-world';
import { SHIPPED_PROFILES_FILE } from '../fixtures/statements/statement-bytes';
import { DESKTOP, PHONE } from '../support/browser';
import { BY_TEST } from '../support/factories';
import { testRun } from '../support/test-run';
import { describeInBrowser } from './support/in-a-browser';
import { buttonOf, Keyboard } from './support/keyboard';
import { person } from './support/visitor';

const THROUGH = businessDate('2026-03-05');
const ROWS_MAX = 5;
const PROFILES = join(testRun.folder, 'console-walk-profiles.json');
/** A file of a bank that no profile reads. It states no currency. */
const UNKNOWN_FILE = Buffer.from(
  [
    'RIB;08006012345678901231;;;',
    'Date;Libellé;Débit;Crédit;Solde',
    '04/03/2026;ACHAT;1,500;;998,500',
    '05/03/2026;VIR RECU SERVICE DE PAIEMENT SA;;12,500;1 011,000',
    '',
  ].join('\r\n'),
);

describeInBrowser(
  'the tasks of people',
  (current, { origin, open, shoot }) => {
    beforeAll(() => copyFileSync(SHIPPED_PROFILES_FILE, PROFILES));

    /** Signs a person in at a desk, on the page where they land. */
    const atDesk = async (name: string, role: 'finance' | 'approver', language: 'fr' | 'ar'): Promise<Keyboard> => {
      const page = await open(await person(current.api, { name, roles: [role], language }), { viewport: DESKTOP });
      await page.goto(`${origin()}/console`);
      return new Keyboard(page);
    };

    test('an agent is looked up on a phone of 360 pixels', async () => {
      await withItems(current.api);
      const fatma = await person(current.api, { name: 'fatma', roles: ['field'], language: 'fr' });
      const page = await open(fatma, { viewport: PHONE });
      await page.goto(`${origin()}/console`);
      await page.waitForURL('**/agents/search');
      await page.keyboard.type('004711');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/agents/004711');
      expect(await page.locator('main').innerText()).toContain('Reste dû');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
      await shoot(page, 'agent-phone-fr');
    });

    test('an agent is looked up without scripts, in Arabic', async () => {
      await withItems(current.api);
      const fatma = await person(current.api, { name: 'fatma', roles: ['field'], language: 'ar' });
      const page = await open(fatma, { viewport: PHONE, javaScriptEnabled: false });
      await page.goto(`${origin()}/console/agents/search`);
      await page.fill('[name=q]', '004711');
      await page.click('main form button');
      await page.waitForURL('**/agents/004711');
      expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
      await shoot(page, 'agent-phone-ar');
    });

    describe.each(['fr', 'ar'] as const)('by keyboard alone, in %s', (language) => {
      const texts = textsOf(language, 'Africa/Tunis');

      /** Finds a credit in the list, chooses its items and matches them. */
      const explainByHand = async (desk: Keyboard, lineId: string): Promise<void> => {
        await desk.follow('nav a[href="/console/credits"]');
        await shoot(desk.page, `credits-${language}`);
        await desk.follow(`main a[href="/console/credits/${lineId}"]`);
        for (const item of ITEMS) await desk.press(`input[name=item][value="${item}"]`);
        await desk.follow('form[data-credit] .actions button.main');
        await shoot(desk.page, `credit-${language}`);
        await desk.type('form:has(input[value=match]) [name=reason]', 'vu');
        await desk.follow(buttonOf('match'));
        await shows(desk.page, texts.t('credits:said.matched'));
        const { match } = await current.api.millime.reconciliation.explain(lineId);
        expect(match).toMatchObject({ kind: 'forced', remainder: 0 });
      };

      test('a statement is imported, its profile saved, and its credit explained', async () => {
        await withItems(current.api);
        const desk = await atDesk('salma', 'finance', language);
        const { page } = desk;
        await desk.follow('nav a[href="/console/bank/import"]');
        await desk.chooseFile('[name=file]', 'releve.csv', UNKNOWN_FILE);
        await desk.follow(buttonOf('upload'));
        await desk.type('[name=currency]', 'TND');
        await desk.choose('[name=by]', 'proposed');
        await desk.follow('form[method=get] button');
        // What was proposed stays when a person corrects it by hand.
        await desk.choose('[name=by]', '.hand');
        await desk.follow('form[method=get] button');
        await shows(page, texts.t('bank:control.ready'));
        await shoot(page, `import-${language}`);
        await desk.type('[name=saveProfile]', `banque-${language}`);
        await desk.follow(buttonOf('import'));
        await shows(page, texts.t('bank:said.imported'));

        await desk.follow('nav a[href="/console/runs"]');
        await desk.follow(buttonOf('try'));
        await desk.follow(buttonOf('run'));
        const [, line] = await rows(current.api.millime, 'bank_statement_lines', ['position', 'id']);
        await explainByHand(desk, String(line?.['id']));
      });

      test('a credit is matched by hand from its candidates', async () => {
        const [lineId = ''] = await withCredits(current.api, [12_500, 99_000]);
        await current.api.millime.reconciliation.run({ through: THROUGH, ...BY_TEST });
        await explainByHand(await atDesk('salma', 'finance', language), lineId);
      });

      test('a break is settled by two users', async () => {
        await withItems(current.api);
        const { id } = await openBreak(current.api, 'walk');
        const salma = await atDesk('salma', 'finance', language);
        await salma.loading('g', 'b');
        await salma.follow(`main a[href="/console/breaks/${id}"]`);
        await salma.press('details:has(input[value=tryPropose]) summary');
        await salma.choose('[name=kind]', 'write_off');
        await salma.type('[name=amount]', '2,000');
        await salma.type('form:has(input[value=tryPropose]) [name=reason]', 'ne sera pas payé');
        await salma.follow(buttonOf('tryPropose'));
        await shoot(salma.page, `proposal-effect-${language}`);
        await salma.follow(buttonOf('propose'));
        await shows(salma.page, texts.t('breaks:said.proposed'));

        const karim = await atDesk('karim', 'approver', language);
        await karim.follow('nav a[href="/console/proposals"]');
        await karim.follow('main a[href^="/console/proposals/"]');
        await shoot(karim.page, `approval-${language}`);
        await karim.follow(buttonOf('approve'));
        await shows(karim.page, texts.t('breaks:said.approved'));
        const { breakView } = await current.api.millime.breakWorkflow.show(id);
        expect(breakView.proposalId).toBeUndefined();
      });

      test('a day is closed', async () => {
        await withRun(current.api);
        const desk = await atDesk('salma', 'finance', language);
        await desk.follow('nav a[href="/console/days"]');
        await desk.follow(`main a[href="/console/days/${MONDAY}"]`);
        await desk.follow(buttonOf('prove'));
        await shoot(desk.page, `day-${language}`);
        await desk.follow(buttonOf('close'));
        await shows(desk.page, texts.t('days:said.closed'));
        expect((await current.api.millime.dayClosing.list({ limit: 1 })).rows).toMatchObject([{ date: MONDAY }]);
      });
    });

    test('keys open a row, the search and the list of keys, and lose no choice', async () => {
      const [lineId = ''] = await withCredits(current.api, [99_000]);
      await current.api.millime.reconciliation.run({ through: THROUGH, ...BY_TEST });
      const { id } = await openBreak(current.api, 'walk');
      const desk = await atDesk('salma', 'finance', 'fr');
      const { page } = desk;
      await page.goto(`${origin()}/console/credits/${lineId}`);
      await page.locator('input[name=item]').first().check();
      await page.keyboard.press('?');
      expect(await page.locator('dialog').isVisible()).toBe(true);
      await page.keyboard.press('g');
      await page.keyboard.press('b');
      await page.keyboard.press('Escape');
      expect(await page.locator('dialog').isVisible()).toBe(false);
      expect(new URL(page.url()).pathname).toBe(`/console/credits/${lineId}`);
      expect(await page.locator('input[name=item]').first().isChecked()).toBe(true);
      await desk.loading('/');
      expect(new URL(page.url()).pathname).toBe('/console/agents/search');
      await page.goto(`${origin()}/console/breaks?min=5`);
      const wanted = page.locator(`tbody a[href="/console/breaks/${id}"]:focus`);
      for (let row = 0; row < ROWS_MAX && (await wanted.count()) === 0; row += 1) await page.keyboard.press('j');
      expect(await wanted.count()).toBe(1);
      await desk.loading('Enter');
      expect(new URL(page.url()).pathname).toBe(`/console/breaks/${id}`);
    });

    test('a phone has one row on top, and the figures of a plot beside its last day', async () => {
      await withRun(current.api);
      const salma = await person(current.api, { name: 'salma', roles: ['finance'], language: 'fr' });
      const page = await open(salma, { viewport: { width: 320, height: 700 } });
      await page.goto(`${origin()}/console`);
      const top = await page.locator('header').boundingBox();
      expect(top?.height).toBeLessThan(64);
      const axis = await page.locator('.axis-figures').first().boundingBox();
      const plot = await page.locator('.drawing').first().boundingBox();
      expect(axis?.x).toBeGreaterThanOrEqual(plot?.x ?? Infinity);
      await page.click('summary');
      expect(await page.locator('.menu button').isVisible()).toBe(true);
    });

    test('a file is dropped on the page of the import', async () => {
      await withItems(current.api);
      const { page } = await atDesk('salma', 'finance', 'fr');
      await page.goto(`${origin()}/console/bank/import`);
      const dropped = `(() => {
        const data = new DataTransfer();
        data.items.add(new File([${JSON.stringify(UNKNOWN_FILE.toString())}], 'releve.csv'));
        document.querySelector('h1').dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer: data }));
        return document.querySelector('[name=file]').files[0]?.name;
      })()`;
      expect(await page.evaluate(dropped)).toBe('releve.csv');
      await page.click(buttonOf('upload'));
      await page.waitForURL('**/bank/uploads/*');
      expect(await page.locator('main').innerText()).toContain('releve.csv');
    });
  },
  { environment: { STATEMENT_PROFILES_FILE: PROFILES } },
);

/** Expects the status of a page to be this text. */
async function shows(page: Page, text: string): Promise<void> {
  expect(await page.locator('main').innerText()).toContain(text);
}
