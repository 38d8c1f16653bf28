import { type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import decodeQr from 'qr/decode.js';
import { type Role, ROLES } from '../../src/identity';
import { type TextKey, textsOf } from '../../src/texts';
import { mt940 } from '../support/bank-messages';
import { describeWithBrowser, DESKTOP, openBrowser, watchPage } from '../support/browser';
import { spawnCli } from '../support/server-process';
import { testRun } from '../support/test-run';
import { until } from './support/until';

// Goal: a newcomer sees the console with something to do on each page, by what `millime demo --serve` prints alone, and
// every button works.
// Method: the compiled program as a process; a browser without a window signs in as each user that was printed.

/** The demo plays eleven days with a process for each command. */
const LIMIT_MS = 600_000;
/** A long operation first starts a thread, and the machine may be busy. */
const PRESS_LIMIT_MS = 60_000;
const READY = 'press Ctrl-C to end\n';
const ROW = /^ {2}(\w+) +(\w+) +([\w-]{12,})(?: +(\d{6}))?$/gm;
const LANDINGS: Readonly<Record<string, string>> = { field: '/console/agents/search', admin: '/console/operations' };
const FIRST_OPEN_DAY = '2026-03-11';
/** A morning on which the bank has not reported yet. */
const TODAY = '2026-03-13';
const { t } = textsOf('en', 'Africa/Tunis');

interface Demo {
  readonly process: ChildProcess;
  readonly exited: Promise<number | null>;
  readonly printed: () => string;
}

let demo: Demo | undefined;

const stopDemo = async (): Promise<void> => {
  demo?.process.kill('SIGTERM');
  await demo?.exited;
};

function startDemo(...args: readonly string[]): Demo {
  const child = spawnCli(['demo', ...args], {});
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
  return { process: child, exited, printed: () => printed };
}

function childrenOf({ pid }: ChildProcess): readonly string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
}

const folder = (): string => join(mkdtempSync(join(testRun.folder, 'demo-')), 'demo');

describe('the demo with --serve', () => {
  let path: string;
  let served: Demo;
  let origin: string;
  let users: readonly {
    readonly role: string;
    readonly name: string;
    readonly password: string;
    readonly code: string;
  }[];

  beforeAll(async () => {
    path = folder();
    served = demo = startDemo('--serve', '--discard', '--folder', path);
    const ended = served.exited.then(() => 'ended');
    const ready = until('the address', () => served.printed().includes(READY), LIMIT_MS);
    expect(await Promise.race([ready, ended])).not.toBe('ended');
    const printed = served.printed();
    origin = /the console: (http:\/\/127\.0\.0\.1:\d+)\/console\n/.exec(printed)?.[1] ?? '';
    users = [...printed.matchAll(ROW)].map(([, role = '', name = '', password = '', code = '']) => ({
      ...{ role, name, password, code },
    }));
  }, LIMIT_MS);

  afterAll(stopDemo);

  describeWithBrowser('in a browser', () => {
    let browser: Browser;
    const pages = new Map<string, Page>();
    const faults: string[] = [];
    const pageOf = (role: Role): Page => {
      const page = pages.get(role);
      if (page === undefined) throw new Error(`the demo printed no ${role}`);
      return page;
    };

    // A code is accepted once, and for a minute.
    beforeAll(async () => {
      browser = await openBrowser();
      for (const { role, name, password, code } of [...users].sort((a, b) => b.code.length - a.code.length)) {
        const context = await browser.newContext({ viewport: DESKTOP, locale: 'en-GB' });
        context.setDefaultTimeout(PRESS_LIMIT_MS);
        const page = await context.newPage();
        watchPage(page, origin, faults);
        page.on('response', (answer) => {
          if (answer.status() >= 400) faults.push(`${answer.status()}: ${answer.url()}`);
        });
        await page.goto(`${origin}/console`);
        await page.fill('[name=name]', name);
        await page.fill('[name=password]', password);
        await page.fill('[name=code]', code);
        await press(page, 'main button');
        pages.set(role, page);
      }
    });
    afterAll(() => browser.close());
    afterEach(() => expect(faults.splice(0)).toEqual([]));

    test('lets each user who was printed sign in, and shows every page of the menus', async () => {
      const shown = new Set<string>();
      for (const [role, page] of pages) {
        expect([role, new URL(page.url()).pathname]).toEqual([role, LANDINGS[role] ?? '/console']);
        const menu = await page
          .locator('.side a')
          .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
        for (const link of menu.filter((each) => each !== null)) {
          if (!shown.has(link)) await page.goto(origin + link);
          shown.add(link);
        }
      }
      expect(shown.size).toBeGreaterThan(20);
    });

    test('finds an agent, and the break with the decision that waits for another person', async () => {
      const field = pageOf('field');
      await field.goto(`${origin}/console/agents/search`);
      await field.fill('[name=q]', '004711');
      await press(field, 'main form button');
      expect(new URL(field.url()).pathname).toBe('/console/agents/004711');
      const approver = pageOf('approver');
      await approver.goto(`${origin}/console/breaks`);
      await press(approver, 'main tbody a');
      await press(approver, 'main a[href^="/console/proposals/"]');
      await press(approver, buttonOf('approve'));
      await shows(approver, 'breaks:said.approved');
    });

    test('tries a reconciliation, runs it and replays it', async () => {
      const page = pageOf('finance');
      await page.goto(`${origin}/console/runs`);
      await press(page, buttonOf('try'));
      await shows(page, 'common:state.dryRun');
      await press(page, buttonOf('run'));
      await shows(page, 'bank:said.ran');
      await press(page, buttonOf('replay'));
      await shows(page, 'bank:replay.same');
    });

    test('adds up the unpaid items of a credit', async () => {
      const page = pageOf('finance');
      await page.goto(`${origin}/console/credits`);
      await press(page, 'main tbody a');
      await press(page, 'button[name=upTo]');
      await shows(page, 'credits:chosen.title');
      await press(page, 'form[data-credit] button.main');
      await shows(page, 'credits:chosen.title');
    });

    test('proves a day, closes it and verifies all seals', async () => {
      const page = pageOf('finance');
      await page.goto(`${origin}/console/days/${FIRST_OPEN_DAY}`);
      await press(page, buttonOf('prove'));
      await shows(page, 'days:proof.now');
      await press(page, buttonOf('close'));
      await shows(page, 'days:said.closed');
      await page.goto(`${origin}/console/days`);
      await press(page, buttonOf('verify'));
      await shows(page, 'days:seals.allHold');
    });

    test('imports a bank file, compares it again, and explains its credit', async () => {
      const page = pageOf('finance');
      const statement = {
        account: '08006012345678901231',
        opening: { amount: 0, day: TODAY },
        closing: { amount: 12_500, day: TODAY },
        entries: [{ day: TODAY, amount: 12_500, text: 'VIR RECU SERVICE DE PAIEMENT SA' }],
      };
      await page.goto(`${origin}/console/bank/import`);
      await page.setInputFiles('[name=file]', fileOf('bank.sta', mt940([statement])));
      await press(page, buttonOf('upload'));
      await press(page, buttonOf('import'));
      await shows(page, 'bank:said.imported');
      await press(page, buttonOf('verify'));
      await shows(page, 'bank:verify.same');
      await expectFiles(page, 'a[download]', 1);
      await press(page, 'main a[href^="/console/credits/"]');
      await press(page, buttonOf('explain'));
      await shows(page, 'credits:candidates.none');
    });

    test('imports an agent and a due', async () => {
      const page = pageOf('finance');
      const files = {
        agents: 'agent_id,full_name,phone\nAG-3008,Nadia Gharbi,+216 22 203 208\n',
        dues: `reference,agent_id,amount_millimes,due_date,memo\nDUE-3008,AG-3008,12500,${TODAY},\n`,
      };
      for (const [kind, text] of Object.entries(files)) {
        await page.goto(`${origin}/console/imports/${kind}`);
        await page.setInputFiles('[name=file]', fileOf(`${kind}.csv`, Buffer.from(text)));
        await press(page, buttonOf('preview'));
        await press(page, buttonOf('import'));
        await shows(page, 'agents:import.done');
      }
    });

    test('shows a report and downloads every other', async () => {
      const page = pageOf('finance');
      await page.goto(`${origin}/console/reports`);
      await press(page, 'main form button');
      await shows(page, 'morning:reports.proven');
      await expectFiles(page, 'a[href*="/reports/"]', 12);
      await press(page, 'main a[href="/console/exports"]');
      await expectFiles(page, 'a[href*="/exports/"]', 2);
    });

    test('shows a QR code that a phone reads, in light, in dark and on paper', async () => {
      const page = pageOf('finance');
      await page.goto(`${origin}/console/payments/new?kind=qr`);
      await page.fill('[name=amountMillimes]', '7,250');
      await page.fill('[name=reference]', 'ORDER-7');
      await press(page, buttonOf('qr'));
      const content = await page.locator('dd:has(.qr)').innerText();
      for (const look of [{ colorScheme: 'light' }, { colorScheme: 'dark' }, { media: 'print' }] as const) {
        await page.emulateMedia(look);
        expect([look, await scan(page)]).toEqual([look, content.trim()]);
      }
    });
  });

  test('prints a user of each role, new codes when asked, and leaves nothing when it is stopped', async () => {
    expect(users.map(({ role }) => role)).toEqual(ROLES);
    served.process.stdin?.write('\n');
    await until('a new code', () => /^ {2}omar {2}\d{6}$/m.test(served.printed()));
    const children = childrenOf(served.process);
    expect(children).toHaveLength(1);
    served.process.kill('SIGTERM');
    expect(await served.exited).toBe(0);
    expect(children.filter(isRunning)).toEqual([]);
    expect(existsSync(path)).toBe(false);
  });
});

describe('the demo', () => {
  afterEach(stopDemo);

  test(
    'leaves no process either when it is stopped while it plays',
    async () => {
      const started = (demo = startDemo('--folder', folder()));
      const children = await childrenWhilePlaying(started);
      started.process.kill('SIGTERM');
      expect(await started.exited).toBe(1);
      expect(started.printed()).toContain('the demo was interrupted');
      expect(children.filter(isRunning)).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'leaves no service when it is killed',
    async () => {
      const started = (demo = startDemo('--folder', folder()));
      const children = await childrenWhilePlaying(started);
      started.process.kill('SIGKILL');
      await started.exited;
      await until('the end of its processes', () => !children.some(isRunning));
    },
    LIMIT_MS,
  );
});

async function childrenWhilePlaying(started: Demo): Promise<readonly string[]> {
  await until('the service', () => started.printed().includes('[2]'));
  const children = childrenOf(started.process);
  expect(children.length).toBeGreaterThan(0);
  return children;
}

/** A process that ended and waits for its starter has no program. */
const isRunning = (pid: string): boolean => existsSync(`/proc/${pid}/exe`);

const buttonOf = (action: string): string => `form:has(input[name=action][value=${action}]) button`;

const fileOf = (name: string, buffer: Buffer) => ({ name, mimeType: 'text/plain', buffer });

/** Follows a link or presses a button that loads a page. */
async function press(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.locator(selector).first().click()]);
}

async function shows(page: Page, key: TextKey): Promise<void> {
  expect(await page.locator('main').innerText()).toContain(t(key));
}

/** Expects links to files that are not empty. */
async function expectFiles(page: Page, selector: string, count: number): Promise<void> {
  const links = await page.locator(selector).evaluateAll((found) => found.map((link) => link.getAttribute('href')));
  expect(links).toHaveLength(count);
  for (const link of links) {
    const answer = await page.request.get(new URL(link ?? '', page.url()).href);
    expect([link, answer.status(), (await answer.body()).length > 0]).toEqual([link, 200, true]);
  }
}

/** Reads the QR code of a page from the pixels of a picture, dark on light. */
async function scan(page: Page): Promise<string> {
  const picture = (await page.locator('.qr').screenshot()).toString('base64');
  const reader = await page.context().newPage();
  // As a text, because Playwright takes seconds for a list of so many numbers.
  const pixels = await reader.evaluate<string>(`(async () => {
    const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,${picture}')).blob());
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    return JSON.stringify({ width, height, data: [...context.getImageData(0, 0, width, height).data] });
  })()`);
  await reader.close();
  const { data, ...size } = JSON.parse(pixels) as { width: number; height: number; data: number[] };
  expect(data.slice(0, 3)).toEqual([255, 255, 255]);
  return decodeQr({ ...size, data: Uint8Array.from(data) }, { timeLimit: LIMIT_MS });
}
