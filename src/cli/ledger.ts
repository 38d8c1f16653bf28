import { Option } from 'commander';
import { counted } from '../kernel';
import { EXPORT_FORMATS, type ExportFormat, INVARIANT_COUNT } from '../reporting';
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
    .description('check every invariant of the ledger and every closed day')
    .option('--json', 'JSON output')
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
          io.line(`ledger verified: ${counted(invariants, 'invariant')} hold`);
        } else {
          for (const { name, rows } of broken) {
            io.line(`broken: ${name}`);
            for (const each of rows) io.line(`  ${JSON.stringify(each)}`);
          }
        }
        return broken.length === 0 ? EXIT.done : EXIT.breaks;
      }),
    );

  ledger
    .command('export')
    .description('export all ledger transactions as an hledger journal or CSV')
    .addOption(new Option('--format <format>', 'output format').choices(EXPORT_FORMATS).makeOptionMandatory())
    .option('--output <file>', 'file, replaced only when complete (default: standard output)')
    .action(({ format, output }: ExportOptions) =>
      run(async ({ reporting }, io) => {
        if (output === undefined) {
          const stdout = outputTo(process.stdout);
          await reporting.exportLedger(format, stdout.write);
          return stdout.exitCode();
        }
        await writeWholeFile(output, (write) => reporting.exportLedger(format, write));
        io.line(`written: ${output}`);
        return EXIT.done;
      }),
    );
};
