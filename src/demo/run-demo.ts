import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError, counted, formatInstant, stopSignal, systemCodeOf } from '../kernel';
import type { ReportSpeech } from '../texts';
import { commandLine } from './command-line';
import { demoInstant, FIRST_DAY } from './demo-calendar';
import { playAll } from './play-all';
import { playOpenDays } from './play-open-days';
import { type Program, type ProgramEnvironment, startProgram } from './processes';
import { type OpenInstallation, serveConsole } from './serve-console';
import { setClock } from './set-clock';
import { tokenShape } from './shapes';
import { type DemoGateway, GATEWAY_CREDENTIAL, startDemoGateway } from './simulated-gateway';
import { CLOCK_NAME, type Stage } from './stage';
import { createStory, type Story } from './story';

const SEED = 7;
const START = '08:00';
const DATABASE_NAME = 'millime.sqlite3';

export interface DemoOptions {
  readonly program: Program;
  /** A new folder for the demo's database, keys, clock, bank files and report. */
  readonly folder: string;
  /** Whether the folder stays after the demo passed. After a fault it always stays. */
  readonly keepsFolder: boolean;
  /** Whether the demo then serves the console, until SIGTERM or SIGINT. */
  readonly serves: boolean;
  /** Opens the installation of the demo in this process. */
  readonly open: OpenInstallation;
  readonly print: (line: string) => void;
  /** English by default. */
  readonly speech: ReportSpeech;
}

/**
 * Plays nine days of March 2026 with a simulated gateway and its bank. Customers and agents pay through every channel,
 * and the bank files list amounts only. Millime infers which payments each credit paid, proves and closes the days, and
 * writes a report. The demo runs the commands and the server of production. A clock file makes time pass quickly.
 *
 * @throws AppError `internal` if a check fails; `bad_input` if the folder cannot be created.
 */
export async function runDemo(options: DemoOptions): Promise<void> {
  const { program, folder, keepsFolder, serves, open, print, speech } = options;
  const startedAt = performance.now();
  makeFolder(folder);
  const stopped = stopSignal();
  const story = createStory(print, speech);
  const startAt = demoInstant(FIRST_DAY, START);
  setClock(join(folder, CLOCK_NAME), formatInstant(startAt));
  story.step('start a simulated gateway, and a server on a new SQLite database');
  const gateway = await startDemoGateway(SEED, startAt);
  try {
    const environment = environmentOf(folder, gateway);
    const played = play({ program, folder, story, gateway, environment, staysOpen: serves });
    const { stage, report } = await Promise.race([played, interrupted(stopped)]);
    print('');
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
    print(speech.say(`demo passed: ${counted(story.steps(), 'step')} in ${seconds} s`));
    if (keepsFolder) printNext(folder, report, { print, say: speech.say });
    if (serves) await serveConsole(stage, { program, environment, open, print, speech, stopped });
  } finally {
    await gateway.close();
  }
  if (!keepsFolder) rmSync(folder, { recursive: true });
}

type Printer = Pick<DemoOptions, 'print'> & Pick<ReportSpeech, 'say'>;

function printNext(folder: string, report: string, { print, say }: Printer): void {
  print(say(`open the report in a browser: ${resolve(report)}`));
  print(say('query the ledger, for example:'));
  print(`  DATABASE_URL=${databaseUrl(folder)} npx millime report payouts --from ${FIRST_DAY}`);
}

/** Fails when the demo must end before it has passed. */
async function interrupted(stopped: Promise<void>): Promise<never> {
  await stopped;
  throw new AppError('interrupted', 'the demo was interrupted');
}

interface Parts {
  readonly program: Program;
  readonly folder: string;
  readonly story: Story;
  readonly gateway: DemoGateway;
  readonly environment: ProgramEnvironment;
  /** Whether two more days follow that are not closed. */
  readonly staysOpen: boolean;
}

async function play({ program, folder, story, gateway, environment, staysOpen }: Parts): Promise<Played> {
  // Without jobs: `poll` checks the same statuses at fixed times, so every demo is the same.
  const server = await startProgram(program, { ...environment, PORT: '0' }, ['serve', '--role', 'http']);
  try {
    const { baseUrl: serviceUrl } = server;
    const millime = commandLine(program, { ...environment, PUBLIC_URL: serviceUrl, LC_ALL: story.lang });
    const { token } = await millime.json(tokenShape, ['token', 'mint', '--subject', 'gateway', '--ttl', '30d']);
    const now = demoInstant(FIRST_DAY, START);
    const stage: Stage = { folder, gateway, millime, serviceUrl, token, story, now };
    const report = await playAll(stage, SEED);
    if (staysOpen) await playOpenDays(stage);
    return { stage, report };
  } finally {
    await server.stop();
  }
}

interface Played {
  readonly stage: Stage;
  readonly report: string;
}

function environmentOf(folder: string, gateway: DemoGateway): ProgramEnvironment {
  return {
    DATABASE_URL: databaseUrl(folder),
    SERVICE_JWT_KEYS_FILE: join(folder, 'service-jwt-keys.json'),
    CLOCK_FILE: join(folder, CLOCK_NAME),
    LOG_LEVEL: 'info',
    HOST: '127.0.0.1',
    GATEWAY_BASE_URL: gateway.baseUrl,
    ...GATEWAY_CREDENTIAL,
    CHECKOUT_SUCCESS_URL: 'https://shop.example/yes',
    CHECKOUT_FAIL_URL: 'https://shop.example/no',
  };
}

function databaseUrl(folder: string): string {
  return `sqlite:${join(folder, DATABASE_NAME)}`;
}

/** Creates the folder, which must be new. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) throw new AppError('bad_input', { field: '--folder', expected: 'a new folder', got: folder });
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const fault = `${folder} cannot be created (${systemCodeOf(error)})`;
    throw new AppError('bad_input', { field: '--folder', fault }, { cause: error });
  }
}
