import { formatDinars, totalToJson } from '../kernel';
import { readInputFile, whoActs, type RegisterCommands } from './command';

interface WriteOptions {
  json?: true;
  dryRun?: true;
}

export const registerDueCommands: RegisterCommands = (program, run) => {
  const dues = program.command('dues');

  dues
    .command('import <csv>')
    .description('take a file of dues: reference,agent_id,amount_millimes,due_date,memo')
    .option('--dry-run', 'check and count, keep nothing')
    .option('--json', 'print JSON')
    .action((path: string, options: WriteOptions) =>
      run.onNewBooks(async (millime, io) => {
        const dryRun = options.dryRun === true;
        const actor = await whoActs(millime, { decides: false });
        const result = await millime.dues.importCsv(readInputFile(path), { actor, dryRun });
        const { added, unchanged, addedMillimes } = result;
        if (options.json === true) {
          return io.json({ added, unchanged, addedMillimes: totalToJson(addedMillimes), dryRun });
        }
        const note = dryRun ? ' (dry run)' : '';
        io.line(`dues: ${added} added, ${formatDinars(addedMillimes)}; ${unchanged} unchanged${note}`);
      }),
    );

  dues
    .command('cancel <reference>')
    .description('take a due back')
    .requiredOption('--reason <text>', 'why')
    .option('--dry-run', 'check, keep nothing')
    .option('--json', 'print JSON')
    .action((reference: string, options: WriteOptions & { reason: string }) =>
      run(async (millime, io) => {
        const dryRun = options.dryRun === true;
        const actor = await whoActs(millime, { decides: true });
        const outcome = await millime.dues.cancel(reference, options.reason, { actor, dryRun });
        if (options.json === true) io.json({ reference, outcome, dryRun });
        else io.line(`due ${reference}: ${outcome.replace('_', ' ')}${dryRun ? ' (dry run)' : ''}`);
      }),
    );
};
