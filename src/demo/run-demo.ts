import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '../kernel';
import { DEMO_FILES, DEMO_TIMES } from './demo-pack';
import { playGateway } from './play-gateway';
import { runCommand, startServer, type DemoEnvironment, type Program } from './processes';
import { setClock } from './set-clock';

const EXIT_BREAKS = 3;

export interface DemoOptions {
  readonly program: Program;
  /** A new folder for the demo's database, keys and clock. */
  readonly folder: string;
  readonly print: (line: string) => void;
}

/**
 * The main job, once, for real: agents pay through the gateway, the books hold every payment once, the bank's statement
 * comes in, and a report says which credit paid which payments, what is on its way and what is wrong. Everything runs
 * through the same commands and the same server as in production; the clock file replays five days of March 2026.
 *
 * @throws AppError `internal` when anything is not as it should be.
 */
export async function runDemo({ program, folder, print }: DemoOptions): Promise<void> {
  const startedAt = performance.now();
  const { step, total } = steps(print);
  makeFolder(folder);
  const clockFile = join(folder, 'clock');
  const environment: DemoEnvironment = {
    DATABASE_URL: `sqlite:${join(folder, 'millime.sqlite3')}`,
    SERVICE_JWT_KEYS_FILE: join(folder, 'service-jwt-keys.json'),
    CLOCK_FILE: clockFile,
    LOG_LEVEL: 'info',
  };
  const millime = (...args: string[]): Promise<string> => runCommand(program, environment, args);

  setClock(clockFile, DEMO_TIMES.imports);
  step('start the server on a fresh embedded database');
  const server = await startServer(program, environment);
  try {
    step('import the agents and what they owe', await millime('agents', 'import', DEMO_FILES.agents));
    print(indent(await millime('dues', 'import', DEMO_FILES.dues)));
    step('mint a token for the gateway');
    const token = (await millime('token', 'mint', '--subject', 'gateway', '--ttl', '30d')).trim();
    step('play the gateway: five days of checks and confirms over HTTP');
    const { calls, atOnce, answers } = await playGateway(server.baseUrl, token, clockFile);
    print(indent(`${calls} calls, up to ${atOnce} at once, every answer as expected`));
    for (const [answer, count] of Object.entries(answers).sort()) print(indent(`${answer}: ${count}`));
    setClock(clockFile, DEMO_TIMES.statement);
    step("import the bank's statement", await millime('statements', 'import', DEMO_FILES.statement));
    const reconcile = ['reconcile', '--through', DEMO_TIMES.through];
    step('reconcile', await runCommand(program, environment, reconcile, [EXIT_BREAKS]));
    step('report', await millime('report', 'daily', '--through', DEMO_TIMES.through));
    step('check the books', await millime('ledger', 'verify'));
  } finally {
    await server.stop();
  }
  print('');
  print(
    `done in ${((performance.now() - startedAt) / 1000).toFixed(1)} s, ${total()} steps; the database is ${resolve(folder, 'millime.sqlite3')}`,
  );
  print('look around in it, for example:');
  print(`  DATABASE_URL=${environment['DATABASE_URL'] ?? ''} npx millime breaks list`);
}

/** The demo starts from nothing, so its folder must be new. */
function makeFolder(folder: string): void {
  if (existsSync(folder))
    throw new AppError('bad_input', `--folder: ${folder} is there already; the demo wants a new one`);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const { code } = error as { code?: string };
    throw new AppError('bad_input', `--folder: ${folder} cannot be made (${code ?? 'unknown reason'})`, {
      cause: error,
    });
  }
}

function steps(print: (line: string) => void): { step(title: string, output?: string): void; total(): number } {
  let count = 0;
  return {
    step(title, output = '') {
      count += 1;
      print('');
      print(`[${count}] ${title}`);
      if (output !== '') print(indent(output));
    },
    total: () => count,
  };
}

function indent(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`.trimEnd())
    .join('\n');
}
