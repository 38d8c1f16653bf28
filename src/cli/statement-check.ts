import type { Command } from 'commander';
import type { Millime } from '../compose';
import { createReadiness } from '../db';
import { type AppError, type BusinessCalendar, noticeLine, shellQuoted } from '../kernel';
import { silentLogger } from '../logging';
import {
  describeFaults,
  differencesOf,
  type ImportCheck,
  type NotChecked,
  PROPOSED_PROFILE,
  summarizeStatements,
} from '../statements';
import type { CliIo } from './command';
import { databaseFileExists } from './database-file';
import { t } from './language';
import { errorLines } from './report-error';
import { printScanned, printUndecided } from './statement-texts';

/** The command that a person typed, to report errors in its words and to print the next one. */
export interface TypedImport {
  readonly command: Command;
  readonly path: string;
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

/** Returns why stored statements cannot be read now; undefined if they can. Answers within a few seconds. */
export async function whyNoDatabase({ config, database }: Millime): Promise<string | undefined> {
  if (!databaseFileExists(config.database)) return 'no database exists at DATABASE_URL';
  // The output names the reason, so the log need not repeat it with a stack.
  const found = await createReadiness(database, silentLogger)();
  if (found === 'ready') return undefined;
  return found === 'migrations' ? 'the database needs migrations' : 'the database at DATABASE_URL cannot be used';
}

/** Returns the JSON of a check; for a file that could not be checked, of its refusal. */
export function checkJson(
  check: ImportCheck | undefined,
  typed: TypedImport,
  refusals: readonly AppError[] = check?.refusals ?? [],
): Record<string, unknown> {
  const statements = check?.scanned?.statements;
  const { verdict, statements: summaries } = statements === undefined ? UNREAD : summarizeStatements(statements);
  return {
    verdict,
    statements: summaries,
    outcome: refusals.length > 0 ? 'refused' : check?.outcome,
    wouldImport: refusals.length === 0,
    refusals: refusals.map((refusal) => refusalJson(refusal, typed.command)),
    warnings: check === undefined ? [] : warningsOf(check),
    remarks: check?.remarks ?? [],
    differences: differencesOf(statements ?? []),
    payouts: check?.payouts ?? null,
    proposal: proposalJson(check),
    notChecked: check?.notChecked ?? [],
    next: nextCommand(check, refusals, typed) ?? null,
  };
}

const UNREAD = { verdict: null, statements: [] };

function refusalJson(error: AppError, command: Command): Record<string, unknown> {
  const [message, ...details] = errorLines(error, command);
  const { code, field } = error.problem;
  return { code, field: field ?? null, message, details, action: actionOf(error) };
}

/** What to do about a refusal whose problem does not say it. */
const ACTIONS: Readonly<Record<string, string>> = {
  file_faults: 'correct the file, or ask the bank for it again',
  missing_scope: 'use a key with the scope statements:write',
  statements_known: 'do nothing, because its statements are stored',
  import_running: 'try again when it has ended',
};

function actionOf({ problem: { code, params, field } }: AppError): string {
  const stated = [params['fix'], params['command']].filter((each) => typeof each === 'string');
  return stated.length > 0 ? stated.join('; ') : (ACTIONS[code] ?? `correct ${field ?? 'the input'}`);
}

function proposalJson(check: ImportCheck | undefined): Record<string, unknown> | null {
  if (check?.proposal === undefined) return null;
  const { entry, gaps, reasons } = check.proposal;
  return { profile: entry, gaps, reasons };
}

/** Returns what the payout pattern found in the file, one text. Empty without a pattern. */
export function patternTexts(check: ImportCheck): string[] {
  return [...recognizedTexts(check), ...payoutWarnings(check)];
}

/** Returns how many credits the payout pattern recognizes, if it recognizes some. */
function recognizedTexts({ payouts }: ImportCheck): string[] {
  if (payouts === undefined || payouts.recognized === 0) return [];
  return [
    `the payout pattern recognizes ${payouts.recognized} of ${t('cli:count.credit', { count: payouts.credits })}`,
  ];
}

/** Returns a warning about a payout pattern that recognizes no credit of the file. */
export function payoutWarnings({ payouts, refusals, scanned }: ImportCheck): string[] {
  if (payouts === undefined || payouts.recognized > 0 || payouts.credits === 0) return [];
  // The refusal states it already.
  if (refusals.some(({ problem: { field } }) => field === 'payoutPattern')) return [];
  const found = `the payout pattern recognizes 0 of ${t('cli:count.credit', { count: payouts.credits })}`;
  return [`${found}; ${patternAction(scanned?.reading.profile ?? '')}`];
}

/** What to do about a pattern that recognizes no credit. */
function patternAction(profile: string): string {
  const name = profile === '' || profile === PROPOSED_PROFILE ? 'its profile' : `profile ${profile}`;
  return (
    `if the file has payouts, correct payoutPattern of ${name} in the profiles file, ` +
    'and run "millime statements mark-payouts <statement> --payout-pattern <text> --reason <why>" for stored credits'
  );
}

function warningsOf(check: ImportCheck): string[] {
  const skipped = check.duplicates.map(
    ({ statement, before }) =>
      `skips a statement of account ${statement.account}: already imported as statement ${before.id}`,
  );
  return [...skipped, ...payoutWarnings(check), ...check.warnings.map(noticeLine)];
}

/** Prints a file that was checked but not stored, whether an import would succeed, and the next command. */
export function printCheck(
  io: CliIo,
  check: ImportCheck,
  typed: TypedImport,
  calendar: Pick<BusinessCalendar, 'formatLocal'>,
): void {
  const { scanned, known, refusals } = check;
  if (scanned !== undefined) {
    printScanned(io, typed.path, scanned, check.proposal);
    io.line(`verdict: ${summarizeStatements(scanned.statements).verdict}`);
    for (const fault of describeFaults(scanned.statements)) io.line(`  ${fault}`);
  } else if (check.proposal !== undefined) printUndecided(io, typed.path, check.proposal);
  for (const text of recognizedTexts(check)) io.line(text);
  for (const remark of check.remarks) io.line(`note: ${remark}`);
  for (const warning of warningsOf(check)) io.line(`warning: ${warning}`);
  const [first] = check.notChecked;
  if (first !== undefined) io.line(notCheckedText(first, check.notChecked));
  const next = nextCommand(check, refusals, typed);
  if (check.savesProposal && refusals.length === 0) {
    io.line(`Would save the profile ${typed.options['saveProfile'] ?? ''} (dry run)`);
  }
  if (refusals.length > 0) {
    io.line('Would refuse the import:');
    for (const text of refusals.flatMap((refusal) => errorLines(refusal, typed.command))) io.line(`  ${text}`);
    io.line(`nothing was stored (dry run)${next === undefined ? '' : `; run "${next}"`}`);
  } else if (known !== undefined) {
    const when = calendar.formatLocal(known.importedAt);
    io.line(`Would change nothing (dry run): already imported as ${known.name}, ${when} by ${known.importedBy}`);
  } else io.line(`Would import the file (dry run); run "${next ?? ''}"`);
}

const CHECKED_FACTS: Readonly<Record<NotChecked['check'], string>> = {
  scope: 'the scope of MILLIME_API_KEY',
  stored_file: 'whether the file is stored',
  account_currency: 'the currency of stored accounts',
  account_name: 'the names of stored accounts',
  stored_statements: 'whether its statements are stored',
  contradictions: 'whether its lines contradict stored ones',
};

function notCheckedText({ reason }: NotChecked, all: readonly NotChecked[]): string {
  return `not checked, because ${reason}: ${all.map(({ check }) => CHECKED_FACTS[check]).join(', ')}`;
}

const CURRENCY_OPTION = '--currency <currency>';

/** Returns what a person must add to the command after a refusal; undefined if no option helps. */
function missingOption(code: string, check: ImportCheck | undefined): string | undefined {
  if (code === 'account_missing') return '--account <account>';
  if (code === 'currency_missing') return CURRENCY_OPTION;
  if (code === 'decimal_sign_undecided') return '--decimal-sign <sign>';
  if (code === 'date_format_undecided') return '--date-format <format>';
  if (code !== 'profile_unconfirmed') return undefined;
  return check?.savesProfiles === true ? '--save-profile <name>' : `--profile ${PROPOSED_PROFILE}`;
}

/** Returns the command that imports the file, with gaps to fill; undefined if no option helps. */
function nextCommand(
  check: ImportCheck | undefined,
  refusals: readonly AppError[],
  { path, options, command }: TypedImport,
): string | undefined {
  const missing = refusals.map(({ problem: { code } }) => missingOption(code, check));
  if (missing.includes(undefined)) return undefined;
  // Without its statements, only the gap of its profile shows that a file names no currency.
  const isRead = check?.scanned !== undefined;
  if (!isRead && check?.proposal?.gaps.some(({ field }) => field === 'currency') === true) {
    missing.push(CURRENCY_OPTION);
  }
  const given = command.options.flatMap((option) => {
    const value = options[option.attributeName()];
    if (value === undefined || value === false) return [];
    return [value === true ? (option.long ?? '') : `${option.long ?? ''} ${shellWord(value)}`];
  });
  return ['millime statements import', shellWord(path), ...given, ...missing].join(' ');
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : shellQuoted(text);
}
