import { Option } from 'commander';
import { EXPORT_FORMATS, INVARIANT_COUNT, type ExportFormat } from '../reporting';
import { EXIT, type RegisterCommands } from './command';
import { outputTo, writeWholeFile } from './export-output';

interface ExportOptions {
  format: ExportFormat;
  output?: string;
}

const SEALS_INVARIANT = 'each closed day is as it was sealed';

export const registerLedgerCommands: RegisterCommands = (program, run) => {
  const ledger = program.command('ledger');

  ledger
    .command('verify')
    .description('check every invariant of the books and every closed day; exit code 3 when one does not hold')
    .option('--json', 'print JSON')
    .action((options: { json?: true }) =>
      run(async (millime, io) => {
        const touched = await millime.dayClosing.verify();
        const broken = [
          ...(await millime.reporting.verifyBooks()),
          ...(touched.length === 0 ? [] : [{ name: SEALS_INVARIANT, rows: touched }]),
        ];
        const invariants = INVARIANT_COUNT + 1;
        if (options.json === true) {
          io.json({ invariants, broken: broken.map(({ name, rows }) => ({ name, rows })) });
        } else if (broken.length === 0) {
          io.line(`the books are right: ${invariants} invariants hold`);
        } else {
          for (const { name, rows } of broken) {
            io.line(`BROKEN: ${name}`);
            for (const each of rows) io.line(`  ${JSON.stringify(each)}`);
          }
        }
        return broken.length === 0 ? EXIT.done : EXIT.breaks;
      }),
    );

  ledger
    .command('export')
    .description('all ledger transactions, as a journal of hledger with our balances in it, or as CSV')
    .addOption(new Option('--format <format>', 'how to write them').choices(EXPORT_FORMATS).makeOptionMandatory())
    .option('--output <file>', 'a file that appears when it is whole; standard output when not given')
    .action(({ format, output }: ExportOptions) =>
      run(async ({ reporting }, io) => {
        if (output === undefined) {
          const stdout = outputTo(process.stdout);
          await reporting.exportLedger(format, stdout.write);
          return stdout.exitCode();
        }
        await writeWholeFile(output, (write) => reporting.exportLedger(format, write));
        io.line(`${output}: written`);
        return EXIT.done;
      }),
    );
};
