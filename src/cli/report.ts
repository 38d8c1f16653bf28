import { type Command, Option } from 'commander';
import type { Millime } from '../compose';
import { AppError, type BusinessCalendar } from '../kernel';
import {
  agentsDocument,
  agingDocument,
  clearingDocument,
  dailyReportToCsv,
  dailyReportToJson,
  dailyReportToText,
  documentToCsv,
  documentToHtml,
  documentToJson,
  documentToText,
  feesDocument,
  payoutsDocument,
  type ReportDocument,
  type Reporting,
  type ReportPeriod,
  type TextWriter,
  wholeReportToHtml,
} from '../reporting';
import { type CliIo, EXIT, type ExitCode, type RegisterCommands, type RunCommand } from './command';
import { fullId } from './full-id';
import { chosenSpeech } from './language';
import { dayOption, onlyOneOf } from './option-values';
import { formatOf, type OutputOptions, REPORT_FORMATS, type ReportFormat, writeReport } from './report-output';

interface Options extends OutputOptions {
  through?: string;
  from?: string;
  to?: string;
  day?: string;
  line?: string;
}

const READERS: Readonly<
  Record<'clearing' | 'agents' | 'fees', (reporting: Reporting, period: ReportPeriod) => Promise<ReportDocument>>
> = {
  clearing: async (reporting, period) => clearingDocument(await reporting.clearing(period)),
  agents: async (reporting, period) => agentsDocument(await reporting.agents(period)),
  fees: async (reporting, period) => feesDocument(await reporting.fees(period)),
};

export const registerReportCommands: RegisterCommands = (program, run) => {
  const report = program.command('report');

  withOutput(
    report.command('daily').option('--through <date>').addOption(new Option('--day <date>').hideHelp()),
    'text',
  ).action((options: Options) => run((millime, io) => daily(millime, io, options)));

  withOutput(report.command('aging').option('--through <date>'), 'text').action((options: Options) =>
    run(async (millime, io) => {
      const aging = await millime.reporting.aging(dayOption('--through', options.through));
      return writeDocument(agingDocument(aging), millime, io, options);
    }),
  );

  registerPeriodCommand(report, run, 'clearing');
  registerPeriodCommand(report, run, 'agents');
  registerPeriodCommand(report, run, 'fees');

  withOutput(withPeriod(report.command('payouts')).option('--line <id>'), 'text').action((options: Options) =>
    run((millime, io) => payouts(millime, io, options)),
  );

  withOutput(withPeriod(report.command('all')), 'html').action((options: Options) =>
    run(async ({ reporting, calendar }, io) => {
      if (formatOf(options) !== 'html') {
        throw new AppError('bad_input', { field: '--format', expected: 'html for report all', got: formatOf(options) });
      }
      const whole = await reporting.whole(periodOf(reporting, options));
      const code = await writeReport(wholeReportToHtml(whole, calendar, chosenSpeech()), io, options);
      return code === EXIT.done && !whole.proven ? EXIT.breaks : code;
    }),
  );
};

function registerPeriodCommand(report: Command, run: RunCommand, name: keyof typeof READERS): void {
  withOutput(withPeriod(report.command(name)), 'text').action((options: Options) =>
    run(async (millime, io) => {
      const { reporting } = millime;
      const document = await READERS[name](reporting, periodOf(reporting, options));
      return writeDocument(document, millime, io, options);
    }),
  );
}

function withPeriod(command: Command): Command {
  return command.option('--from <date>').option('--to <date>').addOption(new Option('--through <date>').hideHelp());
}

function withOutput(command: Command, usual: ReportFormat): Command {
  return command
    .addOption(new Option('--format <format>').choices(REPORT_FORMATS).default(usual))
    .option('--json')
    .option('--out <file>');
}

async function daily({ reporting, calendar }: Millime, io: CliIo, options: Options): Promise<ExitCode> {
  const through = oneDay('--through', options.through, '--day', options.day);
  const format = formatOf(options);
  if (format === 'html') {
    // The page of a day shows it in its month.
    const whole = await reporting.whole(reporting.usualPeriod(through));
    return writeReport(wholeReportToHtml(whole, calendar, chosenSpeech()), io, options);
  }
  const report = await reporting.daily(through);
  switch (format) {
    case 'text':
      return writeReport(`${dailyReportToText(report, calendar, chosenSpeech())}\n`, io, options);
    case 'json':
      return writeReport(dailyReportToJson(report), io, options);
    case 'csv':
      return writeReport(dailyReportToCsv(report, calendar), io, options);
  }
}

async function payouts(millime: Millime, io: CliIo, options: Options): Promise<ExitCode> {
  const { reporting } = millime;
  if (options.line !== undefined) {
    const lineId = await fullId(millime, options.line, 'credit');
    return writeDocument(await reporting.payout(lineId), millime, io, options);
  }
  const period = periodOf(reporting, options);
  const format = formatOf(options);
  if (format === 'json' || format === 'csv') {
    return writeReport((write: TextWriter) => reporting.writePayouts(period, format, write), io, options);
  }
  return writeDocument(payoutsDocument(await reporting.payouts(period)), millime, io, options);
}

/** Writes a document. If the report does not add up, the exit code is that of breaks. */
async function writeDocument(
  document: ReportDocument,
  { calendar }: Millime,
  io: CliIo,
  options: Options,
): Promise<ExitCode> {
  const code = await writeReport(formOf(document, formatOf(options), calendar), io, options);
  return code === EXIT.done && document.proven === false ? EXIT.breaks : code;
}

function formOf(document: ReportDocument, format: ReportFormat, calendar: BusinessCalendar): unknown {
  switch (format) {
    case 'text':
      return `${documentToText(document, calendar, chosenSpeech())}\n`;
    case 'json':
      return documentToJson(document);
    case 'csv':
      return documentToCsv(document);
    case 'html':
      return documentToHtml(document, calendar, chosenSpeech());
  }
}

function periodOf(reporting: Reporting, { from, to, through }: Options): ReportPeriod {
  const last = oneDay('--to', to, '--through', through);
  const usual = reporting.usualPeriod(last);
  return { from: dayOption('--from', from) ?? usual.from, to: usual.to };
}

/** Reads a day whose option has two names. @throws AppError `bad_input` if both are given and differ. */
function oneDay(
  name: string,
  text: string | undefined,
  otherName: string,
  other: string | undefined,
): ReportPeriod['to'] | undefined {
  if (text !== undefined && other !== undefined && text !== other) {
    throw onlyOneOf(name, otherName);
  }
  return dayOption(name, text) ?? dayOption(otherName, other);
}
