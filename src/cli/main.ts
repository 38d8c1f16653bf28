#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { escapeUnseen, isAppError, PACKAGE_ROOT } from '../kernel';
import { addCommands } from './add-commands';
import { EXIT, type CliIo, type ExitCode, type RunCommand } from './command';
import { requireDatabaseFile } from './database-file';

const DETAILS_SHOWN_MAX = 10_000;

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
  try {
    await addCommands(program, run, process.argv.slice(2));
    await program.parseAsync();
  } catch (error) {
    process.exitCode = report(error);
  }
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as { version: string };
  return version;
}

/** One line for what was wrong and one for each detail; a stack only for our own bugs. */
function report(error: unknown): ExitCode {
  // Commander has printed its message already; help and version end in success.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.badInput;
  if (!isAppError(error) || error.code === 'internal') {
    process.stderr.write(
      `millime: our own fault: ${error instanceof Error ? (error.stack ?? error.message) : 'unknown'}\n`,
    );
    return EXIT.fault;
  }
  process.stderr.write(`millime: ${error.message}\n`);
  for (const detail of error.details.slice(0, DETAILS_SHOWN_MAX)) process.stderr.write(`  ${detail}\n`);
  const hidden = error.details.length - DETAILS_SHOWN_MAX;
  if (hidden > 0) process.stderr.write(`  and ${hidden} more\n`);
  return isAppError(error, 'bad_input', 'not_found', 'conflict', 'forbidden') ? EXIT.badInput : EXIT.fault;
}

// The reader of our output may leave, as `head` does: what the command did is done, and there is nobody to tell.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return;
  process.stderr.write(`millime: the output cannot be written (${code ?? 'unknown reason'})\n`);
  process.exitCode = EXIT.fault;
});

void main();
