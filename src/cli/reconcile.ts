import { formatDinars } from '../kernel';
import type { ReconciliationResult } from '../reconciliation';
import { EXIT, whoActs, type CliIo, type RegisterCommands } from './command';
import { dayOption } from './day-option';

interface Options {
  through?: string;
  dryRun?: true;
  json?: true;
}

export const registerReconcileCommand: RegisterCommands = (program, run) => {
  program
    .command('reconcile')
    .description('explain the bank credits by what the gateway owes us; exit code 3 when there are breaks')
    .option('--through <date>', 'the last day to look at; yesterday when not given')
    .option('--dry-run', 'work it out, keep nothing')
    .option('--json', 'print JSON')
    .action((options: Options) =>
      run(async (millime, io) => {
        const through = dayOption('--through', options.through);
        const result = await millime.reconciliation.run({
          ...(through === undefined ? {} : { through }),
          actor: await whoActs(millime, { decides: false }),
          dryRun: options.dryRun === true,
        });
        if (options.json === true) io.json(result);
        else print(result, io);
        return result.verdict === 'breaks' || result.verdict === 'incomplete' ? EXIT.breaks : EXIT.done;
      }),
    );
};

function print(result: ReconciliationResult, io: CliIo): void {
  const resolved = result.credits.filter(({ outcome }) => outcome === 'resolved');
  const open = result.credits.filter(({ outcome }) => outcome !== 'resolved');
  io.line(`through ${result.through}: ${result.verdict}`);
  io.line(`credits explained  ${resolved.length}, ${dinars(result.matchedMillimes)}`);
  for (const { line_id, outcome, gross_millimes } of open) {
    io.line(`credit ${outcome}  ${line_id}  ${dinars(gross_millimes)}`);
  }
  io.line(`on its way         ${dinars(result.pendingMillimes)}`);
  const classes = [...new Set(result.breaks.map((each) => each.class))].sort();
  io.line(`breaks             ${result.breaks.length}`);
  for (const name of classes) io.line(`  ${name}  ${result.breaks.filter((each) => each.class === name).length}`);
}

function dinars(amount: number | string): string {
  return formatDinars(BigInt(amount));
}
