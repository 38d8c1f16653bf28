import { newId } from '../../kernel';
import type { IdentityCounter } from '../chain/line-identity';
import { type NewPending, pendingKeys } from '../pending/pending-keys';
import { type Decimal, decimalText } from '../reading/decimal';
import { isRecognized } from '../reading/is-recognized';
import type { LineDetail, ParsedLine } from '../reading/parsed-statement';
import { refusalAt } from '../reading/refusal';
import type { Movement, PendingEntry, Statement, StatementLine } from '../statement-records';
import type { StoredDetail } from '../statement-rows';
import { toMinorAt } from './new-statement';

/** The width of the columns. The raw text has the whole value. */
const TEXT_CHARACTERS_MAX = 1_000;
const CUT_MARK = '…';
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
/** The number of transactions of a large batch that are stored with the line. The raw text has all of them. */
const DETAILS_KEPT_MAX = 1_000;

export interface LinePlace {
  readonly statement: Statement;
  readonly position: number;
}

/** Returns a booked line to store. Its identity counts equal lines, so pass the lines in the order of the statement. */
export function toStoredLine(
  line: ParsedLine,
  { statement, position }: LinePlace,
  { counter, payoutPattern }: { readonly counter: IdentityCounter; readonly payoutPattern: RegExp | undefined },
): StatementLine {
  const shared = sharedFields(line, statement);
  // Each field is copied: spreading the shared ones takes longer than everything else, and large files have a million
  // lines.
  return {
    id: newId(),
    statementId: shared.statementId,
    position,
    fileLine: line.fileLine,
    account: shared.account,
    currency: shared.currency,
    bookingDate: shared.bookingDate,
    valueDate: shared.valueDate,
    amountMinor: shared.amountMinor,
    counterparty: shared.counterparty,
    counterpartyAccount: shared.counterpartyAccount,
    remittance: shared.remittance,
    bankReference: shared.bankReference,
    endToEndId: shared.endToEndId,
    transactionCode: kept(line.transactionCode),
    // A single transaction is the line itself.
    details: line.details.length > 1 ? line.details.slice(0, DETAILS_KEPT_MAX).map(toStoredDetail) : [],
    payoutCandidate: shared.amountMinor > 0 && (line.payoutCandidate ?? isRecognized(payoutPattern, line)),
    balanceAfterMinor: line.balanceAfter === undefined ? undefined : minorOf(line.balanceAfter, line, statement),
    identity: counter.next(shared),
    raw: shared.raw,
  };
}

/** Returns an announced line to store. */
export function toPendingEntry(line: ParsedLine, { statement, position }: LinePlace): NewPending {
  const status = statement.kind === 'interim' || line.status === 'booked' ? 'interim' : line.status;
  const entry: PendingEntry = { ...sharedFields(line, statement), id: newId(), position, status };
  return { entry, keys: pendingKeys(entry) };
}

type Shared = Omit<Movement, 'id' | 'position'>;

/** Returns the facts of a line as they are stored, whether it is booked or announced. */
export function sharedFields(line: ParsedLine, statement: Statement): Shared {
  return {
    statementId: statement.id,
    account: statement.account,
    currency: statement.currency,
    bookingDate: line.bookingDate,
    valueDate: line.valueDate,
    amountMinor: minorOf(line.amount, line, statement),
    counterparty: kept(line.counterparty),
    counterpartyAccount: kept(line.counterpartyAccount),
    remittance: kept(line.remittance),
    bankReference: kept(line.bankReference),
    endToEndId: kept(line.endToEndId),
    raw: line.raw.toWellFormed(),
  };
}

function minorOf(amount: Decimal, { fileLine, currency }: ParsedLine, statement: Statement): number {
  if (currency !== undefined && currency !== statement.currency) {
    throw refusalAt(fileLine, `expected an amount in ${statement.currency}, as its statement has, got ${currency}`);
  }
  return toMinorAt(fileLine, amount, statement.currency);
}

function toStoredDetail(detail: LineDetail): StoredDetail {
  const { amount, currency = '', endToEndId, bankReference, counterparty, counterpartyAccount, remittance } = detail;
  return {
    ...(amount && { amount: decimalText(amount) }),
    ...(currency !== '' && { currency }),
    ...(endToEndId !== '' && { endToEndId: kept(endToEndId) }),
    ...(bankReference !== '' && { bankReference: kept(bankReference) }),
    ...(counterparty !== '' && { counterparty: kept(counterparty) }),
    ...(counterpartyAccount !== '' && { counterpartyAccount: kept(counterpartyAccount) }),
    ...(remittance !== '' && { remittance: kept(remittance) }),
  };
}

/** Returns one line of text that fits its column. */
function kept(text: string): string {
  const clean = text.toWellFormed().replace(CONTROL_CHARACTERS, ' ').trim();
  if (clean.length <= TEXT_CHARACTERS_MAX) return clean;
  // Half of a surrogate pair would not be valid text.
  const cut = clean.slice(0, TEXT_CHARACTERS_MAX - 1);
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}${CUT_MARK}`;
}
