import { WHOLE_FILE_BYTES_MAX } from '../limits';
import { fileFault, tooLarge } from '../refusal';
import { csvProfileSchema, type CsvProfileText, type StatementProfile } from '../statement-profile';
import type { ColumnRole } from './known-columns';
import { proposeEncoding } from './propose-encoding';
import { proposeAccount, proposeAround, proposeCurrency, proposeStatus } from './propose-facts';
import { type ProposedHeader, proposeHeader } from './propose-header';
import { proposeOrder } from './propose-order';
import { proveRows } from './rows-proof';

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
  const { encoding, text } = proposeEncoding(bytes);
  if (text.trim() === '') throw fileFault('the file is empty');
  const header = proposeHeader(text);
  const proof = proveRows(text, header);
  const dates = proof.dates.result(header.dayFirst);
  const amounts = proof.amounts.result(header.dayFirst ? ',' : '.');
  const signs = header.columns.has('amount') ? proof.signs.result() : undefined;
  const debitSign = proof.debitSigns.result();
  const currency = proposeCurrency(header, proof);
  const account = proposeAccount(header, proof);
  const status = proposeStatus(header, proof);
  const draft: CsvProfileText = {
    name: 'proposed',
    description: `made from a file with the header ${header.names.filter((name) => name !== '').join(', ')}`.slice(
      0,
      500,
    ),
    format: 'csv',
    encoding,
    delimiter: header.delimiter,
    ...account.part,
    ...currency.part,
    columns: {
      ...plainColumns(header),
      ...(signs?.direction === undefined ? {} : { direction: signs.direction }),
      ...status.part,
    },
    dateFormat: dates.format,
    ...(debitSign === 'none' ? {} : { debitSign }),
    decimalSign: amounts.decimalSign,
    thousandsSeparators: [...amounts.thousandsSeparators],
    // The running balance is still checked line by line, but only a balance that the bank states proves a file.
    balancesFromRunning: false,
    ...proposeAround(header, proof),
  };
  const order = proposeOrder(bytes, draft, dates);
  const written: CsvProfileText = { ...draft, order };
  return {
    profile: csvProfileSchema.parse(written),
    json: JSON.stringify(written, null, 2),
    reasons: [
      `the text is ${encoding}`,
      `line ${header.line} is the header; ${JSON.stringify(header.delimiter)} separates the columns`,
      `every date fits ${dates.format}; the file is ${order}`,
      amounts.shown ? `every amount fits the decimal sign ${amounts.decimalSign}` : 'no amount has decimals',
      signs === undefined ? columnsReason(debitSign) : signs.reason,
      currency.reason,
      account.reason,
      ...(status.reason === undefined ? [] : [status.reason]),
    ],
  };
}

function columnsReason(debitSign: 'none' | 'minus'): string {
  return `debits and credits have a column each${debitSign === 'minus' ? '; each debit has a minus' : ''}`;
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
