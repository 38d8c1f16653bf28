import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError, formatInstant } from '../kernel';
import { commandLine } from './command-line';
import { demoInstant, FIRST_DAY } from './demo-calendar';
import { playAll } from './play-all';
import { startServer, type DemoEnvironment, type Program } from './processes';
import { setClock } from './set-clock';
import { tokenShape } from './shapes';
import { GATEWAY_CREDENTIAL, startDemoGateway, type DemoGateway } from './simulated-gateway';
import { CLOCK_NAME } from './stage';
import { createStory, type Story } from './story';

const SEED = 7;
const START = '08:00';
const DATABASE_NAME = 'millime.sqlite3';

export interface DemoOptions {
  readonly program: Program;
  /** A new folder for the demo's database, keys, clock, bank files and report. */
  readonly folder: string;
  /** Whether the folder is left for looking when everything added up. After a fault it always is. */
  readonly keepsFolder: boolean;
  readonly print: (line: string) => void;
}

/**
 * The main job, once, for real: nine days of March 2026 pass at a simulated gateway and its bank. Customers and agents pay
 * through every channel; the bank's files say only which sums came; Millime finds out which payments each sum paid, proves
 * the days, closes them, and writes a report. Everything runs through the same commands and the same server as in
 * production, and only the clock file makes it quick.
 *
 * @throws AppError `internal` when anything does not add up; `bad_input` for a folder that cannot be made.
 */
export async function runDemo({ program, folder, keepsFolder, print }: DemoOptions): Promise<void> {
  const startedAt = performance.now();
  makeFolder(folder);
  const story = createStory(print);
  const startAt = demoInstant(FIRST_DAY, START);
  setClock(join(folder, CLOCK_NAME), formatInstant(startAt));
  story.step('start a simulated gateway, and a server on a fresh embedded database');
  const gateway = await startDemoGateway(SEED, startAt);
  let report: string;
  try {
    report = await play({ program, folder, story, gateway });
  } finally {
    await gateway.close();
  }
  print('');
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  print(`everything added up: ${story.steps()} steps in ${seconds} s`);
  if (!keepsFolder) {
    rmSync(folder, { recursive: true });
    return;
  }
  print(`open the report in a browser: ${resolve(report)}`);
  print('or look around in the books, for example:');
  print(`  DATABASE_URL=${databaseUrl(folder)} npx millime report payouts --from ${FIRST_DAY}`);
}

interface Parts {
  readonly program: Program;
  readonly folder: string;
  readonly story: Story;
  readonly gateway: DemoGateway;
}

async function play({ program, folder, story, gateway }: Parts): Promise<string> {
  const environment: DemoEnvironment = {
    DATABASE_URL: databaseUrl(folder),
    SERVICE_JWT_KEYS_FILE: join(folder, 'service-jwt-keys.json'),
    CLOCK_FILE: join(folder, CLOCK_NAME),
    LOG_LEVEL: 'info',
    GATEWAY_BASE_URL: gateway.baseUrl,
    ...GATEWAY_CREDENTIAL,
    CHECKOUT_SUCCESS_URL: 'https://shop.example/yes',
    CHECKOUT_FAIL_URL: 'https://shop.example/no',
  };
  const server = await startServer(program, environment);
  try {
    const millime = commandLine(program, { ...environment, PUBLIC_URL: server.baseUrl });
    const { token } = await millime.json(tokenShape, ['token', 'mint', '--subject', 'gateway', '--ttl', '30d']);
    const now = demoInstant(FIRST_DAY, START);
    return await playAll({ folder, gateway, millime, serviceUrl: server.baseUrl, token, story, now }, SEED);
  } finally {
    await server.stop();
  }
}

function databaseUrl(folder: string): string {
  return `sqlite:${join(folder, DATABASE_NAME)}`;
}

/** The demo starts from nothing, so its folder must be new. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) throw new AppError('bad_input', { field: '--folder', expected: 'a new folder', got: folder });
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const { code } = error as { code?: string };
    const fault = `${folder} cannot be created (${code ?? 'unknown reason'})`;
    throw new AppError('bad_input', { field: '--folder', fault }, { cause: error });
  }
}
