import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { PACKAGE_ROOT } from '../../../src/kernel';
import type { Api, ApiOptions } from '../../api/support/api';
import { describeWithBrowser, openBrowser, watchPage } from '../../support/browser';
import { describeConsoleOnOneDatabase, type Visitor } from './visitor';

const OUTPUT = join(PACKAGE_ROOT, 'test-output', 'console');

export interface Screens {
  readonly origin: () => string;
  /** Opens a page in a browser in which a person is signed in. What it must never do fails the test. */
  open(visitor: Visitor, options?: BrowserContextOptions): Promise<Page>;
  /** Stores a picture of a page as output of the tests. */
  shoot(page: Page, name: string): Promise<void>;
}

/** Runs a suite in a browser on one database: a browser asks no database a question of its own. */
export function describeInBrowser(
  name: string,
  define: (current: { readonly api: Api }, screens: Screens) => void,
  options: ApiOptions = {},
): void {
  describeConsoleOnOneDatabase(
    name,
    (current) => {
      describeWithBrowser('in a browser', () => {
        let browser: Browser;
        let faults: string[] = [];
        beforeAll(async () => {
          mkdirSync(OUTPUT, { recursive: true });
          browser = await openBrowser();
        });
        afterAll(() => browser.close());
        afterEach(async () => {
          await Promise.all(browser.contexts().map((context) => context.close()));
          const found = faults;
          faults = [];
          expect(found).toEqual([]);
        });
        const origin = (): string => `http://127.0.0.1:${current.api.port}`;
        define(current, {
          origin,
          async open(visitor, more = {}) {
            const context = await browser.newContext({ ...more, reducedMotion: 'reduce' });
            await context.addCookies([...visitor.cookies].map(([key, value]) => ({ name: key, value, url: origin() })));
            const page = await context.newPage();
            watchPage(page, origin(), faults);
            return page;
          },
          async shoot(page, picture) {
            await page.screenshot({ path: join(OUTPUT, `${picture}.png`), fullPage: true });
          },
        });
      });
    },
    options,
  );
}
