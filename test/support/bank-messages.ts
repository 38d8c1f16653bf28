/** One movement as a test wants it written. */
export interface GivenEntry {
  /** YYYY-MM-DD: the booking date of camt, the value date of a :61: without an entry date. */
  readonly day: string;
  /** In millimes; positive: credit. */
  readonly amount: number;
  readonly text?: string;
  readonly reference?: string;
  /** BOOK when it is not given. */
  readonly status?: 'BOOK' | 'PDNG';
  /** TND when it is not given. */
  readonly currency?: string;
}

interface GivenBalance {
  /** OPBD, ITBD, CLBD. */
  readonly type: string;
  readonly amount: number;
  readonly day: string;
}

export interface GivenCamt {
  readonly account: string;
  readonly id?: string;
  readonly page?: { readonly number: number; readonly last: boolean };
  readonly balances: readonly GivenBalance[];
  readonly entries: readonly GivenEntry[];
}

export interface GivenMt940 {
  readonly account: string;
  /** The balances of :60F: and :62F:, in millimes. */
  readonly opening: { readonly amount: number; readonly day: string };
  readonly closing: { readonly amount: number; readonly day: string };
  readonly entries: readonly GivenEntry[];
}

interface GivenMt942 {
  readonly account: string;
  readonly id: string;
  readonly entries: readonly GivenEntry[];
}

/** A camt.053. `remark` means nothing and makes the bytes others. */
export function camt053(statements: readonly GivenCamt[], remark = 'M'): Buffer {
  return camt({ message: '053', root: 'BkToCstmrStmt', element: 'Stmt', remark }, statements);
}

export function camt052(reports: readonly GivenCamt[], remark = 'M'): Buffer {
  return camt({ message: '052', root: 'BkToCstmrAcctRpt', element: 'Rpt', remark }, reports);
}

/** Statements whose lines say their value date only. */
export function mt940(statements: readonly GivenMt940[]): Buffer {
  const messages = statements.map(({ account, opening, closing, entries }, index) => [
    ':20:STMT',
    `:25:${account}`,
    `:28C:${index + 1}`,
    `:60F:C${short(opening.day)}TND${dinars(opening.amount, ',')}`,
    ...entries.flatMap(line),
    `:62F:C${short(closing.day)}TND${dinars(closing.amount, ',')}`,
    '-',
  ]);
  return Buffer.from([...messages.flat(), ''].join('\r\n'));
}

export function mt942({ account, id, entries }: GivenMt942): Buffer {
  const head = [`:20:${id}`, `:25:${account}`, ':28C:1', ':34F:TND0,', ':13D:2604021200+0100'];
  return Buffer.from([...head, ...entries.flatMap(line), '-', ''].join('\r\n'));
}

function line({ day, amount, text = '', reference }: GivenEntry): string[] {
  const bankReference = reference === undefined ? '' : `//${reference}`;
  return [`:61:${short(day)}${amount < 0 ? 'D' : 'C'}${dinars(amount, ',')}NTRFNONREF${bankReference}`, `:86:${text}`];
}

interface Envelope {
  readonly message: string;
  readonly root: string;
  readonly element: string;
  readonly remark: string;
}

function camt({ message, root, element, remark }: Envelope, statements: readonly GivenCamt[]): Buffer {
  const texts = statements.map(
    ({ account, id = 'S1', page, balances, entries }) =>
      `<${element}><Id>${id}</Id>${page === undefined ? '' : pagination(page)}<CreDtTm>2026-04-03T08:00:00</CreDtTm>` +
      `<Acct><Id><Othr><Id>${account}</Id></Othr></Id><Ccy>TND</Ccy></Acct>` +
      `${balances.map(balance).join('')}\n${entries.map(entry).join('\n')}\n</${element}>`,
  );
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${message}.001.08">` +
      `<${root}><GrpHdr><MsgId>${remark}</MsgId><CreDtTm>2026-04-03T08:00:00</CreDtTm></GrpHdr>\n` +
      `${texts.join('\n')}</${root}></Document>\n`,
  );
}

function pagination({ number, last }: { readonly number: number; readonly last: boolean }): string {
  return `<StmtPgntn><PgNb>${number}</PgNb><LastPgInd>${String(last)}</LastPgInd></StmtPgntn>`;
}

function balance({ type, amount, day }: GivenBalance): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>${money(amount, 'TND')}<Dt><Dt>${day}</Dt></Dt></Bal>`;
}

function entry({ day, amount, text = '', reference, status = 'BOOK', currency = 'TND' }: GivenEntry): string {
  const bankReference = reference === undefined ? '' : `<AcctSvcrRef>${reference}</AcctSvcrRef>`;
  return (
    `<Ntry>${money(amount, currency)}<Sts><Cd>${status}</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt>${bankReference}` +
    `<NtryDtls><TxDtls><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`
  );
}

function money(amount: number, currency: string): string {
  const value = currency === 'TND' ? dinars(amount, '.') : dinars(amount, '.').slice(0, -1);
  return `<Amt Ccy="${currency}">${value}</Amt><CdtDbtInd>${amount < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
}

function dinars(millimes: number, sign: ',' | '.'): string {
  const digits = String(Math.abs(millimes)).padStart(4, '0');
  return `${digits.slice(0, -3)}${sign}${digits.slice(-3)}`;
}

function short(day: string): string {
  return day.slice(2).replaceAll('-', '');
}
