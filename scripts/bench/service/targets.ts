import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../test/support/free-port';
import { MILLIME, startChild, stopChild } from './children';
import type { Site } from './site';

const START_LIMIT_MS = 30_000;
const POLL_MS = 50;
/** Options with which Node runs a TypeScript file. */
export const TYPESCRIPT = ['--require', require.resolve('tsx/cjs')];
const PLAIN_APP = join(__dirname, 'plain-app.ts');

/** A server that answers checks and confirms. */
export interface Target {
  readonly site: Site;
  readonly url: string;
  readonly pid: number;
  /** The table that has one row for each stored confirm; undefined if the target stores none. */
  readonly confirms: string | undefined;
  stop(): Promise<void>;
}

export interface MillimeOptions {
  readonly logLevel?: 'info' | 'error';
  /** Options of Node itself. */
  readonly nodeOptions?: readonly string[];
}

/** Starts servers one after the other, and stops all of them after the work or a fault. */
export async function withTargets<Name extends string, T>(
  starters: Readonly<Record<Name, () => Promise<Target>>>,
  work: (targets: Readonly<Record<Name, Target>>) => Promise<T>,
): Promise<T> {
  const targets = new Map<string, Target>();
  try {
    for (const [name, start] of Object.entries<() => Promise<Target>>(starters)) targets.set(name, await start());
    return await work(Object.fromEntries(targets) as Record<Name, Target>);
  } finally {
    await Promise.all([...targets.values()].map((target) => target.stop()));
  }
}

/** Starts `millime serve --role http` as the compiled program. Its log goes to a file. */
export async function startMillime(
  site: Site,
  { logLevel = 'info', nodeOptions = [] }: MillimeOptions = {},
): Promise<Target> {
  const args = [...nodeOptions, MILLIME, 'serve', '--role', 'http'];
  const env = { ...site.env, HOST: '127.0.0.1', LOG_LEVEL: logLevel, DRAIN_DELAY_MS: '0' };
  return startTarget(site, args, env, 'agent_confirmations');
}

/** Starts the plain Express app, with its database or without one. */
export async function startPlainApp(site: Site, { withDatabase }: { readonly withDatabase: boolean }): Promise<Target> {
  const env = { PLAIN_TOKEN: site.token, ...(withDatabase ? { PLAIN_DATABASE_URL: site.database.url } : {}) };
  return startTarget(site, [...TYPESCRIPT, PLAIN_APP], env, withDatabase ? 'plain_confirmations' : undefined);
}

async function startTarget(
  site: Site,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  confirms: string | undefined,
): Promise<Target> {
  const port = await freePort();
  const log = openSync(join(site.folder, `${port}.log`), 'a');
  const child = startChild(process.execPath, args, {
    folder: site.folder,
    env: { ...env, PORT: String(port) },
    stdout: log,
  });
  closeSync(log);
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilItAnswers(child, url, site.token);
  } catch (error) {
    await stopChild(child);
    throw error;
  }
  return { site, url, pid: child.pid ?? 0, confirms, stop: () => stopChild(child) };
}

async function untilItAnswers(child: ChildProcess, url: string, token: string): Promise<void> {
  const until = performance.now() + START_LIMIT_MS;
  for (;;) {
    const answer = await firstCheck(url, token);
    if (answer?.startsWith('{"code":"0"') === true) return;
    if (child.exitCode !== null || performance.now() > until) {
      throw new Error(`a server does not answer a check: ${answer ?? 'no connection'}`);
    }
    await sleep(POLL_MS);
  }
}

/** Returns the answer to a check of the first agent; undefined if nothing listens yet. */
async function firstCheck(url: string, token: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/service/check/A0000001`, { headers: { authorization: `Bearer ${token}` } });
    return await response.text();
  } catch {
    return undefined;
  }
}
