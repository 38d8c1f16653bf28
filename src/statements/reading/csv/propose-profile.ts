import { isAppError } from '../../../kernel';
import type { Encoding } from '../decode-text';
import { WHOLE_FILE_BYTES_MAX } from '../limits';
import { ProofInProgress } from '../prove-statement';
import { fileFault, tooLarge } from '../refusal';
import { csvProfileSchema, type CsvProfileText, type StatementProfile } from '../statement-profile';
import type { ProvenDates } from './date-proof';
import type { ColumnRole } from './known-columns';
import { noProposal } from './no-proposal';
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
}

/**
 * Creates a profile from a CSV file's own header and rows. It refuses every ambiguity with the setting to use, because
 * a wrong guess would book wrong money.
 * @throws AppError `bad_input` whose details name the unknown parts and their places.
 */
export function proposeProfile(bytes: Uint8Array): ProposedProfile {
  if (bytes.length > WHOLE_FILE_BYTES_MAX) {
    throw tooLarge('CSV');
  }
  // Two encodings may have the letters of a file, and only one of them the words of its header.
  const texts = proposeEncodings(bytes).map(({ encoding, text }) => ({ encoding, source: textRows(text) }));
  const known = (texts.length > 1 ? texts.find(({ source }) => namesColumns(source)) : undefined) ?? texts[0];
  if (known === undefined) throw fileFault('the file is empty');
  return proposeProfileOf(known.source, known.encoding);
}

/**
 * Creates a profile from the rows of a text or of a sheet, whose encoding is then without meaning.
 * @throws AppError `bad_input` whose details name the unknown parts and their places.
 */
export function proposeProfileOf(source: RowSource, encoding: Encoding = 'utf-8'): ProposedProfile {
  if (source.isBlank()) throw fileFault('the file is empty');
  const header = proposeHeader(source);
  const proof = proveRows(source, header);
  const dates = proof.dates.result(header.dayFirst);
  const { draft, reasonsFor } = draftOf(header, proof, dates, encoding);
  const order = proposeOrder(source, draft, dates);
  const written: CsvProfileText = { ...draft, order };
  const profile = csvProfileSchema.parse(written);
  requireProvenReversals(source, profile, proof);
  return { profile, json: JSON.stringify(written, null, 2), reasons: reasonsFor(order) };
}

/** Returns a profile without the order of the lines, and its reasons with one. */
function draftOf(
  header: ProposedHeader,
  proof: RowsProof,
  dates: ProvenDates,
  encoding: Encoding,
): { readonly draft: CsvProfileText; readonly reasonsFor: (order: string) => readonly string[] } {
  const { delimiter } = header;
  const amounts = proof.amounts.result(header.dayFirst ? ',' : '.');
  const signs = header.columns.has('amount') ? proof.signs.result() : undefined;
  const debitSign = proof.debitSigns.result();
  const reversals = proof.debitSigns.negativeCredit !== undefined;
  const account = proposeAccount(header, proof);
  const currency = proposeCurrency(header, proof);
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
    `every date fits ${dates.format}; the file is ${order}`,
    amounts.shown ? `every amount fits the decimal sign ${amounts.decimalSign}` : 'no amount has decimals',
    signs?.reason ?? `debits and credits have a column each${debitSign === 'minus' ? '; each debit has a minus' : ''}`,
    ...(reversals ? ['a credit with a minus takes a credit back, as the balances prove'] : []),
    currency.reason,
    account.reason,
    ...(status.reason === undefined ? [] : [status.reason]),
  ];
  return { draft, reasonsFor };
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

/** A credit with a minus may be a debit or a slip, so the balances of the file must prove which. */
function requireProvenReversals(source: RowSource, profile: StatementProfile, { debitSigns }: RowsProof): void {
  const { negativeCredit } = debitSigns;
  if (negativeCredit === undefined) return;
  let proof = new ProofInProgress();
  for (const event of readRows(source, { profile })) {
    if (event.kind === 'line') proof.add(event.line);
    else {
      if (proof.finish(event.statement).verdict !== 'ok') {
        throw noProposal(`${negativeCredit}; the balances do not prove it, so set reversals in a profile`);
      }
      proof = new ProofInProgress();
    }
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
