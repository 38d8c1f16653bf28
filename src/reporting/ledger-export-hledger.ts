import type { Session } from '../db';
import { type BusinessCalendar, counted, formatInstant } from '../kernel';
import { accountTypeLetter, encodeAccount, encodeName } from './export-name';
import {
  type AccountBalance,
  accountPages,
  balancePages,
  type ExportedTransaction,
  transactionPages,
} from './ledger-export-read-model';

const HEAD = [
  '; The books of Millime. Names are percent-encoded outside [A-Za-z0-9._-].',
  '; In the order of recording; whole only with the line "; end of the books".',
  'decimal-mark .',
  'commodity 1000.000 TND',
  '',
];

/**
 * Yields the ledger as an hledger journal, in pages. It ends with assertions of Millime's balances: `hledger check`
 * proves that the journal adds up to them, and fails for a changed journal.
 */
export async function* hledgerJournal(session: Session, calendar: BusinessCalendar): AsyncGenerator<string> {
  yield linesToText(HEAD);
  for await (const page of accountPages(session)) yield linesToText(page.map(({ account }) => accountLine(account)));

  let lastDate = '';
  let count = 0;
  for await (const page of transactionPages(session)) {
    const dated = page.map((transaction) => ({ date: calendar.dateOf(transaction.occurredAt), transaction }));
    for (const { date } of dated) if (date > lastDate) lastDate = date;
    count += page.length;
    yield linesToText(dated.flatMap(({ date, transaction }) => transactionLines(date, transaction)));
  }

  // hledger checks assertions by date and then by position: these are last in both.
  let head = lastDate === '' ? [] : ['', `${lastDate} * balances`];
  for await (const page of balancePages(session)) {
    if (lastDate === '') break;
    yield linesToText([...head, ...page.map(assertionLine)]);
    head = [];
  }
  yield linesToText(['', `; end of the books: ${counted(count, 'transaction')}`]);
}

function accountLine(account: string): string {
  const letter = accountTypeLetter(account);
  return `account ${encodeAccount(account)}${letter === undefined ? '' : `  ; type: ${letter}`}`;
}

function transactionLines(date: string, transaction: ExportedTransaction): string[] {
  const { id, reference, code, occurredAt, recordedAt, recordedBy, reversesId, postings } = transaction;
  const tags = [
    `id:${id}`,
    `occurred_at:${formatInstant(occurredAt)}`,
    `recorded_at:${formatInstant(recordedAt)}`,
    `recorded_by:${encodeName(recordedBy)}`,
    ...(reversesId === undefined ? [] : [`reverses:${reversesId}`]),
  ];
  return [
    '',
    `${date} * (${encodeName(reference)}) ${encodeName(code)}`,
    `    ; ${tags.join(', ')}`,
    ...postings.flatMap(({ debit, credit, amount }) => [
      postingLine(debit, formatTnd(BigInt(amount))),
      postingLine(credit, formatTnd(-BigInt(amount))),
    ]),
  ];
}

function assertionLine({ account, balance }: AccountBalance): string {
  return postingLine(account, `${formatTnd(0n)} = ${formatTnd(balance)}`);
}

function postingLine(account: string, amount: string): string {
  return `    ${encodeAccount(account)}  ${amount}`;
}

/** Formats `-12.345 TND`: always three decimals, with a point. */
function formatTnd(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(4, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)} TND`;
}

function linesToText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
