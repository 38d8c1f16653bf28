import { join } from 'node:path';
import { compose } from '../compose';
import { loadConfig } from '../config';
import { runDemo } from '../demo';
import { formatInstant, systemClock } from '../kernel';
import { silentLogger } from '../logging';
import type { RegisterCommands } from './command';
import { chosenSpeech } from './language';

interface Options {
  readonly folder?: string;
  readonly discard?: true;
  readonly serve?: true;
}

export const registerDemoCommand: RegisterCommands = (program) => {
  program
    .command('demo')
    .option('--folder <path>')
    .option('--discard')
    .option('--serve')
    .action(async ({ folder, discard, serve }: Options) => {
      const stamp = formatInstant(systemClock.now()).replace(/[-:.Z]/g, '');
      await runDemo({
        program: { execPath: process.execPath, args: [join(__dirname, 'main.js')] },
        folder: folder ?? join('data', `demo-${stamp}`),
        keepsFolder: discard !== true,
        serves: serve === true,
        open: (environment) => compose(loadConfig(environment), silentLogger),
        speech: chosenSpeech(),
        print: (line) => void process.stdout.write(`${line}\n`),
      });
    });
};
