import { AppError } from '../../kernel';
import type { BankFile } from './bank-file';
import { looksLikeXml } from './camt/looks-like-xml';
import { createCamtReader } from './camt/read-camt';
import { changesSince, detectProfile } from './csv/detect-profile';
import { columnNames, headerLike } from './csv/find-header';
import type { GivenForm } from './csv/form-choice';
import { type ProposedProfile, proposeProfile, undecidedIn } from './csv/propose-profile';
import { createCsvReader } from './csv/read-csv';
import { readSheets, refuseOtherKinds, type RowTable, spreadsheetKind } from './csv/read-sheets';
import { textRows } from './csv/row-source';
import { decodeText, utf16Of } from './decode-text';
import { requireFormOf } from './given-form';
import type { FileFacts } from './inspect-bank-file';
import { WHOLE_FILE_BYTES_MAX } from './limits';
import { lineAt } from './line-at';
import { looksLikeMt940 } from './mt940/looks-like-mt940';
import { createMt940Reader } from './mt940/read-mt940';
import { looksLikeOfx } from './ofx/looks-like-ofx';
import { createOfxReader } from './ofx/read-ofx';
import type { StatementReader } from './parsed-statement';
import { refusalAt, tooLarge } from './refusal';
import {
  type AnyProfile,
  csvProfileSchema,
  type CsvProfileText,
  payoutPatternFor,
  payoutPatternOf,
  type StatementProfile,
} from './statement-profile';

/** The supported formats. A new one needs only a new reader here; proof and import do not change. */
export const STATEMENT_FORMATS = ['csv', 'mt940', 'camt', 'ofx'] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

/** The name by which a person accepts the profile that Millime would propose. */
export const PROPOSED_PROFILE = 'proposed';

/** The person's options for a file. The form of amounts and dates counts if no profile states it. */
export interface ReadOptions extends GivenForm {
  readonly format?: StatementFormat | 'auto' | undefined;
  /** The name of a profile. By default the file decides. */
  readonly profile?: string | undefined;
  /** The account, if the file names none that can be read. An import refuses another one than the file names. */
  readonly account?: string | undefined;
  /** A regular expression on the credits that may be payouts, for a profile that is saved with it. */
  readonly payoutPattern?: string | undefined;
  /** A profile that a person made for the file, in place of every other one. */
  readonly ownProfile?: CsvProfileText | undefined;
}

/** How a file is to be read. */
export interface Reading {
  readonly format: StatementFormat;
  /** The name of the profile; empty if the format needs none. */
  readonly profile: string;
  /** Set if no profile of the installation reads the file, and this one was created from its header. */
  readonly proposal: ProposedProfile | undefined;
  /** How the file differs from those for which profiles were saved that would otherwise read it. */
  readonly changes: readonly string[];
  /** The unit of amounts in TND; undefined if the format states it. */
  readonly unit: StatementProfile['unit'] | undefined;
  /** The columns that carry nothing of the money, and are not read. */
  readonly setAside: readonly string[];
  /**
   * Creates a fresh reader, because a file is read several times.
   * @throws AppError `bad_input` if the proposal has an open choice.
   */
  createReader(): StatementReader;
  /** The patterns that `payoutPattern` may return. */
  readonly payoutPatterns: readonly RegExp[];
  /** Returns the pattern of the credits of an account that may be payouts; undefined: all. */
  payoutPattern(account: string | undefined): RegExp | undefined;
}

/** Chooses the reader of a file. @throws AppError `bad_input` if no reader fits the file, or an option does not fit. */
export function chooseReader(
  file: BankFile,
  facts: FileFacts,
  options: ReadOptions,
  profiles: readonly AnyProfile[],
): Reading {
  const named = namedProfile(options.profile, profiles);
  const wanted = options.format === undefined || options.format === 'auto' ? undefined : options.format;
  if (named !== undefined && wanted !== undefined && named.format !== wanted) {
    throw new AppError('bad_input', {
      field: 'format',
      expected: `${named.format}, the format of profile ${named.name}`,
      got: wanted,
    });
  }
  refuseOtherKinds(facts.head, () => wholeFile(file));
  const isCsv = options.profile === PROPOSED_PROFILE || options.ownProfile !== undefined;
  const format = wanted ?? named?.format ?? (isCsv ? 'csv' : detectFormat(facts.head));
  if (format === 'csv') return csvReading(file, facts, options, { named, profiles });
  requireFormOf({ format }, options);
  const profile = named?.name ?? '';
  const given = options.payoutPattern === undefined ? undefined : payoutPatternOf(options.payoutPattern);
  return {
    format,
    profile,
    ...{ proposal: undefined, changes: [], unit: undefined, setAside: [] },
    createReader: () => READERS[format](facts),
    payoutPatterns: given === undefined ? profiles.flatMap((each) => each.payoutPattern ?? []) : [given],
    payoutPattern: (account) => given ?? payoutPatternFor(profiles, { format, account, profileName: named?.name }),
  };
}

const READERS: Readonly<Record<Exclude<StatementFormat, 'csv'>, (facts: FileFacts) => StatementReader>> = {
  mt940: ({ utf8 }) => createMt940Reader({ utf8 }),
  camt: () => createCamtReader(),
  ofx: () => createOfxReader(),
};

/**
 * Decides by the content of the file, never by its name. The default is CSV, whose reader is strict, and which also reads
 * the rows of spreadsheets.
 */
export function detectFormat(head: string): StatementFormat {
  if (spreadsheetKind(head) !== undefined) return 'csv';
  if (looksLikeOfx(head)) return 'ofx';
  if (looksLikeXml(head)) return 'camt';
  if (looksLikeMt940(head)) return 'mt940';
  return 'csv';
}

interface KnownProfiles {
  readonly named: AnyProfile | undefined;
  readonly profiles: readonly AnyProfile[];
}

function csvReading(
  file: BankFile,
  { sizeBytes, head }: FileFacts,
  options: ReadOptions,
  known: KnownProfiles,
): Reading {
  const kind = spreadsheetKind(head);
  if (sizeBytes > WHOLE_FILE_BYTES_MAX) {
    if (kind !== undefined) throw tooLarge('a spreadsheet');
    requireText(Buffer.from(head, 'latin1'));
    throw tooLarge('CSV');
  }
  if (kind !== undefined) return readSheets(kind, wholeFile(file), (table) => readingOf(table, options, known));
  let whole: Buffer | undefined;
  const bytes = (): Buffer => (whole ??= wholeFile(file));
  const table: RowTable = {
    rowsFor({ encoding }) {
      const decoded = decodeText(bytes(), encoding);
      return decoded.ok ? textRows(decoded.text) : undefined;
    },
    propose(given) {
      // Only a profile can declare UTF-16 whose bytes do not prove it.
      requireText(bytes());
      return proposeProfile(bytes(), given);
    },
    createReader: createCsvReader,
  };
  return readingOf(table, options, known);
}

/** Chooses the profile: the named one, the one whose header fits, or else a proposed one. */
function readingOf(
  { rowsFor, propose, createReader }: RowTable,
  options: ReadOptions,
  { named, profiles }: KnownProfiles,
): Reading {
  const ofProfile = (
    profile: StatementProfile,
    proposal?: ProposedProfile,
    changes: readonly string[] = [],
  ): Reading => ({
    format: 'csv',
    profile: profile.name,
    ...{ proposal, changes },
    unit: profile.unit,
    setAside: Object.keys(profile.setAside ?? {}),
    createReader() {
      const [open] = proposal === undefined ? [] : undecidedIn(proposal);
      if (open !== undefined) throw open;
      return createReader({ profile, account: options.account, events: proposal?.events });
    },
    payoutPatterns: profile.payoutPattern === undefined ? [] : [profile.payoutPattern],
    payoutPattern: () => profile.payoutPattern,
  });
  const ofKnown = (profile: StatementProfile): Reading => {
    requireFormOf(profile, options);
    return ofProfile(profile);
  };
  const own = options.ownProfile;
  if (own !== undefined) {
    const bound = boundTo(rowsFor, own);
    const profile = csvProfileSchema.parse(bound);
    return ofProfile(profile, { profile, json: JSON.stringify(bound), reasons: [], choices: [] });
  }
  if (named?.format === 'csv') return ofKnown(named);
  const candidates = options.profile === PROPOSED_PROFILE ? [] : profiles.filter((profile) => profile.format === 'csv');
  const detected = detectProfile(rowsFor, candidates);
  if (detected !== undefined) return ofKnown(detected);
  const proposal = withPattern(propose(options), options);
  return ofProfile(proposal.profile, proposal, changesSince(rowsFor, candidates));
}

/** Returns a profile that a person made with the headings of their file: it reads no file with other ones. */
function boundTo(rowsFor: RowTable['rowsFor'], own: CsvProfileText): CsvProfileText {
  const profile = csvProfileSchema.parse(own);
  const source = rowsFor(profile);
  const { names = [] } = (source && headerLike(source, profile)) ?? {};
  const read = new Set(columnNames(profile));
  const others = names.filter((name) => name !== '' && !read.has(name)).map((name) => [name, 'any'] as const);
  return names.length === 0 ? own : { ...own, headings: [...names], setAside: Object.fromEntries(others) };
}

function withPattern(proposal: ProposedProfile, { payoutPattern }: ReadOptions): ProposedProfile {
  if (payoutPattern === undefined) return proposal;
  // The lines that were read without the pattern do not say which of them may be payouts.
  const { events: _, ...rest } = proposal;
  return { ...rest, profile: { ...proposal.profile, payoutPattern: payoutPatternOf(payoutPattern) } };
}

function wholeFile(file: BankFile): Buffer {
  return Buffer.concat([...file.pieces()]);
}

function namedProfile(name: string | undefined, profiles: readonly AnyProfile[]): AnyProfile | undefined {
  if (name === undefined || name === PROPOSED_PROFILE) return undefined;
  const profile = profiles.find((candidate) => candidate.name === name);
  if (profile !== undefined) return profile;
  throw new AppError(
    'bad_input',
    { field: 'profile', expected: `one of the profiles or "${PROPOSED_PROFILE}"`, got: name },
    { details: profiles.map((candidate) => `${candidate.name}: ${candidate.description}`) },
  );
}

/**
 * Refuses bytes with a NUL: archives, pictures, files that a transfer padded. UTF-16 has NULs in each letter
 * and passes. `bytes` may be the beginning of a file.
 * @throws AppError `bad_input` that names the line.
 */
function requireText(bytes: Buffer): void {
  if (utf16Of(bytes) !== undefined) return;
  const at = bytes.indexOf(0);
  if (at === -1) return;
  throw refusalAt(lineAt(bytes.toString('latin1', 0, at), at), 'expected text, got a NUL');
}
