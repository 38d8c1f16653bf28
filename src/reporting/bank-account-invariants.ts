import { column, type Decoded, type Row, rowCodec, type Session } from '../db';
import { accountKey, isChangedBySpreadsheet, sha256Hex } from '../kernel';
import { isEffectiveLine } from './effective-statements';

export const ONE_ACCOUNT_INVARIANT = 'no movement counts under two names of one bank account';

const NAME = rowCodec({ name: column.text('name'), account: column.text('account') });
const LINE = rowCodec({
  id: column.text('id'),
  account: column.text('account'),
  currency: column.text('currency'),
  bookingDate: column.businessDate('booking_date'),
  valueDate: column.optional(column.businessDate('value_date')),
  amountMinor: column.number('amount_minor'),
  counterparty: column.text('counterparty'),
  remittance: column.text('remittance'),
  bankReference: column.text('bank_reference'),
  identity: column.text('identity'),
});

/** Returns the account that a person joined a name to, in SQL; the name itself if it was not joined. */
export function rootInSql(name: string): string {
  return (
    `coalesce((select j.account from bank_account_names j where j.name = ${name}` +
    ` and not exists (select 1 from bank_account_names k where k.name = j.name and k.id > j.id)), ${name})`
  );
}

const ROOT_OF_NAME = `${rootInSql('s.account')} as account`;

/** Returns effective lines that another effective line repeats, under another name of the same bank account. */
export async function doubledMovements(session: Session): Promise<Row[]> {
  const names = await NAME.all(
    session('bank_statements as s').distinct('s.account as name', session.fragment(ROOT_OF_NAME)),
  );
  const found: Row[] = [];
  for (const [a, b] of pairsOf(names)) {
    if (isOneAccount(a, b)) found.push(...(await doubledBetween(session, a.name, b.name)));
  }
  return found;
}

interface Name {
  readonly name: string;
  readonly account: string;
}

function pairsOf(names: readonly Name[]): [Name, Name][] {
  return names.flatMap((a, index) => names.slice(index + 1).map((b): [Name, Name] => [a, b]));
}

function isOneAccount(a: Name, b: Name): boolean {
  const [first, second] = [accountKey(a.account), accountKey(b.account)];
  return first === second || isRoundedFrom(first, second) || isRoundedFrom(second, first);
}

const DIGITS_KEPT_BY_SPREADSHEETS = 14;

/** Returns whether a spreadsheet may have written a number as the other text: 8,00601E+18 or with zeros at its end. */
function isRoundedFrom(changed: string, name: string): boolean {
  if (!isChangedBySpreadsheet(changed) || !/^\d{15,}$/.test(name)) return false;
  const [digits = '', power] = changed.toLowerCase().replace(',', '.').split('e');
  const decimals = digits.split('.')[1]?.length ?? 0;
  if (power !== undefined) return Number(name).toExponential(decimals) === `${digits}e+${Number(power)}`;
  const a = digits.replace(/^0+/, '');
  const b = name.replace(/^0+/, '');
  return a.length === b.length && a.startsWith(b.slice(0, DIGITS_KEPT_BY_SPREADSHEETS));
}

const COLUMNS = Object.values(LINE.fields).map(({ name }) => `a.${name} as a_${name}, b.${name} as b_${name}`);
const EQUAL_LINES = `select ${COLUMNS.join(', ')}
  from bank_statement_lines a
  join bank_statement_lines b on b.account = ? and b.currency = a.currency and b.booking_date = a.booking_date
       and b.amount_minor = a.amount_minor and b.bank_reference = a.bank_reference
  where a.account = ? and ${isEffectiveLine('a')} and ${isEffectiveLine('b')}
  order by a.booking_date, a.id`;

/** Reads the equal lines under two names; equal ones at different positions of a day are two movements. */
async function doubledBetween(session: Session, name: string, other: string): Promise<Row[]> {
  const pairs = await session.raw(EQUAL_LINES, [other, name]);
  return pairs.flatMap((pair) => {
    const [line, same] = (['a_', 'b_'] as const).map((prefix) => lineOf(pair, prefix));
    if (line === undefined || same === undefined || !isSameMovement(line, same)) return [];
    return [{ line: line.id, account: name, same_as: same.id, other_account: other }];
  });
}

function lineOf(pair: Row, prefix: string): Line {
  const own = Object.entries(pair).filter(([key]) => key.startsWith(prefix));
  return LINE.read(Object.fromEntries(own.map(([key, value]) => [key.slice(prefix.length), value])));
}

type Line = Decoded<typeof LINE>;

/** More equal lines than a bank books in one day. */
const EQUAL_LINES_MAX = 100_000;

function isSameMovement(a: Line, b: Line): boolean {
  return JSON.stringify(contentOf(a)) === JSON.stringify(contentOf(b)) && occurrenceOf(a) === occurrenceOf(b);
}

/** Computes the identity of a line again, from its row alone, and returns its position among equal lines. */
function occurrenceOf(line: Line): number | undefined {
  for (let occurrence = 1; occurrence <= EQUAL_LINES_MAX; occurrence += 1) {
    const text = JSON.stringify([line.account, line.currency, contentOf(line), occurrence]);
    if (sha256Hex(text) === line.identity) return occurrence;
  }
  return undefined;
}

function contentOf(line: Line): readonly unknown[] {
  const { bankReference, bookingDate, valueDate, amountMinor, counterparty, remittance } = line;
  return bankReference === ''
    ? ['content', bookingDate, valueDate ?? null, amountMinor, counterparty, remittance]
    : ['reference', bankReference, bookingDate, amountMinor];
}
