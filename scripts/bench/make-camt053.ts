// A bank file of any size for benchmarks. The same seed creates the same file, and its balances prove it.
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Random, randomFrom } from '../../test/support/random';

export type BenchCurrency = 'EUR' | 'TND';

export interface Camt053Plan {
  /** The approximate size. The file ends with the entry that exceeds it. */
  readonly bytes: number;
  readonly currency: BenchCurrency;
  /** Another seed creates another account with other bookings. */
  readonly seed: number;
}

export interface Camt053Facts {
  readonly entries: number;
  /** In the smallest unit of the currency. */
  readonly closingMinor: bigint;
}

const DECIMALS = { EUR: 2, TND: 3 } as const satisfies Record<BenchCurrency, number>;
const OPENING_MINOR = 1_000_000n;
const AMOUNT_MINOR_MAX = 5_000_000;
const DEBIT_ONCE_IN = 3;
/** Entries are booked over one past month, in order. */
const MONTH = '2025-01';
const DAYS = 31;
/** The length of the text that is written to the file in one piece. */
const CHUNK_CHARACTERS = 64 * 1024;

const FIRST_WORDS = ['SOCIETE', 'PHARMACIE', 'LIBRAIRIE', 'GARAGE', 'HOTEL', 'CLINIQUE', 'ATELIER', 'EPICERIE'];
const SECOND_WORDS = [
  'EL AMEL',
  'DU LAC',
  'CARTHAGE',
  'IBN KHALDOUN',
  'LES OLIVIERS',
  'DU PORT',
  'BELLEVUE',
  'NOUR & FILS',
];
const PURPOSES = [
  'FACTURE',
  'LOYER',
  'HONORAIRES',
  'REGLEMENT COMMANDE',
  'ABONNEMENT',
  'ACOMPTE',
  'SOLDE DE TOUT COMPTE',
];

/** Writes the file as a stream, so that its size does not affect the memory. */
export async function makeCamt053(file: string, plan: Camt053Plan): Promise<Camt053Facts> {
  const facts = camt053Facts(plan);
  await pipeline(Readable.from(inChunks(camt053Text(plan, facts))), createWriteStream(file));
  return facts;
}

/**
 * Returns the facts of the file. The balances precede the entries, so all entries are drawn once to count them and
 * again to write them.
 */
export function camt053Facts(plan: Camt053Plan): Camt053Facts {
  const random = randomFrom(plan.seed);
  let entries = 0;
  let bytes = 0;
  let closingMinor = OPENING_MINOR;
  while (bytes < plan.bytes) {
    const { text, signedMinor } = entry(plan, random, entries, 1);
    bytes += Buffer.byteLength(text);
    closingMinor += signedMinor;
    entries += 1;
  }
  return { entries, closingMinor };
}

/** Yields the text of the file in pieces. */
export function* camt053Text(plan: Camt053Plan, { entries, closingMinor }: Camt053Facts): Generator<string> {
  const random = randomFrom(plan.seed);
  yield head(plan, closingMinor);
  for (let index = 0; index < entries; index += 1) {
    yield entry(plan, random, index, 1 + Math.floor((index * DAYS) / entries)).text;
  }
  yield '</Stmt></BkToCstmrStmt></Document>\n';
}

function head({ currency, seed }: Camt053Plan, closingMinor: bigint): string {
  const lastDay = `${MONTH}-${DAYS}`;
  const at = `${lastDay}T23:59:59+01:00`;
  const balance = (code: string, minor: bigint, date: string): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(currency, minor)}<Dt><Dt>${date}</Dt></Dt></Bal>\n`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>\n',
    `<GrpHdr><MsgId>BENCH-${seed}</MsgId><CreDtTm>${at}</CreDtTm></GrpHdr>\n`,
    `<Stmt><Id>BENCH-${seed}-${MONTH}</Id><ElctrncSeqNb>1</ElctrncSeqNb><CreDtTm>${at}</CreDtTm>\n`,
    `<FrToDt><FrDtTm>${MONTH}-01T00:00:00+01:00</FrDtTm><ToDtTm>${at}</ToDtTm></FrToDt>\n`,
    `<Acct><Id><Othr><Id>${accountNumber(seed)}</Id></Othr></Id><Ccy>${currency}</Ccy></Acct>\n`,
    balance('OPBD', OPENING_MINOR, `${MONTH}-01`),
    balance('CLBD', closingMinor, lastDay),
  ].join('');
}

/** Returns an entry. The day affects neither the drawn values nor the length of the text. */
function entry(
  { currency, seed }: Camt053Plan,
  random: Random,
  index: number,
  dayOfMonth: number,
): { readonly text: string; readonly signedMinor: bigint } {
  const isDebit = random.onceIn(DEBIT_ONCE_IN);
  const minor = BigInt(1 + random.below(AMOUNT_MINOR_MAX));
  const signedMinor = isDebit ? -minor : minor;
  const name = escaped(`${random.oneOf(FIRST_WORDS)} ${random.oneOf(SECOND_WORDS)} ${random.below(1_000)}`);
  const account = String(random.below(1_000_000_000)).padStart(20, '0');
  const invoice = `${random.oneOf(PURPOSES)} ${random.below(1_000_000)}`;
  const date = `${MONTH}-${String(dayOfMonth).padStart(2, '0')}`;
  const reference = `B${seed}-${String(index).padStart(9, '0')}`;
  const money = amount(currency, signedMinor);
  const role = isDebit ? 'Cdtr' : 'Dbtr';
  const text =
    `<Ntry><NtryRef>${index + 1}</NtryRef>${money}<Sts><Cd>BOOK</Cd></Sts>\n` +
    `<BookgDt><Dt>${date}</Dt></BookgDt><ValDt><Dt>${date}</Dt></ValDt><AcctSvcrRef>${reference}</AcctSvcrRef>\n` +
    `<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>${isDebit ? 'ICDT' : 'RCDT'}</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>\n` +
    `<NtryDtls><TxDtls>\n` +
    `<Refs><MsgId>MSG-${reference}</MsgId><AcctSvcrRef>${reference}</AcctSvcrRef><PmtInfId>PMT-${reference}</PmtInfId>` +
    `<InstrId>INS-${reference}</InstrId><EndToEndId>E2E-${reference}</EndToEndId></Refs>\n` +
    `${money}<AmtDtls><TxAmt>${amountOnly(currency, minor)}</TxAmt></AmtDtls>\n` +
    `<RltdPties><${role}><Pty><Nm>${name}</Nm><PstlAdr><StrtNm>Avenue Habib Bourguiba</StrtNm><BldgNb>12</BldgNb>` +
    `<PstCd>1000</PstCd><TwnNm>Tunis</TwnNm><Ctry>TN</Ctry></PstlAdr></Pty></${role}>\n` +
    `<${role}Acct><Id><Othr><Id>${account}</Id></Othr></Id></${role}Acct></RltdPties>\n` +
    `<RltdAgts><${role}Agt><FinInstnId><BICFI>BENCTNTTXXX</BICFI><Nm>Banque du Banc d'Essai</Nm></FinInstnId></${role}Agt></RltdAgts>\n` +
    `<RmtInf><Ustrd>${invoice} DU ${date} ${name}</Ustrd></RmtInf>\n` +
    `</TxDtls></NtryDtls>\n` +
    `<AddtlNtryInf>${isDebit ? 'VIREMENT EMIS' : 'VIREMENT RECU'} ${name}</AddtlNtryInf></Ntry>\n`;
  return { text, signedMinor };
}

function accountNumber(seed: number): string {
  return `99${String(seed).padStart(18, '0')}`;
}

function amount(currency: BenchCurrency, signedMinor: bigint): string {
  const isDebit = signedMinor < 0n;
  return `${amountOnly(currency, isDebit ? -signedMinor : signedMinor)}<CdtDbtInd>${isDebit ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
}

function amountOnly(currency: BenchCurrency, minor: bigint): string {
  const decimals = DECIMALS[currency];
  const digits = minor.toString().padStart(decimals + 1, '0');
  return `<Amt Ccy="${currency}">${digits.slice(0, -decimals)}.${digits.slice(-decimals)}</Amt>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Joins many entries into one write, because writing each takes longer than creating it. */
function* inChunks(pieces: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}
