import { Option } from 'commander';
import { EXPORT_FORMATS, type ExportFormat } from '../reporting';
import { EXIT, type RegisterCommands } from './command';
import { outputTo, writeWholeFile } from './export-output';
import { exitCodeOf, printVerdict, verifyLedger } from './verify-ledger';

interface ExportOptions {
  format: ExportFormat;
  output?: string;
}

export const registerLedgerCommands: RegisterCommands = (program, run) => {
  const ledger = program.command('ledger');

  ledger
    .command('verify')
    .description('check every invariant of the ledger and every closed day')
    .option('--log <file...>', 'log of the service; names confirms that it has and the ledger lacks')
    .option('--json', 'JSON output')
    .action(({ log = [], json }: { log?: string[]; json?: true }) =>
      run(async (millime, io) => {
        const verdict = await verifyLedger(millime, log);
        if (json === true) io.json(verdict);
        else printVerdict(verdict, io, millime);
        return exitCodeOf(verdict);
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
