import { escapeUnseen } from '../kernel';
import type { TextWriter } from '../reporting';
import { type CliIo, EXIT, type ExitCode } from './command';
import { outputTo, writeWholeFile } from './export-output';
import { t } from './language';

export const REPORT_FORMATS = ['text', 'json', 'csv', 'html'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

export interface OutputOptions {
  readonly format: ReportFormat;
  readonly json?: true;
  readonly out?: string;
}

/** Writes a report piece by piece. Returns false once the reader has closed the pipe. */
type WritesItself = (write: TextWriter) => Promise<boolean>;

export function formatOf({ format, json }: OutputOptions): ReportFormat {
  return json === true ? 'json' : format;
}

/**
 * Writes a report to standard output, or to the file of `--out`, which appears only when it is complete. Text is
 * written unchanged, everything else as JSON.
 * @throws AppError `bad_input` that names the file.
 */
export async function writeReport(report: unknown, io: CliIo, { out }: OutputOptions): Promise<ExitCode> {
  if (out !== undefined) {
    await writeWholeFile(out, (write) => writeTo(report, write));
    io.line(t('cli:output.written', { file: out }));
    return EXIT.done;
  }
  const stdout = outputTo(process.stdout);
  await writeTo(report, stdout.write);
  return stdout.exitCode();
}

function writeTo(report: unknown, write: TextWriter): Promise<boolean> {
  if (writesItself(report)) return report(write);
  return write(typeof report === 'string' ? report : `${escapeUnseen(JSON.stringify(report, undefined, 2))}\n`);
}

function writesItself(report: unknown): report is WritesItself {
  return typeof report === 'function';
}
