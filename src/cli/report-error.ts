import { type Command, CommanderError } from 'commander';
import { type AppError, isAppError } from '../kernel';
import { EXIT, type ExitCode } from './command';
import { faultText, problemLine } from './error-texts';
import { t, texts } from './language';

const DETAILS_SHOWN_MAX = 10_000;

/** The options, by command, that are not named after their field. */
const OPTION_OF_FIELD: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'agents add': { agentId: '--id', fullName: '--name' },
  'breaks assign': { assignee: '--to' },
};

/** The command that lists what an id can name. */
const LIST_OF_THING: Readonly<Record<string, string>> = {
  'API key': 'keys list',
  break: 'breaks list',
  'break or credit': 'breaks list',
  credit: 'report payouts',
  item: 'reconcile items',
  'matched line': 'report payouts',
  payment: 'payments list',
  'proposal or break': 'breaks list',
  'run with stored inputs': 'reconcile runs',
  statement: 'statements list',
  subscription: 'subscriptions list',
  'unpaid item': 'reconcile items',
  webhook: 'webhooks list',
};

/**
 * Prints an error to standard error: one line, and one more for each detail. It prints a stack only for a bug of
 * Millime.
 */
export function reportError(error: unknown, command: Command | undefined): ExitCode {
  // Commander has printed its message already. Help and version exit with success.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.badInput;
  if (!isAppError(error) || error.code === 'internal') {
    const reason = error instanceof Error ? (error.stack ?? error.message) : t('cli:error.unknownReason');
    process.stderr.write(`millime: ${t('cli:error.internal', { reason })}\n`);
    return EXIT.fault;
  }
  const [message, ...details] = errorLines(error, command);
  process.stderr.write(`millime: ${message}\n`);
  for (const detail of details) process.stderr.write(`  ${detail}\n`);
  return isRefusal(error) ? EXIT.badInput : EXIT.fault;
}

/** Returns whether an error refuses the input of a person, so that the exit code is 2. */
export function isRefusal(error: unknown): error is AppError {
  return isAppError(error, 'bad_input', 'not_found', 'conflict', 'forbidden');
}

/** Returns the message of an error and its details. A field of the input appears under the name of its option. */
export function errorLines(error: AppError, command: Command | undefined): [message: string, ...details: string[]] {
  const hidden = error.details.length - DETAILS_SHOWN_MAX;
  return [
    messageFor(error, command),
    ...error.faults.slice(0, DETAILS_SHOWN_MAX).map(faultText),
    ...(hidden > 0 ? [t('cli:error.more', { hidden })] : []),
  ];
}

function messageFor(error: AppError, command: Command | undefined): string {
  const { code, params, field } = error.problem;
  const list = code === 'not_found' ? LIST_OF_THING[String(params['thing'])] : undefined;
  if (list !== undefined) {
    const run = t('cli:error.run', { commands: `"millime ${list}"` });
    const stated = [params['fix'], params['command']].flatMap((each) =>
      typeof each === 'string' ? [texts().phrase(each)] : [],
    );
    return problemLine(error, { ...params, fix: undefined, command: [...stated, run].join(`, ${t('cli:error.or')} `) });
  }
  const name = field === undefined || command === undefined ? undefined : nameOnCommandLine(field, command);
  return problemLine(error, name === undefined ? params : { ...params, field: name });
}

/**
 * Returns the name of a field on the command line. `amountMillimes` is the option `--amount`, `itemIds` the option
 * `--items`, `lineId` the argument `<line>`.
 */
function nameOnCommandLine(field: string, command: Command): string | undefined {
  const named = OPTION_OF_FIELD[`${command.parent?.name() ?? ''} ${command.name()}`]?.[field];
  if (named !== undefined) return named;
  const isName = (name: string): boolean =>
    [name, `${name}Millimes`, `${name}Seconds`, `${name}Id`, `${name.replace(/s$/, '')}Ids`].includes(field);
  const option = command.options.find((each) => isName(each.attributeName()));
  if (option !== undefined) return option.long ?? option.short;
  const argument = command.registeredArguments.find((each) => isName(camelCase(each.name())));
  return argument === undefined ? undefined : `<${argument.name()}>`;
}

function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
