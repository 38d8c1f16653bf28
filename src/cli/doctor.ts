import { diagnose } from '../diagnose';
import { formatInstant, isJsonObject, noticeLine } from '../kernel';
import type { Diagnosis } from '../shapes/operations';
import { type CliIo, EXIT, type RegisterCommands } from './command';
import { t } from './language';
import { pendingMigrations } from './pending-migrations';
import { printSection } from './print-table';

const NAME_WIDTH = 20;

export const registerDoctorCommand: RegisterCommands = (program, run) => {
  program
    .command('doctor')
    .option('--json')
    .action(({ json = false }: { json?: boolean }) =>
      run.beforeMigration(async (given, io) => {
        const millime = { ...given }; // creates every room, which reports a faulty setting
        const diagnosis = await diagnose(millime, {
          instantText: json ? formatInstant : millime.calendar.formatLocal,
          noticeText: noticeLine,
          // Checks the file first, so that a diagnosis creates no database.
          pendingMigrations: () => pendingMigrations(millime),
        });
        if (json) io.json(diagnosis);
        else printDiagnosis(io, diagnosis);
        return diagnosis.ok ? EXIT.done : EXIT.fault;
      }),
    );
};

function printDiagnosis(io: CliIo, { notes, warnings, problems, ...facts }: Diagnosis): void {
  for (const [name, value] of Object.entries(facts)) {
    if (!isJsonObject(value)) io.line(`${name.padEnd(NAME_WIDTH)}${factWords(value)}`);
    else {
      printSection(
        io,
        name,
        ['name', 'value'],
        Object.entries(value).map(([part, text]) => [part, text]),
      );
    }
  }
  for (const text of notes) io.line(t('cli:output.note', { text }));
  for (const text of warnings) io.line(t('cli:output.warning', { text }));
  for (const text of problems) io.line(t('cli:output.problem', { text }));
}

function factWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : 'unknown';
}
