import { type Row, rowCodec, type Session } from '../../db';
import { openAccounts } from '../account-store';
import { type IdentifiedLine, isSameMovement } from '../chain/line-identity';
import { isEffectiveLine, isEffectiveStatement } from '../effective-lines';
import type { Statement } from '../statement-records';
import { HELD_STATEMENT, LINE, selectStatements, STATEMENT } from '../statement-rows';

/** A movement that is effective under two names. */
export interface DoubledLine {
  readonly name: string;
  readonly statementId: string;
  readonly otherId: string;
  readonly day: string;
}

/** Reads which effective rows are stored under each name of an account. */
export interface OverlapStore {
  /** Returns the effective statements that are stored under a name, oldest first. */
  statementsOf(name: string): Promise<Statement[]>;
  /** Returns the currencies of an account's statements. */
  currenciesOf(account: string): Promise<string[]>;
  /** Returns a movement that is effective under one of these names, and under another name of the account. */
  doubledLine(names: readonly string[], account: string): Promise<DoubledLine | undefined>;
}

const CURRENCY = rowCodec({ currency: STATEMENT.fields.currency });
const COMPARED = rowCodec({
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
    async doubledLine(names, account) {
      const others = (await openAccounts(session).namesOf(account)).filter((name) => !names.includes(name));
      const pairs = await session.raw(equalLines(others.length, names.length), [...others, ...names]);
      for (const pair of pairs) {
        const [line, other] = [lineOf(pair, 'a'), lineOf(pair, 'b')];
        if (!isSameMovement(line, other)) continue;
        const { account: name, statementId, bookingDate: day } = line;
        return { name, statementId, otherId: other.statementId, day };
      }
      return undefined;
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

function lineOf(pair: Row, alias: 'a' | 'b'): IdentifiedLine & { readonly statementId: string } {
  return COMPARED.read(
    Object.fromEntries(Object.values(COMPARED.fields).map(({ name }) => [name, pair[`${alias}_${name}`]])),
  );
}
