import { join } from 'node:path';
import { runDemo } from '../demo';
import { formatInstant, systemClock } from '../kernel';
import type { RegisterCommands } from './command';

export const registerDemoCommand: RegisterCommands = (program) => {
  program
    .command('demo')
    .description('show the main job on a fresh embedded database, in under half a minute')
    .option('--folder <path>', 'where to leave the database; a new folder below ./data when not given')
    .action(async (options: { folder?: string }) => {
      const stamp = formatInstant(systemClock.now()).replace(/[-:]/g, '').slice(0, 15);
      await runDemo({
        program: { execPath: process.execPath, args: [join(__dirname, 'main.js')] },
        folder: options.folder ?? join('data', `demo-${stamp}`),
        print: (line) => void process.stdout.write(`${line}\n`),
      });
    });
};
