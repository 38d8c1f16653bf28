import { Option } from 'commander';
import { EXPORT_FORMATS, type ExportFormat } from '../reporting';
import { EXIT, type RegisterCommands } from './command';
import { outputTo, writeWholeFile } from './export-output';
import { t } from './language';
import { exitCodeOf, printVerdict, verifyLedger } from './verify-ledger';

interface ExportOptions {
  format: ExportFormat;
  output?: string;
}

export const registerLedgerCommands: RegisterCommands = (program, run) => {
  const ledger = program.command('ledger');

  ledger
    .command('verify')
    .option('--log <file...>')
    .option('--json')
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
    .addOption(new Option('--format <format>').choices(EXPORT_FORMATS).makeOptionMandatory())
    .option('--output <file>')
    .action(({ format, output }: ExportOptions) =>
      run(async ({ reporting }, io) => {
        if (output === undefined) {
          const stdout = outputTo(process.stdout);
          await reporting.exportLedger(format, stdout.write);
          return stdout.exitCode();
        }
        await writeWholeFile(output, (write) => reporting.exportLedger(format, write));
        io.line(t('cli:output.written', { file: output }));
        return EXIT.done;
      }),
    );
};
