import { resolve } from 'node:path';
import { loadConfig, loadHolidays } from '../config';
import { AppError, businessCalendar, type BusinessDate, WorkingDays } from '../kernel';
import {
  type BankLine,
  DEFAULT_ERROR_MAX,
  type InputFile,
  matchPayouts,
  type MatchResult,
  readMatchFiles,
  resultText,
} from '../payout-inference';
import { EXIT, type ExitCode, readInputFile, type RegisterCommands, writeAside } from './command';
import { faultText } from './error-texts';
import { outputTo, refuseUnlessWritable, writeWholeFile } from './export-output';
import { t } from './language';
import { matchSummary } from './match-summary';
import { dayOption } from './option-values';

const STDOUT = '-';
/** Above this limit a match would depend on chance. */
const ERROR_LIMIT_MAX = 0.1;
const PROBABILITY = /^(?:0|0?\.\d{1,12}|[1-9](?:\.\d{1,6})?e-\d{1,2})$/;

interface MatchOptions {
  readonly items: string;
  readonly statement: string;
  readonly observations?: string;
  readonly fees?: string;
  readonly calendar?: string;
  readonly maxError: string;
  readonly through?: string;
  readonly out?: string;
  readonly json?: true;
}

export const registerMatchCommand: RegisterCommands = (program) => {
  program
    .command('match')
    .requiredOption('--items <file>')
    .requiredOption('--statement <file>')
    .option('--observations <file>')
    .option('--fees <file>')
    .option('--calendar <file>')
    .option('--max-error <probability>', undefined, `${DEFAULT_ERROR_MAX}`)
    .option('--through <date>')
    .option('--out <file>')
    .option('--json')
    .action(async (options: MatchOptions) => {
      process.exitCode = await match(options);
    });
};

async function match(options: MatchOptions): Promise<ExitCode> {
  const maxError = probabilityOption('--max-error', options.maxError);
  const through = dayOption('--through', options.through);
  const file = options.out === STDOUT ? undefined : options.out;
  if (file !== undefined) {
    refuseInput(file, options);
    await refuseUnlessWritable(file);
  }
  const config = loadConfig();
  const facts = readMatchFiles({
    items: inputFile(options.items),
    statement: inputFile(options.statement),
    observations: optionalFile(options.observations),
    fees: optionalFile(options.fees),
    holidays: optionalFile(options.calendar),
  });
  warn(facts.warnings);
  const calendar = businessCalendar(config.businessTimeZone);
  const result = matchPayouts(
    {
      items: facts.items,
      observations: facts.observations,
      observedItems: facts.observedItems,
      lines: facts.lines,
      fees: facts.fees,
      calendar,
      workingDays: new WorkingDays(facts.holidays ?? loadHolidays(config.holidaysFile)),
      maxError,
    },
    { horizon: horizonOf(facts.lines, through) },
  );
  if (file !== undefined) await writeResult(file, result);
  const printed = await print(options, () => matchSummary(facts, result, calendar), result);
  if (printed !== EXIT.done) return printed;
  return result.breaks.length > 0 ? EXIT.breaks : EXIT.done;
}

/** Prints warnings. A closed standard error changes neither the result nor the exit code. */
function warn(warnings: readonly string[]): void {
  if (warnings.length === 0) return;
  process.stderr.on('error', () => undefined);
  for (const text of warnings) writeAside(t('cli:output.warning', { text: faultText({ text }) }));
}

/** Returns the horizon, at most the last day of the bank file, because a late file is not a difference. */
function horizonOf(lines: readonly BankLine[], through: BusinessDate | undefined): BusinessDate | undefined {
  let last: BusinessDate | undefined;
  for (const { bookingDate } of lines) if (last === undefined || bookingDate > last) last = bookingDate;
  return last === undefined || through === undefined || through > last ? last : through;
}

async function writeResult(path: string, result: MatchResult): Promise<void> {
  await writeWholeFile(path, async (write) => {
    for (const text of resultText(result)) await write(text);
  });
}

async function print({ out, json }: MatchOptions, summary: () => string[], result: MatchResult): Promise<ExitCode> {
  const stdout = outputTo(process.stdout);
  const isWhole = json === true || out === STDOUT;
  const texts = isWhole ? resultText(result) : [`${summary().join('\n')}\n`];
  // A reader that closed the pipe needs no more output.
  for (const text of texts) if (!(await stdout.write(text))) break;
  return stdout.exitCode();
}

function inputFile(path: string): InputFile {
  return { name: path, bytes: readInputFile(path) };
}

function optionalFile(path: string | undefined): InputFile | undefined {
  return path === undefined ? undefined : inputFile(path);
}

/** Refuses an output path that names an input file, which the output would overwrite. */
function refuseInput(path: string, options: MatchOptions): void {
  const inputs = [options.items, options.statement, options.observations, options.fees, options.calendar];
  if (inputs.some((input) => input !== undefined && resolve(input) === resolve(path))) {
    throw new AppError('bad_input', { field: '--out', expected: 'another file than the input files', got: path });
  }
}

function probabilityOption(name: string, text: string): number {
  const value = PROBABILITY.test(text) ? Number(text) : Number.NaN;
  if (value <= ERROR_LIMIT_MAX) return value;
  const expected = `a probability from 0 to ${ERROR_LIMIT_MAX}, such as 0.001`;
  throw new AppError('bad_input', { field: name, expected, got: text });
}
