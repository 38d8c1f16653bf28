import { type AppError, isAppError, quoted } from '../../../kernel';
import { currencyOf } from '../currencies';
import type { Encoding } from '../decode-text';
import { WHOLE_FILE_BYTES_MAX } from '../limits';
import { ProofInProgress, type StatementProof } from '../prove-statement';
import { fileFault, tooLarge } from '../refusal';
import type { CsvProfileText, StatementProfile } from '../statement-profile';
import type { ProvenDates } from './date-proof';
import { contradicted, type FormChoice, type GivenForm, undecided } from './form-choice';
import type { ColumnRole } from './known-columns';
import { KNOWN_LABELS } from './known-labels';
import { isLabeled } from './labels-around';
import { namingEncoding, noProposal, proposed } from './no-proposal';
import { proposeEncodings } from './propose-encoding';
import { proposeAccount, proposeAround, proposeCurrency, proposeStatus } from './propose-facts';
import { type ProposedHeader, proposeHeader } from './propose-header';
import { proposeOrder } from './propose-order';
import { readRows } from './read-csv-statement';
import { type RowSource, textRows } from './row-source';
import { proveRows, type RowsProof } from './rows-proof';

/** A profile created from a file that no profile of the installation reads. */
export interface ProposedProfile {
  /** Named `proposed`. */
  readonly profile: StatementProfile;
  /** The same profile as an entry of the profiles file, for a person to name, check and store. */
  readonly json: string;
  /** The findings with their places, one sentence each. */
  readonly reasons: readonly string[];
  /** The fields for which several values fit. Of an open one, the profile has a value that may be wrong. */
  readonly choices: readonly FormChoice[];
}

/** Returns the errors that refuse a file as long as its profile has open choices. */
export function undecidedIn({ choices }: ProposedProfile): AppError[] {
  return choices.filter(({ isOpen }) => isOpen).map(undecided);
}

/**
 * Creates a profile from a CSV file's own header and rows. It leaves a decimal sign or a form of dates open that only a
 * person can choose, and refuses every other ambiguity, because a wrong guess would book wrong money.
 * @throws AppError `bad_input` whose details name the unknown parts and their places.
 */
export function proposeProfile(bytes: Uint8Array, given: GivenForm = {}): ProposedProfile {
  if (bytes.length > WHOLE_FILE_BYTES_MAX) {
    throw tooLarge('CSV');
  }
  // Two encodings may have the letters of a file, and only one of them the words of its header.
  const texts = proposeEncodings(bytes).map(({ encoding, text }) => ({ encoding, source: textRows(text) }));
  const known = (texts.length > 1 ? texts.find(({ source }) => namesColumns(source)) : undefined) ?? texts[0];
  if (known === undefined) throw fileFault('the file is empty');
  try {
    return proposeProfileOf(known.source, given, known.encoding);
  } catch (error) {
    throw namingEncoding(error, bytes, known.encoding);
  }
}

/**
 * Creates a profile from the rows of a text or of a sheet, whose encoding is then without meaning.
 * @throws AppError `bad_input` whose details name the unknown parts and their places.
 */
export function proposeProfileOf(
  source: RowSource,
  given: GivenForm = {},
  encoding: Encoding = 'utf-8',
): ProposedProfile {
  if (source.isBlank()) throw fileFault('the file is empty');
  const header = proposeHeader(source);
  const rows: ReadRows = { source, header, proof: proveRows(source, header), encoding };
  const proposed = proposeWith(rows, given);
  for (const choice of proposed.choices) requireUncontradicted(rows, given, choice, proposed);
  requireProvenReversals(rows, proposed);
  return proposed;
}

interface ReadRows {
  readonly source: RowSource;
  readonly header: ProposedHeader;
  readonly proof: RowsProof;
  readonly encoding: Encoding;
}

/**
 * Checks that the balances do not contradict the value that a person gave, while they fit another one.
 * @throws AppError `bad_input` that names the other one.
 */
function requireUncontradicted(
  rows: ReadRows,
  given: GivenForm,
  { field, readings }: FormChoice,
  { profile }: ProposedProfile,
): void {
  const got = given[field];
  if (got === undefined || !isContradicted(rows.source, profile)) return;
  const fits = (value: string): boolean =>
    !isContradicted(rows.source, proposeWith(rows, { ...given, [field]: value }).profile);
  const other = readings.find(({ value }) => value !== got && fits(value));
  if (other !== undefined) throw contradicted(field, got, other.value);
}

/** A credit with a minus may be a debit or a slip, so the balances of the file must prove which. */
function requireProvenReversals({ source, proof }: ReadRows, { profile, choices }: ProposedProfile): void {
  const { negativeCredit } = proof.debitSigns;
  // The balances are read only when the choices are made.
  if (negativeCredit === undefined || choices.some(({ isOpen }) => isOpen) || isProven(source, profile)) return;
  throw noProposal(`${negativeCredit}; the balances do not prove it, so set reversals in a profile`);
}

function isContradicted(source: RowSource, profile: StatementProfile): boolean {
  return verdictsOf(source, profile).some((verdict) => verdict !== 'ok' && verdict !== 'no-proof');
}

function proposeWith({ source, header, proof, encoding }: ReadRows, given: GivenForm): ProposedProfile {
  const dates = proof.dates.result(header.dayFirst, given.dateFormat);
  const { draft, choices, reasonsFor } = draftOf(header, proof, dates, { encoding, ...given });
  const order = proposeOrder(source, draft, dates);
  const written: CsvProfileText = { ...draft, order };
  const proven = suggestions(written, header, proof).find(({ text }) => isProven(source, proposed(text)));
  const { text, reasons } = proven ?? { text: written, reasons: [] };
  const profile = proposed(text);
  return { profile, json: JSON.stringify(text, null, 2), reasons: [...reasonsFor(order), ...reasons], choices };
}

/** Returns a profile without the order of the lines, and its reasons with one. */
function draftOf(
  header: ProposedHeader,
  proof: RowsProof,
  dates: ProvenDates,
  { encoding, ...given }: GivenForm & { readonly encoding: Encoding },
): {
  readonly draft: CsvProfileText;
  readonly choices: readonly FormChoice[];
  readonly reasonsFor: (order: string) => readonly string[];
} {
  const { delimiter } = header;
  const currency = proposeCurrency(header, proof);
  const amounts = proof.amounts.result(
    header.dayFirst ? ',' : '.',
    given.decimalSign,
    currency.code ?? currencyOf(given.currency ?? ''),
  );
  const signs = header.columns.has('amount') ? proof.signs.result() : undefined;
  const debitSign = proof.debitSigns.result();
  const reversals = proof.debitSigns.negativeCredit !== undefined;
  const account = proposeAccount(header, proof);
  const status = proposeStatus(header, proof);
  const names = header.names.filter((name) => name !== '').join(', ');
  const draft: CsvProfileText = {
    name: 'proposed',
    description: `made from a file with the header ${names}`.slice(0, 500),
    ...{ format: 'csv', encoding, delimiter },
    ...account.part,
    ...currency.part,
    columns: {
      ...plainColumns(header),
      ...(signs?.direction === undefined ? {} : { direction: signs.direction }),
      ...status.part,
    },
    dateFormat: dates.format,
    ...(debitSign === 'none' ? {} : { debitSign }),
    ...(reversals ? { reversals } : {}),
    decimalSign: amounts.decimalSign,
    thousandsSeparators: [...amounts.thousandsSeparators],
    // The running balance alone leaves the first line without proof.
    balancesFromRunning: header.columns.has('balance') ? 'proven' : false,
    ...proposeAround(header, proof, dates),
  };
  const reasonsFor = (order: string): string[] => [
    `the text is ${encoding}`,
    `line ${header.line} is the header; ${JSON.stringify(delimiter)} separates the columns`,
    `every date fits ${dates.choice?.isOpen === true ? 'several formats' : dates.format}; the file is ${order}`,
    amounts.reason,
    signs?.reason ?? `debits and credits have a column each${debitSign === 'minus' ? '; each debit has a minus' : ''}`,
    ...(reversals ? ['a credit with a minus takes a credit back, as the balances prove'] : []),
    currency.reason,
    account.reason,
    ...(status.reason === undefined ? [] : [status.reason]),
  ];
  return { draft, choices: [dates.choice, amounts.choice].filter((choice) => choice !== undefined), reasonsFor };
}

function namesColumns(source: RowSource): boolean {
  try {
    proposeHeader(source);
    return true;
  } catch (error) {
    if (isAppError(error, 'bad_input')) return false;
    throw error;
  }
}

interface Suggestion {
  readonly text: CsvProfileText;
  readonly reasons: readonly string[];
}

/**
 * Returns the profile with what a label or a column only suggests, the fullest first: a balance brought forward as the
 * opening one, and words right of the balances as their signs. Each needs the proof of the balances.
 */
function suggestions(text: CsvProfileText, { columns }: ProposedHeader, { sections, signs }: RowsProof): Suggestion[] {
  const hasReport = sections.some((rows) => rows.some(({ cells, dated }) => !dated && isLabeled(cells, 'report')));
  const direction = columns.has('amount') ? undefined : signs.balanceMarks;
  const report = { opening: { label: KNOWN_LABELS.report } };
  const opening: readonly Suggestion[] =
    hasReport && text.opening === undefined
      ? [
          {
            text: { ...text, ...report },
            reasons: ['a balance brought forward is the opening one, as the balances prove'],
          },
        ]
      : [];
  const marked: readonly Suggestion[] =
    direction === undefined
      ? []
      : [{ text, reasons: [] }, ...opening].map((each) => ({
          text: { ...each.text, columns: { ...text.columns, direction } },
          reasons: [
            ...each.reasons,
            `the column ${quoted(direction.column)} states the sign of the balance, as the balances prove`,
          ],
        }));
  return [...marked.toReversed(), ...opening];
}

function isProven(source: RowSource, profile: StatementProfile): boolean {
  return verdictsOf(source, profile).every((verdict) => verdict === 'ok');
}

/** Returns the verdict of each statement, or that a row cannot be read. */
function verdictsOf(source: RowSource, profile: StatementProfile): (StatementProof['verdict'] | 'unreadable')[] {
  const verdicts: StatementProof['verdict'][] = [];
  try {
    let proof = new ProofInProgress();
    for (const event of readRows(source, { profile })) {
      if (event.kind === 'line') proof.add(event.line);
      else {
        verdicts.push(proof.finish(event.statement).verdict);
        proof = new ProofInProgress();
      }
    }
    return verdicts;
  } catch (error) {
    if (isAppError(error, 'bad_input')) return ['unreadable'];
    throw error;
  }
}

/** Returns the columns whose cells are used unchanged. Two more columns have words with a meaning. */
function plainColumns({ columns }: ProposedHeader): CsvProfileText['columns'] {
  const nameOf = (role: ColumnRole): string | undefined => columns.get(role)?.name;
  return {
    bookingDate: nameOf('bookingDate') ?? '',
    valueDate: nameOf('valueDate'),
    remittance: nameOf('remittance') ?? '',
    counterparty: nameOf('counterparty'),
    counterpartyAccount: nameOf('counterpartyAccount'),
    reference: nameOf('reference'),
    endToEndId: nameOf('endToEndId'),
    transactionCode: nameOf('transactionCode'),
    debit: nameOf('debit'),
    credit: nameOf('credit'),
    amount: nameOf('amount'),
    balance: nameOf('balance'),
    account: nameOf('account'),
    currency: nameOf('currency'),
  };
}
