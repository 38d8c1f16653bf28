// Goal: the page of a day reads well on a phone, on a desktop and on paper, for everyone, in a real browser.
// Method: the page of a small month in the system's Chromium: axe, the width of the page, what the plots and folded
// parts show, and screenshots in test-output/report-page.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { businessDate, PACKAGE_ROOT } from '../../../src/kernel';
import { wholeReportToHtml } from '../../../src/reporting';
import { axeFindings, describeWithBrowser, DESKTOP, openBrowser, PHONE } from '../../support/browser';
import { freshDatabase } from '../../support/db';
import { giveBack, ITEM_CHANNELS, receive, reportFee } from '../ledger/gateway-money';
import { openRooms, PAYOUT_TEXT } from '../ledger/rooms';

const OUTPUT = join(PACKAGE_ROOT, 'test-output', 'report-page');
const PAGE = join(OUTPUT, 'page.html');
describeWithBrowser('the page of a day', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    mkdirSync(OUTPUT, { recursive: true });
    writeFileSync(PAGE, await pageOfAMonth());
    browser = await openBrowser();
  });
  beforeEach(async () => {
    page = await browser.newPage({ viewport: DESKTOP });
    await page.goto(pathToFileURL(PAGE).href);
  });
  afterAll(() => browser.close());

  test.each([
    ['phone', PHONE],
    ['desktop', DESKTOP],
  ])('has no finding of axe and no sideways scrolling on a %s', async (name, viewport) => {
    await page.setViewportSize(viewport);
    writeFileSync(join(OUTPUT, `${name}.png`), await page.screenshot({ fullPage: true }));
    await page.evaluate(`document.querySelectorAll('details').forEach((each) => { each.open = true; })`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
    expect(await axeFindings(page)).toEqual([]);
  });

  test('is read in the dark with enough contrast', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFindings(page, ['color-contrast'])).toEqual([]);
  });

  test('prints with its folded parts and without its links', async () => {
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('#payouts details table').first().isVisible()).toBe(true);
    expect(await page.locator('nav').first().isVisible()).toBe(false);
    const pdf = await page.pdf({ format: 'A4', path: join(OUTPUT, 'print.pdf') });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('shows the verdict and the five figures on the first screen of a desktop', async () => {
    const figures = await page.locator('.figures').boundingBox();
    expect((figures?.y ?? Infinity) + (figures?.height ?? 0)).toBeLessThan(DESKTOP.height);
    expect(await page.locator('script').count()).toBe(0);
  });
});

/** Agents, channels with a fee and a refund, a matched payout, and a credit that no payments explain. */
async function pageOfAMonth(): Promise<string> {
  const database = (await freshDatabase('sqlite')).open();
  const rooms = openRooms(database, '2026-03-02T08:00:00+01:00');
  await rooms.importAgents('004711', '4711', 'خالد');
  await rooms.importDues(['D1', '004711', 2_150_000], ['D2', '4711', 940_000]);
  for (let day = 2; day <= 6; day += 1) {
    const at = `2026-03-0${day}`;
    await rooms.confirm({ transactionId: `T${day}`, agentId: '004711', amount: 100_000 * day }, `${at}T09:00:00+01:00`);
    await rooms.confirm({ transactionId: `U${day}`, agentId: 'خالد', amount: 52_500 }, `${at}T15:00:00+01:00`);
  }
  const now = rooms.clock.now();
  for (const [at, channel] of ITEM_CHANNELS.entries()) {
    const given = { id: `P${at}`, channel, amount: 81_000 * (at + 1) };
    await receive(database, given, now);
    if (channel === 'card') await reportFee(database, { of: given, fee: 1_215, tva: 231 }, now);
    if (channel === 'wallet') await giveBack(database, { id: 'R1', of: given, amount: 5_000 }, now);
  }
  await rooms.confirm({ transactionId: 'T9', agentId: 'unknown', amount: 40_000 }, '2026-03-06T16:00:00+01:00');
  await rooms.importStatement([
    ['03/03/2026', PAYOUT_TEXT, 252_500],
    ['04/03/2026', PAYOUT_TEXT, 352_500],
    ['05/03/2026', PAYOUT_TEXT, 999_999],
  ]);
  rooms.clock.set('2026-03-07T06:30:00+01:00');
  await rooms.reconcile('2026-03-06');
  const period = { from: businessDate('2026-03-01'), to: businessDate('2026-03-06') };
  return wholeReportToHtml(await rooms.reporting.whole(period), rooms.calendar);
}
