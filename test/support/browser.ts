// The Chromium of the system, driven by Playwright.
import { spawnSync } from 'node:child_process';
import { describe } from '@jest/globals';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'];

export const PHONE = { width: 360, height: 740 };
export const DESKTOP = { width: 1280, height: 900 };

const command = NAMES.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0);

if (command === undefined && process.env['CI'] === 'true') {
  throw new Error('CI=true, but there is no Chromium: install chromium');
}

/** Runs a suite that needs a browser. Without one it is skipped, and the run says why. */
export function describeWithBrowser(name: string, define: () => void): void {
  if (command === undefined) {
    process.stderr.write(`chromium: not installed; the tests of ${name} are skipped (install chromium)\n`);
    describe.skip(name, define);
  } else {
    describe(name, define);
  }
}

/** Starts a private, headless browser. */
export async function openBrowser(): Promise<Browser> {
  const found = spawnSync('sh', ['-c', `command -v ${command ?? ''}`], { encoding: 'utf8' }).stdout.trim();
  return chromium.launch({ executablePath: found, args: QUIET });
}

/** Returns the findings of axe on a page as it stands: the rule, its impact and the elements. */
export async function axeFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(`if (window.axe === undefined) { ${axe.source} }`);
  const options = rules === undefined ? {} : { runOnly: rules };
  return page.evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, impact, nodes }) =>
      id + ' (' + impact + '): ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`,
  );
}

/** Collects what a page must never do: breaks of its policy, scripts that fail, and requests to other origins. */
export function watchPage(page: Page, origin: string, faults: string[] = []): string[] {
  page.on('console', (message) => {
    // A page that was refused on purpose is an error of its request, not of the page.
    if (message.type() === 'error' && !/status of [45]\d\d/.test(message.text())) faults.push(message.text());
  });
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) faults.push(`foreign: ${request.url()}`);
  });
  return faults;
}
