import { quoted } from '../../../kernel';
import { currencyOf } from '../currencies';
import { dateReader } from '../date-text';
import type { CsvProfileText } from '../statement-profile';
import { balanceEnd } from './balance-end';
import type { ProvenDates } from './date-proof';
import { KNOWN_LABELS } from './known-labels';
import { accountLabelAround, balanceAround, currencyAround } from './labels-around';
import { noProposal } from './no-proposal';
import type { ProposedHeader } from './propose-header';
import type { RowsProof } from './rows-proof';

/** A part of a profile, and its reason. */
interface Proposed<T> {
  readonly part: T;
  readonly reason: string;
}

/**
 * Proposes the currency; none if the file states none, which is usual in Tunisia. @throws AppError `bad_input` if the
 * header's words name several.
 */
export function proposeCurrency(
  { columns, currencies }: ProposedHeader,
  { sections, amounts, currency }: RowsProof,
): Proposed<Pick<CsvProfileText, 'currency'>> & { readonly code?: string | undefined } {
  const column = columns.get('currency');
  if (column !== undefined) {
    return { part: {}, reason: `the column ${quoted(column.name)} states the currency`, code: currency };
  }
  const [found] = sections.flatMap((around) => currencyAround(around) ?? []);
  if (found !== undefined) {
    return {
      part: { currency: { label: KNOWN_LABELS.currency } },
      reason: `line ${found.line} states the currency: ${found.text}`,
      code: currencyOf(found.text),
    };
  }
  const [only, second] = new Set([...currencies, ...amounts.currencies]);
  if (only !== undefined && second === undefined) {
    const where = currencies.size > 0 ? 'the header states' : 'amounts state';
    return { part: { currency: { fixed: only } }, reason: `${where} the currency: ${only}`, code: only };
  }
  if (second !== undefined) {
    throw noProposal(
      `expected one currency, and the file names ${only ?? ''} and ${second}; set currency in a profile`,
    );
  }
  return { part: {}, reason: 'the file does not state its currency' };
}

export function proposeAccount(
  { columns }: ProposedHeader,
  { sections }: RowsProof,
): Proposed<Pick<CsvProfileText, 'account'>> {
  const column = columns.get('account');
  if (column !== undefined) return { part: {}, reason: `the column ${quoted(column.name)} states the account` };
  const label = accountLabelAround(sections[0] ?? []);
  if (label === undefined) return { part: {}, reason: 'the file does not state its account' };
  return { part: { account: { label } }, reason: `a label states the account (${label})` };
}

/**
 * Proposes the column of states. @throws AppError `bad_input` if it has a word that may mean that the money never
 * moves.
 */
export function proposeStatus(
  { columns }: ProposedHeader,
  { status }: RowsProof,
): Proposed<Pick<CsvProfileText['columns'], 'status'>> | { readonly part: object; readonly reason: undefined } {
  const column = columns.get('status');
  if (column === undefined || !status.anyKnown) {
    // A column of remarks may have the name of a column of states. An unknown word in a real column of states is a
    // fault.
    if (column !== undefined && status.stranger !== undefined && !isRemark(column.name)) {
      throw strangerIn(status.stranger);
    }
    return { part: {}, reason: undefined };
  }
  if (status.stranger !== undefined) throw strangerIn(status.stranger);
  return {
    part: { status: { column: column.name, booked: status.wordsOf('booked'), pending: status.wordsOf('pending') } },
    reason: `the column ${quoted(column.name)} states which lines are pending`,
  };
}

function isRemark(name: string): boolean {
  return name.toLowerCase() === 'info';
}

function strangerIn(stranger: string): Error {
  return noProposal(`${stranger} for booked or pending; set columns.status in a profile`);
}

/** Proposes the labels in the rows around the lines. */
export function proposeAround(
  { columns }: ProposedHeader,
  { sections }: RowsProof,
  { format, earliest: first, latest: last }: ProvenDates,
): Pick<CsvProfileText, 'opening' | 'closing' | 'totals' | 'otherRows'> {
  const twoColumns = columns.has('debit');
  const around = sections.flat();
  const days = first === undefined || last === undefined ? undefined : { first, last };
  const readDate = dateReader(format);
  const labelOf = (which: 'opening' | 'closing'): Pick<CsvProfileText, typeof which> => {
    if (sections.some((rows) => balanceAround(rows, which) !== undefined)) {
      return { [which]: { label: KNOWN_LABELS[which] } };
    }
    const isDated = around.some((row) => balanceEnd(row, days, readDate) === which);
    return isDated ? { [which]: { label: KNOWN_LABELS.dated } } : {};
  };
  return {
    ...labelOf('opening'),
    ...labelOf('closing'),
    ...(twoColumns ? { totals: { label: KNOWN_LABELS.totals } } : {}),
    // The next file of the bank may have a second page.
    otherRows: [...(twoColumns ? [] : [KNOWN_LABELS.totals]), KNOWN_LABELS.other],
  };
}
