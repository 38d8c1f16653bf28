import { windows1252 } from '../../../fixtures/statements/statement-bytes';
import { balanceBefore, type Slice, type TruthLine } from './bank-life';

/** The three formats in which the bank of these tests gives its statements. */
export const WRITTEN_FORMATS = ['csv', 'mt940', 'camt053'] as const;
export type WrittenFormat = (typeof WRITTEN_FORMATS)[number];

export interface WriteOptions {
  /** What stands around the statements and means nothing, so that the bytes differ. */
  readonly remark?: string;
  /** Other references than the bank has, as in an export of another of its systems. */
  readonly referenceOf?: (line: TruthLine, index: number) => string;
}

/** A file with statements. CSV has room for one. */
export function fileOf(format: WrittenFormat, slices: readonly Slice[], options: WriteOptions = {}): Buffer {
  if (format === 'csv') {
    const [only, another] = slices;
    if (only === undefined || another !== undefined) throw new Error('a CSV file holds one statement');
    return windows1252(csvText(only, options));
  }
  return Buffer.from(format === 'mt940' ? mt940Text(slices, options) : camtText(slices, options));
}

interface Written extends TruthLine {
  readonly balanceAfter: number;
}

function writtenLines({ life, start, end }: Slice, { referenceOf }: WriteOptions): Written[] {
  return life.lines.slice(start, end).map((line, index) => ({
    ...line,
    reference: referenceOf === undefined ? line.reference : referenceOf(line, start + index),
    balanceAfter: balanceBefore(life, start + index + 1),
  }));
}

function edges({ life, start, end }: Slice): { opening: number; closing: number } {
  return { opening: balanceBefore(life, start), closing: balanceBefore(life, end) };
}

/** Digits with a decimal sign, without a minus. */
function amountText(minor: number, currency: string, sign: ',' | '.'): string {
  const exponent = currency === 'TND' ? 3 : 2;
  const digits = String(Math.abs(minor)).padStart(exponent + 1, '0');
  return `${digits.slice(0, -exponent)}${sign}${digits.slice(-exponent)}`;
}

function csvText(slice: Slice, options: WriteOptions): string {
  const { account, currency } = slice.life;
  const { opening, closing } = edges(slice);
  const text = (minor: number): string => `${minor < 0 ? '-' : ''}${amountText(minor, currency, ',')}`;
  const rows = writtenLines(slice, options).map(({ date, amountMinor, text: words, reference, balanceAfter }) => {
    const day = date.split('-').reverse().join('/');
    const [debit, credit] = amountMinor < 0 ? [text(-amountMinor), ''] : ['', text(amountMinor)];
    return `${day};${day};${words};${reference};${debit};${credit};${text(balanceAfter)}`;
  });
  return [
    `${options.remark ?? 'BANQUE'};;;;;;`,
    `RIB :;${account};;;;;`,
    `Devise :;${currency};;;;;`,
    `Solde initial :;;;;;;${text(opening)}`,
    'Date opération;Date valeur;Libellé;Référence;Débit;Crédit;Solde',
    ...rows,
    `Solde final au ${slice.through} :;;;;;;${text(closing)}`,
    '',
  ].join('\r\n');
}

function mt940Text(slices: readonly Slice[], options: WriteOptions): string {
  const statements = slices.map((slice, index) => {
    const { account, currency } = slice.life;
    const { opening, closing } = edges(slice);
    const balance = (minor: number, day: string): string =>
      `${minor < 0 ? 'D' : 'C'}${short(day)}${currency}${amountText(minor, currency, ',')}`;
    const lines = writtenLines(slice, options).flatMap(({ date, amountMinor, text, reference }) => {
      const mark = amountMinor < 0 ? 'D' : 'C';
      const bankReference = reference === '' ? '' : `//${reference}`;
      const amount = amountText(amountMinor, currency, ',');
      return [`:61:${short(date)}${short(date).slice(2)}${mark}${amount}NTRFNONREF${bankReference}`, `:86:${text}`];
    });
    return [
      ':20:STMT',
      `:25:${account}`,
      `:28C:${index + 1}`,
      `:60F:${balance(opening, slice.from)}`,
      ...lines,
      `:62F:${balance(closing, slice.through)}`,
      '-',
    ].join('\r\n');
  });
  // What a bank writes around its messages.
  return [options.remark ?? 'BANK', ...statements, ''].join('\r\n');
}

function short(date: string): string {
  return date.slice(2).replaceAll('-', '');
}

function camtText(slices: readonly Slice[], options: WriteOptions): string {
  const statements = slices.map((slice, index) => {
    const { account, currency } = slice.life;
    const { opening, closing } = edges(slice);
    const side = (minor: number): string => `<CdtDbtInd>${minor < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
    const money = (minor: number): string =>
      `<Amt Ccy="${currency}">${amountText(minor, currency, '.')}</Amt>${side(minor)}`;
    const balance = (type: string, minor: number, day: string): string =>
      `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>${money(minor)}<Dt><Dt>${day}</Dt></Dt></Bal>`;
    const entries = writtenLines(slice, options).map(({ date, amountMinor, text, reference }) => {
      const bankReference = reference === '' ? '' : `<AcctSvcrRef>${reference}</AcctSvcrRef>`;
      return (
        `<Ntry>${money(amountMinor)}<Sts>BOOK</Sts><BookgDt><Dt>${date}</Dt></BookgDt><ValDt><Dt>${date}</Dt></ValDt>` +
        `${bankReference}<NtryDtls><TxDtls><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`
      );
    });
    return (
      `<Stmt><Id>STMT-${index + 1}</Id><CreDtTm>2026-04-01T08:00:00</CreDtTm>` +
      `<FrToDt><FrDtTm>${slice.from}T00:00:00</FrDtTm><ToDtTm>${slice.through}T23:59:59</ToDtTm></FrToDt>` +
      `<Acct><Id><Othr><Id>${account}</Id></Othr></Id><Ccy>${currency}</Ccy></Acct>` +
      `${balance('OPBD', opening, slice.from)}${balance('CLBD', closing, slice.through)}\n${entries.join('\n')}\n</Stmt>`
    );
  });
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">` +
    `<BkToCstmrStmt><GrpHdr><MsgId>${options.remark ?? 'M'}</MsgId><CreDtTm>2026-04-01T08:00:00</CreDtTm></GrpHdr>` +
    `${statements.join('\n')}</BkToCstmrStmt></Document>\n`
  );
}
