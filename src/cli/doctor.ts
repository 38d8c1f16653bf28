import type { Config } from '../config';
import { diagnose } from '../diagnose';
import { formatInstant, isJsonObject, type Notice, noticeLine } from '../kernel';
import { listenFault } from '../listen';
import type { Diagnosis } from '../shapes/operations';
import { type CliIo, EXIT, type RegisterCommands } from './command';
import { faultText } from './error-texts';
import { nameText, t, texts, word } from './language';
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
          noticeText: json ? noticeLine : faultText,
          // Checks the file first, so that a diagnosis creates no database.
          pendingMigrations: () => pendingMigrations(millime),
          startFaults: () => addressFaults(millime.config),
        });
        if (json) io.json(diagnosis);
        else printDiagnosis(io, diagnosis);
        return diagnosis.ok ? EXIT.done : EXIT.fault;
      }),
    );
};

async function addressFaults({ listen, metrics }: Config): Promise<readonly Notice[]> {
  const served = [
    { ...listen, variables: 'HOST, PORT' },
    ...(metrics === undefined ? [] : [{ ...metrics, variables: 'METRICS_HOST, METRICS_PORT' }]),
  ];
  return (await Promise.all(served.map(listenFault))).filter((fault) => fault !== undefined);
}

function printDiagnosis(io: CliIo, { notes, warnings, problems, ...facts }: Diagnosis): void {
  for (const [name, value] of Object.entries(facts)) {
    const label = nameText('cli', 'doctor.fact', name);
    if (!isJsonObject(value)) io.line(`${label.padEnd(NAME_WIDTH)}${factWords(value)}`);
    else {
      const rows = Object.entries(value).map(([part, text]) => [partText(name, part), texts().phrase(text)]);
      printSection(io, label, ['name', 'value'], rows);
    }
  }
  for (const text of notes) io.line(t('cli:output.note', { text: faultText({ text }) }));
  for (const text of warnings) io.line(t('cli:output.warning', { text: faultText({ text }) }));
  for (const text of problems) io.line(t('cli:output.problem', { text: faultText({ text }) }));
}

/** Returns the name of a feature or a job. */
function partText(fact: string, name: string): string {
  return fact === 'jobs' ? word('job', name) : nameText('administration', 'feature', name);
}

function factWords(value: unknown): string {
  if (typeof value === 'boolean') return t(value ? 'cli:doctor.yes' : 'cli:doctor.no');
  if (Array.isArray(value)) return value.length === 0 ? t('cli:doctor.none') : value.join(', ');
  if (typeof value === 'string') return texts().phrase(value);
  return typeof value === 'number' ? String(value) : t('cli:doctor.unknown');
}
