import { formatDinars, totalToJson } from '../kernel';
import { readInputFile, type RegisterCommands, whoActs, type WriteOptions } from './command';
import { doneText } from './done-text';
import { t } from './language';

export const registerDueCommands: RegisterCommands = (program, run) => {
  const dues = program.command('dues');

  dues
    .command('import <csv>')
    .option('--dry-run')
    .option('--json')
    .action((path: string, options: WriteOptions) =>
      run.onNewBooks(async (millime, io) => {
        const dryRun = options.dryRun === true;
        const actor = await whoActs(millime, { decides: false });
        const result = await millime.dues.importCsv(readInputFile(path), { actor, dryRun });
        const { added, unchanged, addedMillimes } = result;
        if (options.json === true) {
          return io.json({ added, unchanged, addedMillimes: totalToJson(addedMillimes), dryRun });
        }
        const counts = { added, amount: formatDinars(addedMillimes), unchanged };
        io.line(t(dryRun ? 'cli:dues.wouldImport' : 'cli:dues.imported', counts));
      }),
    );

  dues
    .command('cancel <reference>')
    .requiredOption('--reason <text>')
    .option('--dry-run')
    .option('--json')
    .action((reference: string, options: WriteOptions & { reason: string }) =>
      run(async (millime, io) => {
        const dryRun = options.dryRun === true;
        const actor = await whoActs(millime, { decides: true });
        const outcome = await millime.dues.cancel(reference, options.reason, { actor, dryRun });
        if (options.json === true) io.json({ reference, outcome, dryRun });
        else io.line(doneText(outcome, { verb: 'cancel', noun: 'due', name: reference, dryRun }));
      }),
    );
};
