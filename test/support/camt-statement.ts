import { addDays, businessDate } from '../../src/kernel';

const FIRST_DAY = businessDate('2025-01-01');
const LINES_OF_A_DAY = 100;
const OPENING = 5_000_000;

export interface CamtGiven {
  readonly account?: string;
  /** Which lines of the account's endless history: from this day on, and for so many days, each of 100 lines. */
  readonly fromDay?: number;
  readonly days: number;
  /** Without balances it cannot prove itself. */
  readonly balances?: boolean;
}

export interface CamtStatement {
  readonly bytes: Buffer;
  readonly account: string;
  readonly lines: number;
  /** In millimes. */
  readonly closing: number;
}

/** A camt.053 of an account whose lines are the same ones in every file that covers their days. */
export function aCamtStatement({
  account = '08003000514',
  fromDay = 0,
  days,
  balances = true,
}: CamtGiven): CamtStatement {
  const first = fromDay * LINES_OF_A_DAY;
  const numbers = Array.from({ length: days * LINES_OF_A_DAY }, (_, index) => first + index);
  const closing = balanceBefore(first + numbers.length);
  const text = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>',
    '<GrpHdr><MsgId>M1</MsgId><CreDtTm>2025-12-31T01:00:00</CreDtTm></GrpHdr>',
    `<Stmt><Id>S-${fromDay}-${days}</Id><Acct><Id><Othr><Id>${account}</Id></Othr></Id><Ccy>TND</Ccy></Acct>`,
    balances ? balance('OPBD', balanceBefore(first)) + balance('CLBD', closing) : '',
    ...numbers.map(entry),
    '</Stmt></BkToCstmrStmt></Document>',
  ].join('\n');
  return { bytes: Buffer.from(text), account, lines: numbers.length, closing };
}

/** Every third one is a debit. */
function amountOf(line: number): number {
  return line % 3 === 2 ? -(500 + line) : 1_000 + line;
}

function balanceBefore(line: number): number {
  let sum = OPENING;
  for (let each = 0; each < line; each += 1) sum += amountOf(each);
  return sum;
}

function entry(line: number): string {
  const amount = amountOf(line);
  const day = addDays(FIRST_DAY, Math.floor(line / LINES_OF_A_DAY));
  return (
    `<Ntry><Amt Ccy="TND">${dinars(Math.abs(amount))}</Amt><CdtDbtInd>${amount < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>` +
    `<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt><AcctSvcrRef>R${line}</AcctSvcrRef></Ntry>`
  );
}

function balance(type: string, amount: number): string {
  return (
    `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="TND">${dinars(amount)}</Amt>` +
    '<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2025-01-01</Dt></Dt></Bal>'
  );
}

function dinars(millimes: number): string {
  return `${Math.trunc(millimes / 1_000)}.${String(millimes % 1_000).padStart(3, '0')}`;
}
