#!/usr/bin/env node
import type { Command } from 'commander';
import { escapeUnseen } from '../kernel';
import { addCommands } from './add-commands';
import { type CliIo, EXIT, type RunCommand } from './command';
import { requireDatabaseFile } from './database-file';
import { environmentLanguage, speak, t } from './language';
import { createProgram } from './program';
import { reportError } from './report-error';

// Whatever this process writes holds data: other users of the machine must not read it. SQLite and libraries create
// files without a mode of their own.
process.umask(0o077);

const io: CliIo = {
  isTerminal: process.stdout.isTTY,
  line: (text = '') => void process.stdout.write(`${text}\n`),
  json: (value) => void process.stdout.write(`${escapeUnseen(JSON.stringify(value, undefined, 2))}\n`),
};

type Work = Parameters<RunCommand>[0];

/** The database that a command needs: an existing one, one that may be created, or as it is. */
type Books = 'existing' | 'created' | 'unchanged';

async function runOnMillime(work: Work, books: Books): Promise<void> {
  const [{ loadConfig }, { createLogger }, { compose }] = await Promise.all([
    import('../config/index.js'),
    import('../logging/index.js'),
    import('../compose.js'),
  ]);
  const config = loadConfig();
  // Checked before compose, which creates the folder of the file.
  if (books === 'existing') requireDatabaseFile(config.database);
  // Commands print their result on stdout, so the log contains only faults. A migration also logs warnings, because its
  // operator must see incomplete steps.
  const level = books === 'unchanged' ? 'warn' : 'error';
  const logger = createLogger({ level: config.logLevel === 'debug' ? 'debug' : level });
  const millime = compose(config, logger);
  try {
    if (books !== 'unchanged') await millime.prepareDatabase();
    process.exitCode = (await work(millime, io)) ?? EXIT.done;
  } finally {
    await millime.close();
  }
}

const run: RunCommand = Object.assign((work: Work) => runOnMillime(work, 'existing'), {
  onNewBooks: (work: Work) => runOnMillime(work, 'created'),
  beforeMigration: (work: Work) => runOnMillime(work, 'unchanged'),
});

async function main(): Promise<void> {
  speak(environmentLanguage());
  const program = createProgram();
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

// The reader of the output may close the pipe, as `head` does. The command has completed its work.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return;
  process.stderr.write(`millime: ${t('cli:error.output', { reason: code ?? t('cli:error.unknownReason') })}\n`);
  process.exitCode = EXIT.fault;
});

void main();
