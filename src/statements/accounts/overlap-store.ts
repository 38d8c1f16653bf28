import { type Decoded, type Row, rowCodec, type Session } from '../../db';
import { openAccounts } from '../account-store';
import { isSameMovement } from '../chain/line-identity';
import { isEffectiveLine, isEffectiveStatement } from '../effective-lines';
import type { Statement } from '../statement-records';
import { HELD_STATEMENT, LINE, selectStatements, STATEMENT } from '../statement-rows';

/** A movement that is effective under two names: under one that is to be joined, and under another of the account. */
export interface DoubledLine {
  readonly line: ComparedLine;
  readonly other: ComparedLine;
}

/** Reads which effective rows are stored under each name of an account. */
export interface OverlapStore {
  /** Returns the effective statements that are stored under a name, oldest first. */
  statementsOf(name: string): Promise<Statement[]>;
  /** Returns the currencies of an account's statements. */
  currenciesOf(account: string): Promise<string[]>;
  /** Returns the movements that are effective under one of these names, and under another name of the account. */
  doubledLines(names: readonly string[], account: string): Promise<DoubledLine[]>;
}

const CURRENCY = rowCodec({ currency: STATEMENT.fields.currency });
const COMPARED = rowCodec({
  id: LINE.fields.id,
  statementId: LINE.fields.statementId,
  account: LINE.fields.account,
  currency: LINE.fields.currency,
  bookingDate: LINE.fields.bookingDate,
  valueDate: LINE.fields.valueDate,
  amountMinor: LINE.fields.amountMinor,
  counterparty: LINE.fields.counterparty,
  remittance: LINE.fields.remittance,
  bankReference: LINE.fields.bankReference,
  identity: LINE.fields.identity,
});

/** A line with the columns that identify its movement. */
export type ComparedLine = Decoded<typeof COMPARED>;

export function openOverlaps(session: Session): OverlapStore {
  return {
    statementsOf: (name) =>
      HELD_STATEMENT.all(
        selectStatements(session).where('s.account', name).whereRaw(isEffectiveStatement('s')).orderBy('s.id'),
      ),
    async currenciesOf(account) {
      const names = await openAccounts(session).namesOf(account);
      const found = await CURRENCY.all(
        session('bank_statements as s').distinct('s.currency').whereIn('s.account', names).orderBy('s.currency'),
      );
      return found.map(({ currency }) => currency);
    },
    async doubledLines(names, account) {
      const others = (await openAccounts(session).namesOf(account)).filter((name) => !names.includes(name));
      const pairs = await session.raw(equalLines(others.length, names.length), [...others, ...names]);
      return pairs
        .map((pair) => ({ line: lineOf(pair, 'a'), other: lineOf(pair, 'b') }))
        .filter(({ line, other }) => isSameMovement(line, other));
    },
  };
}

/** Returns the query for pairs of effective lines that may be equal: under one of some names, and under another. */
function equalLines(others: number, names: number): string {
  const marks = (count: number): string => Array.from({ length: count }, () => '?').join(', ');
  return `select ${[...columnsOf('a'), ...columnsOf('b')].join(', ')}
     from bank_statement_lines a
     join bank_statement_lines b on b.currency = a.currency and b.booking_date = a.booking_date
          and b.amount_minor = a.amount_minor and b.bank_reference = a.bank_reference
          and b.account in (${marks(others)})
    where a.account in (${marks(names)}) and ${isEffectiveLine('a')} and ${isEffectiveLine('b')}
    order by a.booking_date, a.id`;
}

function columnsOf(alias: 'a' | 'b'): string[] {
  return Object.values(COMPARED.fields).map(({ name }) => `${alias}.${name} as ${alias}_${name}`);
}

function lineOf(pair: Row, alias: 'a' | 'b'): ComparedLine {
  return COMPARED.read(
    Object.fromEntries(Object.values(COMPARED.fields).map(({ name }) => [name, pair[`${alias}_${name}`]])),
  );
}
