import { join } from 'node:path';
import { runDemo } from '../demo';
import { formatInstant, systemClock } from '../kernel';
import type { RegisterCommands } from './command';

interface Options {
  readonly folder?: string;
  readonly discard?: true;
}

export const registerDemoCommand: RegisterCommands = (program) => {
  program
    .command('demo')
    .option('--folder <path>')
    .option('--discard')
    .action(async ({ folder, discard }: Options) => {
      const stamp = formatInstant(systemClock.now()).replace(/[-:]/g, '').slice(0, 15);
      await runDemo({
        program: { execPath: process.execPath, args: [join(__dirname, 'main.js')] },
        folder: folder ?? join('data', `demo-${stamp}`),
        keepsFolder: discard !== true,
        print: (line) => void process.stdout.write(`${line}\n`),
      });
    });
};
