// Goal: every help text follows docs/STYLE.md.
// Method: all commands are registered on a program, and each description, option and argument is read.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Command } from 'commander';
import { registerBreakCommands } from '../../../src/cli/breaks';
import { COMMAND_FILES } from '../../../src/cli/command-list';
import { registerDoctorCommand } from '../../../src/cli/doctor';
import { errorLines } from '../../../src/cli/report-error';
import type { RegisterCommands, RunCommand } from '../../../src/cli/testing';
import { loadConfig } from '../../../src/config';
import { AppError, DAY_MS } from '../../../src/kernel';
import { fixedClock } from '../../support/fakes';
import { runCommand } from './support/run-command';

const FOLDER = join(__dirname, '..', '..', '..', 'src', 'cli');
const CHARACTERS_MAX = 70;
const REGISTERS = /^register[A-Z]\w*Commands?$/;
/** They add commands below a command of another file. */
const PARTS = ['registerAccountCommands', 'registerImportCommand', 'registerProposalCommands'];

async function everyCommand(): Promise<Command> {
  const program = new Command('millime');
  for (const file of readdirSync(FOLDER).filter(
    (name) => name.endsWith('.ts') && !['main.ts', 'testing.ts'].includes(name),
  )) {
    const found = (await import(join(FOLDER, file))) as Readonly<Record<string, RegisterCommands>>;
    for (const [name, register] of Object.entries(found)) {
      if (REGISTERS.test(name) && !PARTS.includes(name)) register(program, undefined as unknown as RunCommand);
    }
  }
  return program;
}

function textsOf(command: Command, path: string): [string, string][] {
  return [
    ...command.options
      .filter(({ hidden }) => !hidden)
      .map(({ flags, description }): [string, string] => [`${path} ${flags}`, description]),
    ...command.registeredArguments
      .filter(({ description }) => description !== '')
      .map((argument): [string, string] => [`${path} <${argument.name()}>`, argument.description]),
    ...command.commands.flatMap((child): [string, string][] => {
      const name = `${path} ${child.name()}`;
      return [...(path === '' ? [] : [[name, child.description()] as [string, string]]), ...textsOf(child, name)];
    }),
  ];
}

test('keeps every help text in lower case, short, and without a full stop or an exit code', async () => {
  const program = await everyCommand();
  const listed = COMMAND_FILES.flatMap(({ commands }) => Object.entries(commands));
  expect(program.commands.map((command) => command.name()).sort()).toEqual(listed.map(([name]) => name).sort());
  const faulty = [...listed, ...textsOf(program, '')].filter(
    ([, text]) =>
      text === '' ||
      text.length > CHARACTERS_MAX ||
      /\.$|exit code|when not given/.test(text) ||
      /^[A-Z][a-z]/.test(text),
  );
  expect(faulty).toEqual([]);
});

const noRun = Object.assign(() => Promise.resolve(), {
  onNewBooks: () => Promise.resolve(),
  beforeMigration: () => Promise.resolve(),
}) satisfies RunCommand;

function breaksCommand(name: string): Command | undefined {
  const program = new Command('millime');
  registerBreakCommands(program, noRun);
  return program.commands[0]?.commands.find((each) => each.name() === name);
}

describe('errorLines', () => {
  test.each([
    ['assign', 'assignee', '--to'],
    ['list', 'assignee', '--assignee'],
    ['propose', 'amountMillimes', '--amount'],
    ['propose', 'itemIds', '--items'],
    ['propose', 'lineId', '--line'],
    ['show', 'id', '<id>'],
    ['show', 'MILLIME_API_KEY', 'MILLIME_API_KEY'],
  ])('names in "breaks %s" the field %s %s, as the user types it', (name, field, shown) => {
    const error = new AppError('bad_input', { field, expected: 'another value', got: 'x' });
    expect(errorLines(error, breaksCommand(name))).toEqual([`${shown}: expected another value, got "x"`]);
  });

  test('names the command that lists what was not found', () => {
    const line = (thing: string): string => errorLines(new AppError('not_found', { thing, id: 'nope' }), undefined)[0];
    expect(line('payment')).toBe('payment not found: "nope"; run "millime payments list"');
    expect(line('agent')).toBe('agent not found: "nope"');
  });

  test('returns each detail in a line, and how many are hidden', () => {
    const details = Array.from({ length: 10_002 }, (_, index) => `line ${index}`);
    const error = new AppError('file_faults', { file: 'agents.csv' }, { details });
    const [message, first, ...others] = errorLines(error, undefined);
    expect([message, first, others.length, others.at(-1)]).toEqual([
      'agents.csv: has faults; nothing was stored',
      'line 0',
      10_000,
      'and 2 more',
    ]);
  });
});

const clock = fixedClock('2026-03-02T17:04:59+01:00');
const folder = mkdtempSync(join(tmpdir(), 'command-line-'));
afterAll(() => rmSync(folder, { recursive: true }));
const privateFile = join(folder, 'millime.sqlite3'); // doctor warns of one that others may open
writeFileSync(privateFile, '', { mode: 0o600 });

const rooms: Parameters<typeof runCommand>[1] = {
  clock,
  config: {
    ...loadConfig({}),
    database: { kind: 'sqlite', file: privateFile },
    businessTimeZone: 'Africa/Tunis',
    gatewayLacks: [],
    gateway: undefined,
    webhooks: undefined,
  },
  database: { dialect: 'sqlite' },
  identity: { hasActiveKey: () => Promise.resolve(false) },
  pendingMigrations: () => Promise.resolve([]),
  jobWatermarks: () => Promise.resolve(new Map([['reconcile', clock.now() - DAY_MS]])),
  serviceTokens: {
    diagnose: ({ instantText }) => {
      const expiresAt = clock.now() + DAY_MS;
      return Promise.resolve({ problems: [], warnings: [{ text: `expires at ${instantText(expiresAt)}` }], expiresAt });
    },
  },
};

describe('millime doctor', () => {
  test('prints each instant in the business time zone', async () => {
    const { lines, exitCode } = await runCommand(registerDoctorCommand, rooms, ['doctor']);
    expect(lines).toEqual(
      expect.arrayContaining([
        'businessNow         2026-03-02 17:04:59',
        'ok                  yes',
        'pendingMigrations   none',
        'jobs',
        '  reconcile  2026-03-01 17:04:59',
        'tokenExpiresAt      2026-03-03 17:04:59',
        'warning: expires at 2026-03-03 17:04:59',
      ]),
    );
    expect(exitCode).toBe(0);
  });

  test('prints each instant of the JSON in UTC', async () => {
    const { json, lines } = await runCommand(registerDoctorCommand, rooms, ['doctor', '--json']);
    expect(json).toMatchObject({
      ok: true,
      businessNow: '2026-03-02T16:04:59.000Z',
      jobs: { reconcile: '2026-03-01T16:04:59.000Z' },
      tokenExpiresAt: '2026-03-03T16:04:59.000Z',
      warnings: ['expires at 2026-03-03T16:04:59.000Z'],
    });
    expect(lines).toEqual([]);
  });
});
