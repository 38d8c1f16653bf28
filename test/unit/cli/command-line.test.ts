// Goal: every help text follows docs/STYLE.md.
// Method: all commands are registered on a program, and each description, option and argument is read.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { Command } from 'commander';
import { registerBreakCommands } from '../../../src/cli/breaks';
import { COMMAND_FILES } from '../../../src/cli/command-list';
import { registerDoctorCommand } from '../../../src/cli/doctor';
import { helpText } from '../../../src/cli/help-texts';
import { COMMAND_LANGUAGES, type CommandLanguage, speak } from '../../../src/cli/language';
import { createProgram } from '../../../src/cli/program';
import { errorLines } from '../../../src/cli/report-error';
import type { RegisterCommands, RunCommand } from '../../../src/cli/testing';
import { loadConfig } from '../../../src/config';
import { AppError, DAY_MS } from '../../../src/kernel';
import { terminalTexts } from '../../../src/texts';
import { fixedClock } from '../../support/fakes';
import { runCommand } from './support/run-command';

const FOLDER = join(__dirname, '..', '..', '..', 'src', 'cli');
const CHARACTERS_MAX = 70;
const REGISTERS = /^register[A-Z]\w*Commands?$/;
/** They add commands below a command of another file. */
const PARTS = ['registerAccountCommands', 'registerImportCommand', 'registerProposalCommands'];

async function everyCommand(): Promise<Command> {
  const program = createProgram();
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

/** Returns the parts of each shown command that have a text: the command, its options and those arguments. */
function partsOf(command: Command, path: string): { path: string; part: string; isOptional: boolean }[] {
  return [
    { path, part: 'about', isOptional: false },
    ...command.options
      .filter(({ hidden }) => !hidden)
      .map(({ long }) => ({ path, part: long ?? '', isOptional: false })),
    ...command.registeredArguments.map((argument) => ({ path, part: argument.name(), isOptional: true })),
    ...command
      .createHelp()
      .visibleCommands(command)
      .filter((child) => child.name() !== 'help')
      .flatMap((child) => partsOf(child, path === 'millime' ? child.name() : `${path} ${child.name()}`)),
  ];
}

const textsIn = (language: CommandLanguage, parts: ReturnType<typeof partsOf>): [string, string][] => {
  speak(language);
  return parts.flatMap(({ path, part, isOptional }): [string, string][] => {
    const text = helpText(path, part);
    return text === undefined && isOptional ? [] : [[`${path} ${part}`, text ?? '']];
  });
};

afterEach(() => speak('en'));

describe('the help', () => {
  test.each(COMMAND_LANGUAGES)(
    'is in lower case, short, and without a full stop or an exit code in %s',
    async (language) => {
      const program = await everyCommand();
      const listed = COMMAND_FILES.flatMap(({ commands }) => commands);
      expect(program.commands.map((command) => command.name()).sort()).toEqual(listed.toSorted());
      const faulty = textsIn(language, partsOf(program, 'millime')).filter(
        ([, text]) =>
          text === '' ||
          text.length > CHARACTERS_MAX ||
          /\.$|exit code|when not given/.test(text) ||
          /^[A-Z][a-z]/.test(text),
      );
      expect(faulty).toEqual([]);
    },
  );

  test('has no text that no command shows', async () => {
    const parts = partsOf(await everyCommand(), 'millime');
    const shown = new Set(parts.flatMap(({ path, part }) => [`command.${path}.${part}`, `common.${part}`]));
    const others = Object.keys(terminalTexts('fr').all('help')).filter(
      (key) => !shown.has(key) && !/^frame\.|\.after$|^common\.(--help|help)$/.test(key),
    );
    expect(others).toEqual([]);
  });

  test('is translated, but for names', async () => {
    const parts = partsOf(await everyCommand(), 'millime');
    const english = textsIn('en', parts);
    const french = textsIn('fr', parts);
    const same = french.filter(([, text], index) => text === english[index]?.[1]).map(([, text]) => text);
    expect(same).toEqual([]);
  });
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
    ...loadConfig({ PORT: '0' }),
    database: { kind: 'sqlite', file: privateFile },
    businessTimeZone: 'Africa/Tunis',
    gatewayLacks: [],
    gateway: undefined,
    webhooks: undefined,
  },
  database: { dialect: 'sqlite' },
  identity: { hasActiveKey: () => Promise.resolve(false) },
  pendingMigrations: () => Promise.resolve([]),
  statements: { profiles: () => [] },
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
