import type { Database } from '../../db';
import { type Actor, requireScope } from '../../identity';
import type { AppError, Notice } from '../../kernel';
import { accountKey, type BusinessCalendar, type Clock, isAppError, keyFault, newId } from '../../kernel';
import { openAccounts } from '../account-store';
import { type PlaceInChain, placesInChain } from '../chain/place-in-chain';
import { accountOf, type KnownAccounts } from '../known-accounts';
import type { BankFile } from '../reading/bank-file';
import { chooseReader, type Reading } from '../reading/choose-reader';
import { undecidedIn } from '../reading/csv/propose-profile';
import { toMinorUnits } from '../reading/currencies';
import { fittingCurrency, inCurrency, isWithoutCurrency } from '../reading/given-currency';
import { type FileFacts, inspectBankFile } from '../reading/inspect-bank-file';
import { joinPages, type WholeStatement } from '../reading/join-pages';
import type { ProfilesSource } from '../reading/load-profiles';
import type { ProfileEntry } from '../reading/profile-entry';
import { type RecognizedCredits, recognizedCredits } from '../reading/recognized-credits';
import { namedError } from '../reading/refusal';
import { isOwnProfilesFile } from '../reading/save-profile';
import {
  type OnProgress,
  readStatements,
  requireOneAccount,
  type ScannedFile,
  type ScannedStatement,
  withAccount,
} from '../reading/scan-bank-file';
import type { AnyProfile } from '../reading/statement-profile';
import type { Statement, StatementFile } from '../statement-records';
import { openStatements } from '../statement-store';
import { findDuplicates, otherAccountRefusal, requireProvenAccounts, storedUnderOther } from './compare-with-stored';
import type { Duplicate, ReadStored, WholeAndStatement } from './duplicate';
import { warnOfAlike } from './find-alike';
import { ifOne } from './if-one';
import { openKnownRows } from './known-rows-store';
import { newStatement, requireAccount, requireOneCurrency, requireStorableLines } from './new-statement';
import {
  profileToDecide,
  profileToSave,
  requireProfileToSave,
  requireRecognized,
  requireSavedPattern,
  type SaveOptions,
} from './profile-to-save';
import { requireAskedForProposal, requirePossibleDates, requireStatedAccount } from './require-importable';

const READ_DEADLINE_MS = 60_000;

export interface CheckDeps extends ProfilesSource {
  readonly database: Database;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  readonly profiles: () => readonly AnyProfile[];
}

export interface CheckRequest extends SaveOptions {
  readonly file: BankFile;
  /** The actor, or how to find it if that may be refused. */
  readonly actor: Actor | (() => Promise<Actor>);
  /** Called with the number of bytes read so far, in each of the two passes. */
  readonly onProgress?: OnProgress;
  /** For a dry run on an installation whose database cannot be read: the reason. */
  readonly withoutDatabase?: string | undefined;
  /** Whether the check is for people: a file whose bytes are stored is read again, and statements get their places. */
  readonly readsKnown?: boolean;
}

/** A check that a dry run could not make. */
export interface NotChecked {
  readonly check:
    'scope' | 'stored_file' | 'account_currency' | 'account_name' | 'stored_statements' | 'contradictions';
  readonly reason: string;
}

/** The checks that need stored rows. */
const OF_STORED = ['stored_file', 'account_currency', 'account_name', 'stored_statements'] as const;

/** What an import of a file would do, and why. */
export interface ImportCheck {
  /** `already_imported`: the same bytes are stored, so an import succeeds and changes nothing. */
  readonly outcome: 'imported' | 'already_imported' | 'refused';
  /** In the order of the checks. An import throws the first one. */
  readonly refusals: readonly AppError[];
  readonly notChecked: readonly NotChecked[];
  /** What the import assumes, one sentence each. */
  readonly remarks: readonly string[];
  /** Accounts that seem to be stored under two names, one notice each. */
  readonly warnings: readonly Notice[];
  /** Undefined if the file could not be read. */
  readonly scanned: ScannedFile | undefined;
  /** The stored file with the same bytes. */
  readonly known: StatementFile | undefined;
  /** The id of the file if it is stored, and its statements; empty if one of them cannot be stored. */
  readonly fileId: string;
  readonly statements: readonly WholeAndStatement[];
  /** Statements of the file that would be skipped, because another file brought them. */
  readonly duplicates: readonly Duplicate[];
  /** Where the other statements would stand among those of their accounts; empty unless the check is for people. */
  readonly places: readonly PlaceInChain[];
  readonly actor: Actor | undefined;
  /** How many credits the payout pattern recognizes; undefined without one. */
  readonly payouts: RecognizedCredits | undefined;
  /** The profile that was proposed for the file, as an entry of the profiles file; undefined if none was needed. */
  readonly proposal: ProfileEntry | undefined;
  /** Whether the installation has a profiles file of its own, to save profiles in. */
  readonly savesProfiles: boolean;
  /** Whether the import saves the proposal. */
  readonly savesProposal: boolean;
}

/**
 * The checks of a file, in their order. Each one refuses the file or adds to what is found. A refusal ends only the
 * checks that need what the refused one would have found, so that a person sees all that is wrong.
 */
const CHECKS: readonly Check[] = [
  findActor,
  inspectBytes,
  findStoredBytes,
  chooseReading,
  when('reading', findUnit),
  when('reading', requireChoices),
  when('reading', requireAskedForProposal),
  when('reading', requireSavedPattern),
  when('reading', requireAccountOfUndecided),
  when('reading', readLines),
  when('scanned', requireGivenAccount),
  when('scanned', findCurrencies),
  when('scanned', requirePossibleDates),
  when('scanned', requireAccounts),
  when('scanned', requireStorableAmounts),
  when('named', findStatements),
  when('scanned', requireSavableProfile),
  when('statements', requireRightNumbers),
  when('statements', findKnownStatements),
  when('statements', warnOfAlikeAccounts),
  when('statements', noteContradictions),
  when('statements', findPlaces),
  findBytesStoredMeanwhile,
  warnOfOtherAccount,
];

type Check = (found: Findings) => Promise<void> | void;

/** Makes a check that needs what an earlier one found. */
function when<Key extends 'reading' | 'scanned' | 'named' | 'statements'>(
  key: Key,
  check: (needed: NonNullable<Findings[Key]>, found: Findings) => Promise<void> | void,
): Check {
  return (found) => {
    const needed = found[key];
    return needed === undefined ? undefined : check(needed, found);
  };
}

/**
 * Decides whether a file would be imported, and writes nothing. A dry run and an import both call it, so they cannot
 * differ.
 */
export async function checkImport(deps: CheckDeps, request: CheckRequest): Promise<ImportCheck> {
  const found = new Findings(deps, request);
  for (const check of CHECKS) await found.run(() => check(found));
  const { actor, known, remarks, scanned, statements = [], fileId, proposal, payouts } = found;
  const { notChecked, warnings, duplicates, places } = found;
  // The same bytes are stored, whatever a new reading finds in them. Only the profile is new.
  const isKnown = known !== undefined && actor !== undefined;
  const refusals = isKnown ? found.refusalsToSave : found.refusals;
  return {
    outcome: refusals.length > 0 ? 'refused' : isKnown ? 'already_imported' : 'imported',
    ...{ refusals, notChecked, warnings, scanned, known, fileId, statements, duplicates, places, actor, payouts },
    remarks: [...remarks],
    proposal,
    savesProfiles: isOwnProfilesFile(deps.profilesFile),
    savesProposal: request.saveProfile !== undefined && proposal !== undefined,
  };
}

/** What the checks of one file found so far. */
class Findings {
  readonly refusals: AppError[] = [];
  /** Those of them that concern the profile to save. */
  refusalsToSave: readonly AppError[] = [];
  readonly notChecked: NotChecked[];
  readonly remarks = new Set<string>();
  readonly fileId = newId();
  warnings: readonly Notice[] = [];
  places: readonly PlaceInChain[] = [];
  actor: Actor | undefined;
  facts: FileFacts | undefined;
  known: StatementFile | undefined;
  reading: Reading | undefined;
  /** The choices of the reading that only a person can make. */
  undecided: readonly AppError[] = [];
  scanned: ScannedFile | undefined;
  /** The statements with the names of their accounts. */
  named: readonly { readonly whole: WholeStatement; readonly name: string }[] | undefined;
  statements: readonly WholeAndStatement[] | undefined;
  duplicates: readonly Duplicate[] = [];
  payouts: RecognizedCredits | undefined;
  proposal: ProfileEntry | undefined;
  /** Undefined before a check needs them, and without a database. */
  accounts: KnownAccounts | undefined;
  readonly deps: CheckDeps;
  readonly request: CheckRequest;
  /** Undefined without a database. */
  readonly read: ReadStored | undefined;

  constructor(deps: CheckDeps, request: CheckRequest) {
    this.deps = deps;
    this.request = request;
    const { withoutDatabase: reason, actor } = request;
    if (reason === undefined) this.read = (work) => deps.database.read(work, { deadlineMs: READ_DEADLINE_MS });
    // An operator without a key has every scope.
    const ofKey = typeof actor === 'function' ? (['scope'] as const) : [];
    this.notChecked = reason === undefined ? [] : [...ofKey, ...OF_STORED].map((check) => ({ check, reason }));
  }

  /** Runs a check, or a part of one whose other parts can still run. Returns undefined if it refused the file. */
  async run<T>(work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const named = namedError(this.request.file.name, error);
      if (!isAppError(named, 'bad_input', 'forbidden', 'conflict', 'not_found')) throw named;
      this.refusals.push(named);
      return undefined;
    }
  }

  /** Returns the name under which the statements of an account are stored. */
  async storedName(name: string): Promise<string> {
    this.accounts ??= await this.read?.((session) => openAccounts(session).known());
    return this.accounts === undefined ? name : accountOf(name, this.accounts);
  }

  /** Returns the statements of the file that are not stored. */
  get fresh(): readonly Statement[] {
    const skipped = new Set(this.duplicates.map(({ statement }) => statement.id));
    return (this.statements ?? []).map(({ statement }) => statement).filter(({ id }) => !skipped.has(id));
  }
}

async function findActor(found: Findings): Promise<void> {
  const { actor } = found.request;
  // The scopes of a key are stored.
  if (typeof actor === 'function' && found.read === undefined) return;
  const who = typeof actor === 'function' ? await actor() : actor;
  requireScope(who, 'statements:write');
  found.actor = who;
}

function inspectBytes(found: Findings): void {
  found.facts = inspectBankFile(found.request.file);
}

async function findStoredBytes(found: Findings): Promise<void> {
  const { facts, read } = found;
  if (facts !== undefined) found.known = await read?.((session) => openStatements(session).fileBySha256(facts.sha256));
}

function chooseReading(found: Findings): void {
  const { facts, known, request, deps } = found;
  const readsKnown = request.readsKnown === true || request.saveProfile !== undefined;
  if (facts === undefined || (known !== undefined && !readsKnown)) return;
  found.reading = chooseReader(request.file, facts, request, deps.profiles());
}

/** A balance of stored statements shows whether the whole amounts of a file are dinars or millimes. */
async function findUnit(reading: Reading, found: Findings): Promise<void> {
  const { read, facts, request, deps } = found;
  const asked = reading.proposal?.choices.filter(({ isOpen }) => isOpen) ?? [];
  if (read === undefined || facts === undefined || asked.length !== 1 || asked[0]?.field !== 'unit') return;
  const fitting: { readonly unit: string; readonly reading: Reading }[] = [];
  for (const unit of ['dinars', 'millimes'] as const) {
    const tried = chooseReader(request.file, facts, { ...request, unit }, deps.profiles());
    for (const { parsed } of withAccount(request.account, readStatements(request.file, tried))) {
      const balances = [parsed.opening, parsed.closing].flatMap((stated) => {
        const minor = stated === undefined ? undefined : toMinorUnits(stated.amount, 'TND');
        return minor?.ok === true && minor.minor !== 0 ? [minor.minor] : [];
      });
      const account = await found.storedName(accountKey(parsed.account ?? ''));
      const isKnown = await read((session) => openKnownRows(session).hasBalance(account, balances));
      if (isKnown) fitting.push({ unit, reading: tried });
    }
  }
  const [only, ...others] = fitting;
  if (only === undefined || others.some(({ unit }) => unit !== only.unit)) return;
  found.reading = only.reading;
  found.remarks.add(`the amounts are in ${only.unit}, as a stored balance of the account shows`);
}

function requireChoices({ proposal }: Reading, found: Findings): void {
  found.undecided = proposal === undefined ? [] : undecidedIn(proposal);
  found.refusals.push(...found.undecided);
}

/** The lines of a file whose amounts or dates only a person can read are not read. */
function requireAccountOfUndecided(reading: Reading, found: Findings): void {
  const { undecided, request } = found;
  if (undecided.length === 0) return;
  found.proposal = profileToDecide(reading, request);
  if (request.saveProfile !== undefined) found.refusalsToSave = undecided;
  requireStatedAccount(reading, request);
}

function readLines(reading: Reading, found: Findings): void {
  const { facts, undecided, request } = found;
  if (facts === undefined || undecided.length > 0) return;
  found.scanned = { facts, reading, statements: readStatements(request.file, reading, request.onProgress) };
}

async function requireGivenAccount(scanned: ScannedFile, found: Findings): Promise<void> {
  const { account: given } = found.request;
  found.scanned = { ...scanned, statements: withAccount(given, scanned.statements) };
  const ofFile = ifOne(scanned.statements.map(({ parsed }) => parsed.account));
  if (ofFile === undefined || given === undefined) return;
  const [name, wanted] = [accountKey(ofFile), await found.storedName(accountKey(given))];
  if ((await found.storedName(name)) === wanted) return;
  const refusal = found.accounts && otherAccountRefusal(name, wanted, found.accounts);
  if (refusal !== undefined) throw refusal;
  found.remarks.add(`the file names account ${ofFile}; used the given one, ${wanted}: check both`);
}

/** Statements without a currency get the one that the person gives, otherwise that of their account. */
async function findCurrencies(scanned: ScannedFile, found: Findings): Promise<void> {
  const { currency: given } = found.request;
  const fits = given && (await found.run(() => fittingCurrency(given, scanned.statements)));
  const statements: ScannedStatement[] = [];
  for (const each of scanned.statements) {
    const isOpen = isWithoutCurrency(each);
    const currency = isOpen ? (fits ?? given ?? (await currencyOfAccount(each.parsed.account, found))) : undefined;
    statements.push(currency === undefined ? each : inCurrency(each, currency));
  }
  found.scanned = { ...scanned, statements };
}

/** Returns the currency of an account's stored statements, if it is only one. */
async function currencyOfAccount(named = '', found: Findings): Promise<string | undefined> {
  const account = await found.storedName(accountKey(named));
  if (account === '') return undefined;
  const currency = ifOne((await found.read?.((session) => openKnownRows(session).currenciesOf(account))) ?? []);
  if (currency === undefined) return undefined;
  found.remarks.add(
    `the file states no currency; used ${currency}, that of the stored statements of account ${account}`,
  );
  return currency;
}

function requireAccounts({ statements }: ScannedFile, found: Findings): void {
  const wholes = joinPages(statements);
  if (found.request.account !== undefined) requireOneAccount(wholes.map(({ account }) => account));
  found.named = wholes.map((whole) => ({ whole, name: requireAccount(whole, wholes) }));
}

function requireStorableAmounts({ statements }: ScannedFile, found: Findings): void {
  const { named } = found;
  found.named = undefined;
  for (const whole of joinPages(statements)) requireStorableLines(whole, requireOneCurrency(whole));
  found.named = named;
}

async function findStatements(named: NonNullable<Findings['named']>, found: Findings): Promise<void> {
  const statements: WholeAndStatement[] = [];
  for (const [index, { whole, name }] of named.entries()) {
    const place = { fileId: found.fileId, position: index + 1, account: await found.storedName(name) };
    statements.push({ whole, statement: newStatement(whole, place) });
  }
  found.statements = statements;
}

async function requireSavableProfile(scanned: ScannedFile, found: Findings): Promise<void> {
  const { request, deps, refusals } = found;
  const { reading, statements } = scanned;
  const { saveProfile: name } = request;
  const payouts = recognizedCredits((account) => reading.payoutPattern(account), statements);
  const proposal = profileToSave(scanned, request);
  [found.payouts, found.proposal] = [payouts, proposal];
  if (name === undefined || (proposal === undefined && reading.profile === name)) return;
  const before = refusals.length;
  await found.run(() => requireProfileToSave(proposal, reading, deps));
  await found.run(() => requireRecognized(payouts, request));
  const ofGaps = refusals.filter(({ problem: { code } }) => code === 'currency_missing');
  found.refusalsToSave = [...ofGaps, ...refusals.slice(before)];
}

type Statements = NonNullable<Findings['statements']>;

function requireRightNumbers(statements: Statements, { remarks, accounts: known, request }: Findings): void {
  const accounts = new Set(statements.map(({ statement }) => statement.account));
  for (const account of accounts) {
    const fault = keyFault(account);
    if (fault !== undefined) remarks.add(`account ${account}: ${fault}; check the number`);
  }
  if (known !== undefined && request.account === undefined) requireProvenAccounts([...accounts], known);
}

async function findKnownStatements(statements: Statements, found: Findings): Promise<void> {
  const { read, reading, request } = found;
  if (read === undefined || reading === undefined) return;
  found.duplicates = await findDuplicates(read, statements, { file: request.file, reading });
}

async function warnOfAlikeAccounts(_: Statements, found: Findings): Promise<void> {
  const { read, accounts, refusals, fresh } = found;
  if (read === undefined || accounts === undefined || refusals.length > 0) return;
  found.warnings = await read((session) => warnOfAlike(session, fresh, accounts));
}

/** Lines are compared with stored ones only while an import writes them. It may put their statement on hold. */
async function noteContradictions(
  _: Statements,
  { request, refusals, read, fresh, notChecked }: Findings,
): Promise<void> {
  if (request.readsKnown !== true || refusals.length > 0) return;
  const hasOthers = await read?.(async (session) => {
    const known = openKnownRows(session);
    for (const statement of fresh) if (await known.hasOtherLines(statement)) return true;
    return false;
  });
  if (hasOthers !== true) return;
  const reason = 'stored statements have lines of the same days, with which an import compares them';
  notChecked.push({ check: 'contradictions', reason });
}

async function findPlaces(_: Statements, found: Findings): Promise<void> {
  const { request, read, fresh } = found;
  if (request.readsKnown === true) found.places = (await read?.((session) => placesInChain(session, fresh))) ?? [];
}

/** A concurrent import of the same bytes may have ended while this file was read. */
async function findBytesStoredMeanwhile(found: Findings): Promise<void> {
  if (found.known !== undefined) return;
  if (found.refusals.some(({ problem: { code } }) => code === 'statements_known')) await findStoredBytes(found);
}

/** Warns of a file whose bytes are stored under another account than the one that the person gives now. */
async function warnOfOtherAccount(found: Findings): Promise<void> {
  const { known, read, request } = found;
  if (known === undefined || request.account === undefined) return;
  const given = await found.storedName(accountKey(request.account));
  const { accounts } = found;
  const listed = await read?.((session) => openStatements(session).ofFile(known.id));
  if (listed === undefined || accounts === undefined) return;
  const stored = ifOne(listed.map(({ statement }) => accountOf(statement.account, accounts)));
  found.warnings = stored === undefined ? [] : storedUnderOther(stored, given, accounts);
}
