import type { Command } from 'commander';
import type { Millime } from '../compose';
import { createReadiness } from '../db';
import { type AppError, type BusinessCalendar, shellQuoted } from '../kernel';
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
import { faultText } from './error-texts';
import { inEnglish, t, texts, word } from './language';
import { errorLines } from './report-error';
import { printScanned, printUndecided } from './statement-texts';

/** The command that a person typed, to report errors in its words and to print the next one. */
export interface TypedImport {
  readonly command: Command;
  readonly path: string;
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
}

/** Returns why stored statements cannot be read now, in English; undefined if they can. Answers within a few seconds. */
export async function whyNoDatabase({ config, database }: Millime): Promise<string | undefined> {
  if (!databaseFileExists(config.database)) return 'no database exists at DATABASE_URL';
  // The output names the reason, so the log need not repeat it with a stack.
  const found = await createReadiness(database, silentLogger)();
  if (found === 'ready') return undefined;
  return found === 'migrations' ? 'the database needs migrations' : 'the database at DATABASE_URL cannot be used';
}

/** Returns the JSON of a check; for a file that could not be checked, of its refusal. Its texts are English. */
export function checkJson(...of: Parameters<typeof englishJson>): Record<string, unknown> {
  return inEnglish(() => englishJson(...of));
}

function englishJson(
  check: ImportCheck | undefined,
  typed: TypedImport,
  refusals: readonly AppError[] = check?.refusals ?? [],
): Record<string, unknown> {
  const statements = check?.scanned?.statements;
  const { verdict, statements: summaries } = statements === undefined ? UNREAD : summarizeStatements(statements);
  return {
    unit: check?.scanned?.reading.unit ?? null,
    setAside: check?.scanned?.reading.setAside ?? [],
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
  return [recognizedText(payouts)];
}

/** Returns how many credits a payout pattern recognizes. */
function recognizedText({ recognized, credits }: NonNullable<ImportCheck['payouts']>): string {
  return t('cli:import.recognized', { recognized, credits: t('cli:count.credit', { count: credits }) });
}

/** Returns a warning about a payout pattern that recognizes no credit of the file. */
export function payoutWarnings({ payouts, refusals, scanned }: ImportCheck): string[] {
  if (payouts === undefined || payouts.recognized > 0 || payouts.credits === 0) return [];
  // The refusal states it already.
  if (refusals.some(({ problem: { field } }) => field === 'payoutPattern')) return [];
  return [`${recognizedText(payouts)}; ${patternAction(scanned?.reading.profile ?? '')}`];
}

/** What to do about a pattern that recognizes no credit. */
function patternAction(profile: string): string {
  const isNamed = profile !== '' && profile !== PROPOSED_PROFILE;
  return t('cli:import.correctPattern', {
    profile: isNamed ? t('cli:import.ofProfile', { profile }) : t('cli:import.itsProfile'),
  });
}

function warningsOf(check: ImportCheck): string[] {
  const skipped = check.duplicates.map(({ statement: { account }, before }) =>
    t('cli:import.skips', { account, id: before.id }),
  );
  return [...skipped, ...payoutWarnings(check), ...check.warnings.map(faultText)];
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
    const { verdict } = summarizeStatements(scanned.statements);
    io.line(t('cli:import.verdict', { verdict: word('statementVerdict', verdict) }));
    for (const text of describeFaults(scanned.statements)) io.line(`  ${faultText({ text })}`);
  } else if (check.proposal !== undefined) printUndecided(io, typed.path, check.proposal);
  for (const text of recognizedTexts(check)) io.line(text);
  for (const text of check.remarks) io.line(t('cli:output.note', { text: faultText({ text }) }));
  for (const text of warningsOf(check)) io.line(t('cli:output.warning', { text }));
  const [first] = check.notChecked;
  if (first !== undefined) io.line(notCheckedText(first, check.notChecked));
  const next = nextCommand(check, refusals, typed);
  if (check.savesProposal && refusals.length === 0) {
    io.line(t('cli:import.wouldSaveProfile', { name: String(typed.options['saveProfile'] ?? '') }));
  }
  if (refusals.length > 0) {
    io.line(t('cli:import.wouldRefuse'));
    for (const text of refusals.flatMap((refusal) => errorLines(refusal, typed.command))) io.line(`  ${text}`);
    io.line(next === undefined ? t('cli:import.notStored') : t('cli:import.notStoredRun', { next }));
  } else if (known !== undefined) {
    const { name, importedAt, importedBy: by } = known;
    io.line(t('cli:import.wouldChangeNothing', { name, when: calendar.formatLocal(importedAt), by }));
  } else io.line(t('cli:import.wouldImport', { next: next ?? '' }));
}

function notCheckedText({ reason }: NotChecked, all: readonly NotChecked[]): string {
  const facts = all.map(({ check }) => t(`cli:import.unchecked.${check}`)).join(', ');
  return t('cli:import.notChecked', { reason: texts().phrase(reason), facts });
}

const CURRENCY_OPTION = '--currency <currency>';

/** What a person adds to the command after a refusal. */
const MISSING_OPTIONS: Readonly<Record<string, string>> = {
  account_missing: '--account <account>',
  currency_missing: CURRENCY_OPTION,
  decimal_sign_undecided: '--decimal-sign <sign>',
  date_format_undecided: '--date-format <format>',
  unit_undecided: '--unit <unit>',
  sign_undecided: '--unmarked <side>',
  column_undecided: '--set-aside <column>',
};

/** Returns what a person must add to the command after a refusal; undefined if no option helps. */
function missingOption(code: string, check: ImportCheck | undefined): string | undefined {
  if (Object.hasOwn(MISSING_OPTIONS, code)) return MISSING_OPTIONS[code];
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
    const { long = '' } = option;
    if (value === undefined || value === false) return [];
    return value === true ? [long] : [value].flat().map((each) => `${long} ${shellWord(each)}`);
  });
  return ['millime statements import', shellWord(path), ...given, ...missing].join(' ');
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : shellQuoted(text);
}
