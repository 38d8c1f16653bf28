import { type Command, Option } from 'commander';
import type { Millime } from '../compose';
import {
  type Actor,
  type Language,
  LANGUAGES,
  type ListedSession,
  type OneTimeCode,
  OPERATOR,
  type User,
  type UserKey,
  type Users,
} from '../identity';
import { AppError, type BusinessCalendar, rowsOfPages } from '../kernel';
import { newUserJson, resetCodeJson, userJson, userSessionJson } from '../shapes/users';
import {
  type CliIo,
  EXIT,
  type RegisterCommands,
  type RunCommand,
  type ShowOptions,
  whoActs,
  writeAside,
  type WriteOptions,
} from './command';
import { doneText, type Step } from './done-text';
import { colon, t, word } from './language';
import { columnText, printSection, printTable } from './print-table';

interface CreateOptions extends WriteOptions {
  fullName: string;
  roles: string;
  language?: Language;
  recover?: true;
  reason?: string;
}

type DecideOptions = WriteOptions & { reason: string };

const USERS_LISTED_MAX = 10_000;

export const registerUserCommands: RegisterCommands = (program, run) => {
  const users = program.command('users');
  registerReading(users, run);
  registerCreate(users, run);
  registerResetPassword(users, run);
  registerRoles(users, run);
  registerEndSessions(users, run);
  registerDecision(users, run, { name: 'disable', decide: (room) => room.disable, verb: 'disable', noun: 'user' });
  registerDecision(users, run, { name: 'enable', decide: (room) => room.enable, verb: 'enable', noun: 'user' });
  registerDecision(users, run, {
    ...{ name: 'reset-second-factor', decide: (room) => room.resetSecondFactor },
    ...{ verb: 'reset', noun: 'secondFactor' },
  });
};

function registerReading(users: Command, run: RunCommand): void {
  users
    .command('list')
    .option('--json')
    .action(({ json }: ShowOptions) =>
      run(async ({ identity, calendar }, io) => {
        const found = await rowsOfPages<User, UserKey>(USERS_LISTED_MAX, (after, limit) =>
          identity.users.list({ after, limit }),
        );
        if (json === true) return io.json(found.map(userJson));
        const rows = found.map((user) => userRow(user, calendar));
        printTable(io, USER_COLUMNS, rows, t('cli:count.user', { count: rows.length }));
      }),
    );

  users
    .command('show <name>')
    .option('--json')
    .action((name: string, { json }: ShowOptions) =>
      run(async ({ identity, calendar }, io) => {
        const user = await identity.users.find(name);
        const sessions = await identity.sessions.list(name);
        if (json === true) return io.json({ ...userJson(user), sessions: sessions.map(userSessionJson) });
        printUser(user, sessions, io, calendar);
      }),
    );
}

function registerCreate(users: Command, run: RunCommand): void {
  users
    .command('create <name>')
    .requiredOption('--full-name <name>')
    .requiredOption('--roles <roles>')
    .addOption(new Option('--language <language>').choices(LANGUAGES))
    .option('--recover')
    .option('--reason <text>')
    .option('--json')
    .option('--dry-run')
    .action((name: string, options: CreateOptions) =>
      run.onNewBooks(async (millime, io) => {
        const { fullName, language, reason } = options;
        const actor = await creatorOf(millime, options);
        const given = { name, fullName, roles: words(options.roles), language, actor, reason };
        const made = await millime.identity.users.create({ ...given, dryRun: options.dryRun === true });
        const { user } = made;
        const facts = { name, roles: user.roles.map((role) => word('role', role)).join(', ') };
        if (options.json === true) io.json(newUserJson(made));
        else printCode(made, io);
        writeAside(t(made.code === undefined ? 'cli:users.wouldCreate' : 'cli:users.created', facts));
        remark(made, millime.calendar);
        return EXIT.done;
      }),
    );
}

/** Returns who creates a user. With `--recover` it is the operator, who needs no key but a reason. */
async function creatorOf(millime: Millime, { recover, reason }: CreateOptions): Promise<Actor> {
  if (recover !== true) {
    if (reason === undefined) return whoActs(millime, { decides: true });
    throw new AppError('bad_input', { field: '--reason', fault: 'works only with --recover' });
  }
  if (millime.config.apiKey !== undefined) {
    const fix = 'unset it, or create the user with it';
    throw new AppError('bad_input', { field: '--recover', fault: 'cannot be used with MILLIME_API_KEY', fix });
  }
  if (reason === undefined) {
    throw new AppError('bad_input', { field: '--reason', expected: 'the reason for --recover, got none' });
  }
  return OPERATOR;
}

function registerResetPassword(users: Command, run: RunCommand): void {
  deciding(users.command('reset-password <name>')).action((name: string, options: DecideOptions) =>
    run(async (millime, io) => {
      const code = await millime.identity.users.resetPassword(await commandOf(millime, name, options));
      if (options.json === true) io.json(resetCodeJson(name, code));
      else printCode(code, io);
      const isDry = code.code === undefined;
      writeAside(t(isDry ? 'cli:users.wouldRemove' : 'cli:users.removed', { name }));
      remark(code, millime.calendar);
    }),
  );
}

function registerRoles(users: Command, run: RunCommand): void {
  deciding(users.command('roles <name>'))
    .requiredOption('--roles <roles>')
    .action((name: string, options: DecideOptions & { roles: string }) =>
      run(async (millime, io) => {
        const command = await commandOf(millime, name, options);
        const outcome = await millime.identity.users.setRoles({ ...command, roles: words(options.roles) });
        const { dryRun } = command;
        if (options.json === true) return io.json({ name, outcome, dryRun });
        io.line(doneText(outcome, { verb: 'change', noun: 'roles', name, dryRun }));
      }),
    );
}

function registerEndSessions(users: Command, run: RunCommand): void {
  deciding(users.command('end-sessions <name>')).action((name: string, options: DecideOptions) =>
    run(async (millime, io) => {
      const command = await commandOf(millime, name, options);
      const ended = await millime.identity.sessions.endAll(command);
      const { dryRun } = command;
      if (options.json === true) return io.json({ name, ended, dryRun });
      io.line(
        t(dryRun ? 'cli:users.wouldEnd' : 'cli:users.ended', {
          sessions: t('cli:count.session', { count: ended }),
          name,
        }),
      );
    }),
  );
}

interface Decision extends Step {
  readonly name: string;
  readonly decide: (users: Users) => (command: Parameters<Users['disable']>[0]) => Promise<string>;
}

function registerDecision(users: Command, run: RunCommand, decision: Decision): void {
  const { name: step, decide, verb, noun } = decision;
  deciding(users.command(`${step} <name>`)).action((name: string, options: DecideOptions) =>
    run(async (millime, io) => {
      const command = await commandOf(millime, name, options);
      const outcome = await decide(millime.identity.users)(command);
      const { dryRun } = command;
      if (options.json === true) return io.json({ name, outcome, dryRun });
      io.line(doneText(outcome, { verb, noun, name, dryRun }));
    }),
  );
}

/** Adds the options of a decision about a user. */
function deciding(command: Command): Command {
  return command.requiredOption('--reason <text>').option('--dry-run').option('--json');
}

async function commandOf(millime: Millime, name: string, { reason, dryRun }: DecideOptions) {
  const actor = await whoActs(millime, { decides: true });
  return { name, reason, actor, dryRun: dryRun === true };
}

function words(text: string): string[] {
  return text.split(',').map((word) => word.trim());
}

/** Prints the code alone, so that `CODE=$(npx millime users create …)` contains only the code. */
function printCode({ code }: OneTimeCode, io: CliIo): void {
  if (code !== undefined) io.line(code);
}

function remark({ code, expiresAt }: OneTimeCode, calendar: BusinessCalendar): void {
  if (code === undefined) return;
  writeAside(t('cli:users.code', { until: calendar.formatLocal(expiresAt) }));
}

const USER_COLUMNS = ['name', 'full name', 'roles', 'state', 'second factor', 'created', 'by'];

function userRow(user: User, calendar: BusinessCalendar): string[] {
  const { name, fullName, roles, state, hasSecondFactor, createdAt, recordedBy } = user;
  const factor = t(hasSecondFactor ? 'cli:users.yes' : 'cli:users.no');
  return [
    name,
    fullName,
    roles.map((role) => word('role', role)).join(','),
    word('userState', state),
    factor,
    calendar.formatLocal(createdAt),
    recordedBy,
  ];
}

function printUser(user: User, sessions: readonly ListedSession[], io: CliIo, calendar: BusinessCalendar): void {
  for (const [index, value] of userRow(user, calendar).entries()) {
    io.line(colon(columnText(USER_COLUMNS[index] ?? ''), value));
  }
  const rows = sessions.map(({ id, address, startedAt, usedAt, expiresAt }) => [
    ...[id, address],
    ...[startedAt, usedAt, expiresAt].map((at) => calendar.formatLocal(at)),
  ]);
  printSection(io, t('cli:users.sessions'), ['id', 'address', 'started', 'last use', 'ends'], rows);
}
