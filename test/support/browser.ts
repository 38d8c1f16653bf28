// Drives the Chromium of the system over a pipe, in the protocol of its developer tools: a page of text needs no more.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const ANSWER_LIMIT_MS = 60_000;

export interface Viewport {
  readonly width: number;
  readonly height: number;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

/** Returns the command of an installed Chromium, or undefined. */
export function installedBrowser(): string | undefined {
  return NAMES.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0);
}

/** One page in a private, headless browser. */
export class BrowserPage {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #loaded: (() => void) | undefined;
  #session: string | undefined;
  #lastId = 0;

  private constructor(command: string) {
    this.#profile = mkdtempSync(join(tmpdir(), 'millime-browser-'));
    const options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars'];
    this.#process = spawn(
      command,
      [...options, '--remote-debugging-pipe', `--user-data-dir=${this.#profile}`, 'about:blank'],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
    );
    let rest = '';
    (this.#process.stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => {
      const messages = (rest + text).split('\0');
      rest = messages.pop() ?? '';
      for (const each of messages) this.#take(JSON.parse(each) as Message);
    });
  }

  static async open(command: string): Promise<BrowserPage> {
    const page = new BrowserPage(command);
    const { targetId } = await page.#send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await page.#send('Target.attachToTarget', { targetId, flatten: true });
    page.#session = String(sessionId);
    await page.#send('Page.enable');
    return page;
  }

  async show(url: string, { width, height }: Viewport): Promise<void> {
    const metrics = { width, height, deviceScaleFactor: 1, mobile: width < 600 };
    await this.#send('Emulation.setDeviceMetricsOverride', metrics);
    const loaded = new Promise<void>((resolve) => (this.#loaded = resolve));
    await this.#send('Page.navigate', { url });
    await loaded;
  }

  /** Runs an expression, which the policy of the page does not restrict, and returns its value. */
  async evaluate(expression: string): Promise<unknown> {
    const answer = await this.#send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    const { result, exceptionDetails } = answer as { result: { value?: unknown }; exceptionDetails?: unknown };
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return result.value;
  }

  /** Returns the whole page, as far down as it goes, or its first screen, as PNG. */
  async screenshot({ wholePage }: { readonly wholePage: boolean }): Promise<Buffer> {
    const { data } = await this.#send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: wholePage });
    return Buffer.from(String(data), 'base64');
  }

  /** Returns the page as it prints on A4, as PDF. */
  async print(): Promise<Buffer> {
    const a4 = { paperWidth: 8.27, paperHeight: 11.69, preferCSSPageSize: true };
    const { data } = await this.#send('Page.printToPDF', a4);
    return Buffer.from(String(data), 'base64');
  }

  async media(media: 'print' | 'screen', colorScheme: 'light' | 'dark' = 'light'): Promise<void> {
    const features = [{ name: 'prefers-color-scheme', value: colorScheme }];
    await this.#send('Emulation.setEmulatedMedia', { media, features });
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill();
    await ended;
    // The browser's helpers outlive it for a moment and still write; only this form reads the folder again each time.
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 10 });
  }

  #take(message: Message): void {
    if (message.method === 'Page.loadEventFired') this.#loaded?.();
    if (message.id !== undefined) this.#waiting.get(message.id)?.(message);
  }

  #send(method: string, params: object = {}): Promise<Readonly<Record<string, unknown>>> {
    const id = (this.#lastId += 1);
    const sessionId = this.#session === undefined ? {} : { sessionId: this.#session };
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method}: the browser did not answer`)), ANSWER_LIMIT_MS);
      this.#waiting.set(id, ({ result, error }) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        if (error === undefined) resolve(result ?? {});
        else reject(new Error(`${method}: ${error.message}`));
      });
      (this.#process.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, ...sessionId })}\0`);
    });
  }
}
