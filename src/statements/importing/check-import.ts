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
import { fittingCurrency, inCurrency, isWithoutCurrency } from '../reading/given-currency';
import { type FileFacts, inspectBankFile } from '../reading/inspect-bank-file';
import { joinPages } from '../reading/join-pages';
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
 * Decides whether a file would be imported, and writes nothing. A dry run and an import both call it, so they cannot
 * differ.
 */
export async function checkImport(deps: CheckDeps, request: CheckRequest): Promise<ImportCheck> {
  const checks = new Checks(deps, request);
  const actor = await checks.findActor();
  const facts = await checks.run(() => inspectBankFile(request.file));
  const stored = facts === undefined ? undefined : await checks.findKnown(facts);
  const isRefused = checks.refusals.length > 0;
  const readsKnown = request.readsKnown === true || request.saveProfile !== undefined;
  const read = facts === undefined || (stored !== undefined && !readsKnown) ? {} : await checks.readFile(facts);
  // A concurrent import of the same bytes may have ended while this one was read.
  const isStoredNow = checks.refusals.some(({ problem: { code } }) => code === 'statements_known');
  const known = stored ?? (facts !== undefined && isStoredNow ? await checks.findKnown(facts) : undefined);
  if (known !== undefined) await checks.warnOfOtherAccount(known);
  const outcome = isRefused ? 'refused' : known === undefined ? 'imported' : 'already_imported';
  // The same bytes are stored, whatever a new reading finds in them. Only the profile is new.
  const refusals = outcome === 'already_imported' ? checks.refusalsToSave : checks.refusals;
  return {
    outcome: refusals.length > 0 ? 'refused' : outcome,
    refusals,
    notChecked: checks.notChecked,
    remarks: [...checks.remarks],
    warnings: checks.warnings,
    scanned: undefined,
    fileId: checks.fileId,
    statements: [],
    duplicates: [],
    places: checks.places,
    proposal: undefined,
    payouts: undefined,
    ...read,
    savesProfiles: isOwnProfilesFile(deps.profilesFile),
    savesProposal: request.saveProfile !== undefined && read.proposal !== undefined,
    known,
    actor,
  };
}

function notStored(reason: string): NotChecked[] {
  return (['stored_file', 'account_currency', 'account_name', 'stored_statements'] as const).map((check) => ({
    check,
    reason,
  }));
}

/** The checks of one file, in their order. Each records its refusal, and those that can still run follow. */
class Checks {
  readonly refusals: AppError[] = [];
  /** Those of them that concern the profile to save. */
  refusalsToSave: readonly AppError[] = [];
  readonly notChecked: NotChecked[] = [];
  readonly fileId = newId();
  readonly remarks = new Set<string>();
  warnings: readonly Notice[] = [];
  places: readonly PlaceInChain[] = [];
  readonly #deps: CheckDeps;
  readonly #request: CheckRequest;
  /** Undefined without a database. */
  readonly #readStored: ReadStored | undefined;
  #accounts: KnownAccounts | undefined;

  constructor(deps: CheckDeps, request: CheckRequest) {
    this.#deps = deps;
    this.#request = request;
    const { withoutDatabase: reason } = request;
    if (reason === undefined) this.#readStored = (work) => deps.database.read(work, { deadlineMs: READ_DEADLINE_MS });
    // An operator without a key has every scope.
    else if (typeof request.actor === 'function') this.notChecked = [{ check: 'scope', reason }, ...notStored(reason)];
    else this.notChecked = notStored(reason);
  }

  /** Returns the result of a check; undefined if it refused the file. */
  async run<T>(check: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await check();
    } catch (error) {
      const named = namedError(this.#request.file.name, error);
      if (!isAppError(named, 'bad_input', 'forbidden', 'conflict', 'not_found')) throw named;
      this.refusals.push(named);
      return undefined;
    }
  }

  /** Runs a check on stored rows; undefined if it refused the file or there is no database. */
  async #runStored<T>(work: (read: ReadStored) => Promise<T>): Promise<T | undefined> {
    const read = this.#readStored;
    return read && this.run(() => work(read));
  }

  findActor(): Promise<Actor | undefined> {
    const { actor } = this.#request;
    const checked = async (found: Actor): Promise<Actor> => {
      requireScope(found, 'statements:write');
      return found;
    };
    // The scopes of a key are stored.
    return typeof actor === 'function'
      ? this.#runStored(async () => checked(await actor()))
      : this.run(() => checked(actor));
  }

  findKnown({ sha256 }: FileFacts): Promise<StatementFile | undefined> {
    return this.#runStored((read) => read((session) => openStatements(session).fileBySha256(sha256)));
  }

  async readFile(facts: FileFacts): Promise<Partial<ImportCheck>> {
    const request = this.#request;
    const reading = await this.run(() => chooseReader(request.file, facts, request, this.#deps.profiles()));
    if (reading === undefined) return {};
    const undecided = reading.proposal === undefined ? [] : undecidedIn(reading.proposal);
    this.refusals.push(...undecided);
    await this.run(() => requireAskedForProposal(request.file.name, reading, request));
    await this.run(() => requireSavedPattern(reading, request));
    if (undecided.length > 0) return this.#undecided(reading, undecided);
    const read = await this.run(() => readStatements(request.file, reading, request.onProgress));
    if (read === undefined) return {};
    await this.#checkGivenAccount(ifOne(read.map(({ parsed }) => parsed.account)));
    const scanned = { facts, reading, statements: await this.#inCurrencies(withAccount(request.account, read)) };
    await this.run(() => requirePossibleDates(scanned, this.#deps));
    const statements = await this.#toStatements(scanned);
    const payouts = recognizedCredits((account) => reading.payoutPattern(account), scanned.statements);
    const proposal = await this.#profileToSave(scanned, payouts);
    return { scanned, proposal, payouts, statements, duplicates: await this.#compareWithStored(statements, reading) };
  }

  /** Returns the proposal of a file whose amounts or dates only a person can read, with what else its import needs. */
  async #undecided(reading: Reading, undecided: readonly AppError[]): Promise<Partial<ImportCheck>> {
    await this.run(() => requireStatedAccount(reading, this.#request));
    if (this.#request.saveProfile !== undefined) this.refusalsToSave = undecided;
    return { proposal: profileToDecide(reading, this.#request) };
  }

  async #checkGivenAccount(ofFile: string | undefined): Promise<void> {
    const { account: given } = this.#request;
    if (ofFile === undefined || given === undefined) return;
    const [name, wanted] = [accountKey(ofFile), await this.#storedName(accountKey(given))];
    if ((await this.#storedName(name)) === wanted) return;
    const known = await this.#knownAccounts();
    const refusal = known && otherAccountRefusal(name, wanted, known);
    if (refusal !== undefined) this.refusals.push(refusal);
    else this.remarks.add(`the file names account ${ofFile}; used the given one, ${wanted}: check both`);
  }

  /** Returns the proposed profile as it would be saved, and checks that it can be. */
  async #profileToSave(
    scanned: ScannedFile,
    payouts: RecognizedCredits | undefined,
  ): Promise<ProfileEntry | undefined> {
    const { saveProfile: name } = this.#request;
    const found = profileToSave(scanned, this.#request);
    if (name === undefined || (found === undefined && scanned.reading.profile === name)) return found;
    const before = this.refusals.length;
    await this.run(() => requireProfileToSave(found, scanned.reading, this.#deps));
    await this.run(() => requireRecognized(payouts, this.#request));
    const ofGaps = this.refusals.filter(({ problem: { code } }) => code === 'currency_missing');
    this.refusalsToSave = [...ofGaps, ...this.refusals.slice(before)];
    return found;
  }

  /** Returns statements without a currency in the one that the person gives, otherwise in that of their account. */
  async #inCurrencies(statements: readonly ScannedStatement[]): Promise<readonly ScannedStatement[]> {
    const { currency: given } = this.#request;
    if (given !== undefined) {
      const code = (await this.run(() => fittingCurrency(given, statements))) ?? given;
      return statements.map((each) => (isWithoutCurrency(each) ? inCurrency(each, code) : each));
    }
    const found: ScannedStatement[] = [];
    for (const each of statements) {
      const account = isWithoutCurrency(each) ? await this.#storedName(accountKey(each.parsed.account ?? '')) : '';
      const currency = account === '' ? undefined : await this.#currencyOf(account);
      found.push(currency === undefined ? each : inCurrency(each, currency));
    }
    return found;
  }

  /** Returns the currency of an account's stored statements, if it is only one. */
  async #currencyOf(account: string): Promise<string | undefined> {
    const currencies = await this.#runStored((read) => read((session) => openKnownRows(session).currenciesOf(account)));
    const [currency, other] = currencies ?? [];
    if (currency === undefined || other !== undefined) return undefined;
    this.remarks.add(
      `the file states no currency; used ${currency}, that of the stored statements of account ${account}`,
    );
    return currency;
  }

  /** Returns the name under which the statements of an account are stored. */
  async #storedName(name: string): Promise<string> {
    const known = await this.#knownAccounts();
    return known === undefined ? name : accountOf(name, known);
  }

  async #knownAccounts(): Promise<KnownAccounts | undefined> {
    return (this.#accounts ??= await this.#runStored((read) => read((session) => openAccounts(session).known())));
  }

  async #toStatements({ statements }: ScannedFile): Promise<readonly WholeAndStatement[]> {
    const { account } = this.#request;
    const wholes = joinPages(statements);
    const before = this.refusals.length;
    const named = await this.run(() => {
      if (account !== undefined) requireOneAccount(wholes.map((whole) => whole.account));
      return wholes.map((whole) => ({ whole, name: requireAccount(whole, wholes) }));
    });
    await this.run(() => wholes.forEach((whole) => requireStorableLines(whole, requireOneCurrency(whole))));
    if (named === undefined || this.refusals.length > before) return [];
    const accounts = new Map<string, string>();
    for (const { name } of named) accounts.set(name, await this.#storedName(name));
    const stored = await this.run(() =>
      named.map(({ whole, name }, index) => ({
        whole,
        statement: newStatement(whole, {
          fileId: this.fileId,
          position: index + 1,
          account: accounts.get(name) ?? name,
        }),
      })),
    );
    return stored ?? [];
  }

  async #compareWithStored(wholes: readonly WholeAndStatement[], reading: Reading): Promise<readonly Duplicate[]> {
    if (wholes.length === 0) return [];
    const accounts = new Set(wholes.map(({ statement }) => statement.account));
    for (const account of accounts) {
      const fault = keyFault(account);
      if (fault !== undefined) this.remarks.add(`account ${account}: ${fault}; check the number`);
    }
    const known = this.#accounts;
    if (known !== undefined && this.#request.account === undefined) {
      await this.run(() => requireProvenAccounts([...accounts], known));
    }
    const { file } = this.#request;
    const duplicates = (await this.#runStored((read) => findDuplicates(read, wholes, { file, reading }))) ?? [];
    const skipped = new Set(duplicates.map(({ statement }) => statement.id));
    const fresh = wholes.flatMap(({ statement }) => (skipped.has(statement.id) ? [] : [statement]));
    if (known !== undefined && this.refusals.length === 0) {
      this.warnings = (await this.#runStored((read) => read((session) => warnOfAlike(session, fresh, known)))) ?? [];
    }
    await this.#noteContradictions(fresh);
    await this.#findPlaces(fresh);
    return duplicates;
  }

  /** Warns of a file whose bytes are stored under another account than the one that the person gives now. */
  async warnOfOtherAccount({ id }: StatementFile): Promise<void> {
    const { account: given } = this.#request;
    const known = await this.#knownAccounts();
    if (given === undefined || known === undefined) return;
    const listed = await this.#runStored((read) => read((session) => openStatements(session).ofFile(id)));
    const stored = ifOne((listed ?? []).map(({ statement }) => accountOf(statement.account, known)));
    this.warnings = stored === undefined ? [] : storedUnderOther(stored, accountOf(accountKey(given), known), known);
  }

  async #findPlaces(statements: readonly Statement[]): Promise<void> {
    if (this.#request.readsKnown !== true) return;
    this.places = (await this.#runStored((read) => read((session) => placesInChain(session, statements)))) ?? [];
  }

  /** Lines are compared with stored ones only while an import writes them. It may put their statement on hold. */
  async #noteContradictions(statements: readonly Statement[]): Promise<void> {
    if (this.#request.readsKnown !== true || this.refusals.length > 0) return;
    const stored = await this.#runStored((read) =>
      read(async (session) => {
        const known = openKnownRows(session);
        for (const statement of statements) if (await known.hasOtherLines(statement)) return true;
        return false;
      }),
    );
    if (stored !== true) return;
    const reason = 'stored statements have lines of the same days, with which an import compares them';
    this.notChecked.push({ check: 'contradictions', reason });
  }
}
