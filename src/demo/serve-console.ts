import { createInterface } from 'node:readline';
import type { BreakWorkflow } from '../breaks';
import type { Identity } from '../identity';
import { AppError, type Clock, monotonicClock, SECOND_MS } from '../kernel';
import type { ReportSpeech } from '../texts';
import { createPeople, type DemoUser, nextCode } from './people';
import { proposeDecision } from './play-open-days';
import { type Program, type ProgramEnvironment, type RunningProgram, startProgram } from './processes';
import { moveTo, type Stage } from './stage';

const HEAD = ['role', 'name', 'password', 'code'];

/** The rooms of an installation in this process. */
export interface Installation {
  readonly identity: Identity;
  readonly breakWorkflow: BreakWorkflow;
  readonly clock: Clock;
  close(): Promise<void>;
}

export type OpenInstallation = (environment: ProgramEnvironment) => Installation;

export interface ServedConsole {
  readonly program: Program;
  readonly environment: ProgramEnvironment;
  readonly open: OpenInstallation;
  readonly print: (line: string) => void;
  readonly speech: ReportSpeech;
  /** Resolves when the demo must end. */
  readonly stopped: Promise<void>;
}

/**
 * Serves the console on the data of the demo until it is stopped: creates a user of each role, starts the service with
 * its jobs, and prints the address with the passwords. The time of the demo goes on.
 *
 * @throws AppError `internal` if the service ends.
 */
export async function serveConsole(stage: Stage, served: ServedConsole): Promise<void> {
  const { program, environment, open, print, speech, stopped } = served;
  const clock: Clock = { now: () => stage.now };
  const people = await preparePeople(stage, open(environment));
  // On the port that webhooks of the played days name.
  const listening = { PUBLIC_URL: stage.serviceUrl, PORT: new URL(stage.serviceUrl).port };
  const server = await startProgram(program, { ...environment, ...listening }, ['serve']);
  const time = letTimePass(stage);
  const input = createInterface({ input: process.stdin });
  try {
    input.on('line', () => void printCodes(people, clock, print));
    await printSignIns(server, people, clock, { print, speech });
    await Promise.race([stopped, time.failed, failedWhenEnded(server)]);
  } finally {
    input.close();
    await time.stop();
    await server.stop();
  }
}

async function failedWhenEnded({ ended }: RunningProgram): Promise<never> {
  await ended;
  throw new AppError('internal', 'the service ended');
}

/** Moves the clocks of Millime and the gateway as real time passes. */
function letTimePass(stage: Stage): { readonly failed: Promise<never>; stop(): Promise<void> } {
  const offset = stage.now - monotonicClock.now();
  let moving = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const failed = new Promise<never>((_resolve, reject) => {
    timer = setInterval(() => {
      moving = moving.then(() => moveTo(stage, Math.floor(offset + monotonicClock.now())));
      moving.catch(reject);
    }, SECOND_MS);
  });
  return {
    failed,
    async stop() {
      clearInterval(timer);
      await moving.catch(() => undefined); // `failed` reports it
    },
  };
}

/** Creates the users, one of whom proposes a decision, so that another has one to approve. */
async function preparePeople(stage: Stage, millime: Installation): Promise<readonly DemoUser[]> {
  try {
    const people = await createPeople(millime.identity, millime.clock);
    const finance = people.find(({ role }) => role === 'finance');
    if (finance === undefined) throw new AppError('internal', 'no user of the demo has the role finance');
    await proposeDecision(stage, millime, finance);
    return people;
  } finally {
    await millime.close();
  }
}

async function printSignIns(
  { baseUrl }: RunningProgram,
  people: readonly DemoUser[],
  clock: Clock,
  { print, speech: { say, word } }: Pick<ServedConsole, 'print' | 'speech'>,
): Promise<void> {
  print('');
  print(say(`the console: ${baseUrl}/console`));
  print('');
  const rows = await Promise.all(
    people.map(async ({ role, name, password, secret }) => [
      ...[word('role', role), name, password, secret === undefined ? '' : await nextCode(secret, clock.now())],
    ]),
  );
  const heads = HEAD.map(say);
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of [heads, ...rows]) {
    print(`  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
  }
  print('');
  print(say('codes expire within a minute: press Enter for new ones'));
  print(say('an authenticator app shows other codes, because the demo has a clock of its own'));
  print(say('press Ctrl-C to end'));
}

async function printCodes(people: readonly DemoUser[], clock: Clock, print: ServedConsole['print']): Promise<void> {
  for (const { name, secret } of people) {
    if (secret !== undefined) print(`  ${name}  ${await nextCode(secret, clock.now())}`);
  }
}
