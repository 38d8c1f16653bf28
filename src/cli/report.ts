import { Option, type Command } from 'commander';
import type { Millime } from '../compose';
import { AppError } from '../kernel';
import {
  dailyReportToCsv,
  dailyReportToHtml,
  dailyReportToJson,
  dailyReportToText,
  documentToCsv,
  documentToHtml,
  documentToJson,
  documentToText,
  toDocument,
  wholeReportToHtml,
  type AnyReport,
  type ReportDocument,
  type ReportPeriod,
  type Reporting,
  type TextWriter,
} from '../reporting';
import { EXIT, type CliIo, type ExitCode, type RegisterCommands, type RunCommand } from './command';
import { dayOption } from './day-option';
import { onlyOneOf } from './only-one-of';
import { formatOf, REPORT_FORMATS, writeReport, type OutputOptions, type ReportFormat } from './report-output';

interface Options extends OutputOptions {
  through?: string;
  from?: string;
  to?: string;
  day?: string;
  line?: string;
}

const READERS: Readonly<
  Record<'clearing' | 'agents' | 'fees', (reporting: Reporting, period: ReportPeriod) => Promise<AnyReport>>
> = {
  clearing: async (reporting, period) => ({ kind: 'clearing', report: await reporting.clearing(period) }),
  agents: async (reporting, period) => ({ kind: 'agents', report: await reporting.agents(period) }),
  fees: async (reporting, period) => ({ kind: 'fees', report: await reporting.fees(period) }),
};

export const registerReportCommands: RegisterCommands = (program, run) => {
  const report = program.command('report');

  withOutput(
    report
      .command('daily')
      .description('which bank credit paid which payments, what is on its way, what is wrong')
      .option('--through <date>', 'the last day to look at; yesterday when not given')
      .addOption(new Option('--day <date>').hideHelp()),
    'text',
  ).action((options: Options) => run((millime, io) => daily(millime, io, options)));

  withOutput(
    report
      .command('aging')
      .description('what is open: breaks by class and age, unpaid items by channel and age')
      .option('--through <date>', 'the last day to look at; yesterday when not given'),
    'text',
  ).action((options: Options) =>
    run(async ({ reporting }, io) => {
      const aging = await reporting.aging(dayOption('--through', options.through));
      return writeDocument(toDocument({ kind: 'aging', report: aging }), io, options);
    }),
  );

  registerPeriodCommand(
    report,
    run,
    'clearing',
    'what the gateway owes: before, what moved it, after, by channel and day',
  );
  registerPeriodCommand(report, run, 'agents', 'what each agent owed, was assessed and paid, and owes now');
  registerPeriodCommand(report, run, 'fees', 'fees and TVA by month and channel, reported and inferred');

  withOutput(
    withPeriod(
      report.command('payouts').description('each bank credit and the payments that it paid, with the evidence'),
    ).option('--line <id>', 'one bank credit in full, with all its items'),
    'text',
  ).action((options: Options) => run((millime, io) => payouts(millime, io, options)));

  withOutput(
    withPeriod(report.command('all').description('daily, aging, clearing, payouts and fees as one page')),
    'html',
  ).action((options: Options) =>
    run(async ({ reporting, calendar }, io) => {
      if (formatOf(options) !== 'html') {
        throw new AppError('bad_input', { field: '--format', expected: 'html for report all', got: formatOf(options) });
      }
      const whole = await reporting.whole(periodOf(reporting, options));
      await writeReport(wholeReportToHtml(whole, calendar), io, options);
      return whole.proven ? EXIT.done : EXIT.breaks;
    }),
  );
};

function registerPeriodCommand(
  report: Command,
  run: RunCommand,
  name: keyof typeof READERS,
  description: string,
): void {
  withOutput(withPeriod(report.command(name).description(description)), 'text').action((options: Options) =>
    run(async ({ reporting }, io) =>
      writeDocument(toDocument(await READERS[name](reporting, periodOf(reporting, options))), io, options),
    ),
  );
}

function withPeriod(command: Command): Command {
  return command
    .option('--from <date>', 'the first day; the first of the month of the last when not given')
    .option('--to <date>', 'the last day; yesterday when not given')
    .addOption(new Option('--through <date>').hideHelp());
}

function withOutput(command: Command, usual: ReportFormat): Command {
  return command
    .addOption(new Option('--format <format>', 'how to print it').choices(REPORT_FORMATS).default(usual))
    .option('--json', 'the same as --format json')
    .option('--out <file>', 'a file that appears when it is whole; standard output when not given');
}

async function daily({ reporting, calendar }: Millime, io: CliIo, options: Options): Promise<ExitCode> {
  const report = await reporting.daily(oneDay('--through', options.through, '--day', options.day));
  switch (formatOf(options)) {
    case 'text':
      return writeReport(`${dailyReportToText(report, calendar)}\n`, io, options);
    case 'json':
      return writeReport(dailyReportToJson(report), io, options);
    case 'csv':
      return writeReport(dailyReportToCsv(report, calendar), io, options);
    case 'html':
      return writeReport(dailyReportToHtml(report, calendar), io, options);
  }
}

async function payouts({ reporting }: Millime, io: CliIo, options: Options): Promise<ExitCode> {
  if (options.line !== undefined) return writeDocument(await reporting.payout(options.line), io, options);
  const period = periodOf(reporting, options);
  const format = formatOf(options);
  if (format === 'json' || format === 'csv') {
    return writeReport((write: TextWriter) => reporting.writePayouts(period, format, write), io, options);
  }
  return writeDocument(toDocument({ kind: 'payouts', report: await reporting.payouts(period) }), io, options);
}

/** A report that does not add up is worth an alarm, as a book that is wrong is. */
async function writeDocument(document: ReportDocument, io: CliIo, options: Options): Promise<ExitCode> {
  const code = await writeReport(formOf(document, formatOf(options)), io, options);
  return code === EXIT.done && document.proven === false ? EXIT.breaks : code;
}

function formOf(document: ReportDocument, format: ReportFormat): unknown {
  switch (format) {
    case 'text':
      return `${documentToText(document)}\n`;
    case 'json':
      return documentToJson(document);
    case 'csv':
      return documentToCsv(document);
    case 'html':
      return documentToHtml(document);
  }
}

function periodOf(reporting: Reporting, { from, to, through }: Options): ReportPeriod {
  const last = oneDay('--to', to, '--through', through);
  const usual = reporting.usualPeriod(last);
  return { from: dayOption('--from', from) ?? usual.from, to: usual.to };
}

/** Reads a day whose option has two names. @throws AppError `bad_input` when both are given and differ. */
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
