#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { escapeUnseen, PACKAGE_ROOT } from '../kernel';
import { addCommands } from './add-commands';
import { EXIT, type CliIo, type RunCommand } from './command';
import { requireDatabaseFile } from './database-file';
import { reportError } from './report-error';

const io: CliIo = {
  line: (text = '') => void process.stdout.write(`${text}\n`),
  json: (value) => void process.stdout.write(`${escapeUnseen(JSON.stringify(value, undefined, 2))}\n`),
};

type Work = Parameters<RunCommand>[0];

/** What a command needs of the database: that it is there and up to date, that it can be made so, or nothing yet. */
type Books = 'there' | 'made' | 'as they are';

async function runOnMillime(work: Work, books: Books): Promise<void> {
  const [{ loadConfig }, { createLogger }, { compose }] = await Promise.all([
    import('../config/index.js'),
    import('../logging/index.js'),
    import('../compose.js'),
  ]);
  const config = loadConfig();
  // Before anything is composed: that alone makes the folder of the file.
  if (books === 'there') requireDatabaseFile(config.database);
  // Commands say what they did on stdout; the log is for what goes wrong beside it. What a migration could not do in full
  // is a warning that its operator must see.
  const level = books === 'as they are' ? 'warn' : 'error';
  const logger = createLogger({ level: config.logLevel === 'debug' ? 'debug' : level });
  const millime = compose(config, logger);
  try {
    if (books !== 'as they are') await millime.prepareDatabase();
    process.exitCode = (await work(millime, io)) ?? EXIT.done;
  } finally {
    await millime.close();
  }
}

const run: RunCommand = Object.assign((work: Work) => runOnMillime(work, 'there'), {
  onNewBooks: (work: Work) => runOnMillime(work, 'made'),
  beforeMigration: (work: Work) => runOnMillime(work, 'as they are'),
});

async function main(): Promise<void> {
  const program = new Command('millime')
    .description("the integrator's side of the payment gateway: agents' payments, books, reconciliation")
    .version(packageVersion())
    .showHelpAfterError()
    .exitOverride();
  let running: Command | undefined;
  program.hook('preAction', (_program, command) => {
    running = command;
  });
  try {
    await addCommands(program, run, process.argv.slice(2));
    await program.parseAsync();
  } catch (error) {
    process.exitCode = reportError(error, running);
  }
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as { version: string };
  return version;
}

// The reader of the output may leave, as `head` does. What the command did is done.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return;
  process.stderr.write(`millime: the output cannot be written (${code ?? 'unknown reason'})\n`);
  process.exitCode = EXIT.fault;
});

void main();
