import { column, type Decoded, type Row, rowCodec, type Session } from '../db';
import { addToGroup } from '../kernel';
import { rootInSql } from './bank-account-invariants';
import { isEffectiveStatement } from './effective-statements';

const STATEMENT = rowCodec({
  id: column.text('id'),
  name: column.text('name'),
  account: column.text('account'),
  currency: column.text('currency'),
  firstDate: column.businessDate('first_date'),
  lastDate: column.businessDate('last_date'),
  openingMinor: column.number('opening_minor'),
  closingMinor: column.number('closing_minor'),
  entries: column.number('entries'),
  creditsMinor: column.number('credits_minor'),
  debitsMinor: column.number('debits_minor'),
});

type Statement = Decoded<typeof STATEMENT>;

const PROVEN = `select s.id, s.account as name, ${rootInSql('s.account')} as account, s.currency, s.first_date,
    s.last_date, s.opening_minor, s.closing_minor, s.entries, s.credits_minor, s.debits_minor
  from bank_statements s
  where s.kind = 'statement' and s.verdict = 'ok' and s.credits_minor > 0 and s.opening_minor is not null
    and s.closing_minor is not null and ${isEffectiveStatement('s')}
  order by s.id`;

const MOVEMENT = rowCodec({
  bookingDate: column.businessDate('booking_date'),
  amountMinor: column.number('amount_minor'),
});

const MOVEMENTS = `select l.booking_date, l.amount_minor
  from (select id as line_id from bank_statement_lines where statement_id = ?
        union all
        select line_id from statement_line_repeats where statement_id = ?) h
  join bank_statement_lines l on l.id = h.line_id
  order by l.booking_date, l.amount_minor`;

/**
 * Two accounts of one company may have equal balances and equal fees, or equal standing orders. They do not have equal
 * balances and this number of credits of different amounts on the same days.
 */
const EQUAL_CREDITS_MIN = 3;

/**
 * Returns proven statements that are stored under two accounts: with the same days, balances and amounts of each day,
 * and together at least three credits of different amounts. References and texts may differ by the format of the file.
 */
export async function alikeStatements(session: Session): Promise<Row[]> {
  const groups = new Map<string, Statement[]>();
  for (const statement of await STATEMENT.all(session.raw(PROVEN))) {
    const { id: _id, name: _name, account: _account, ...figures } = statement;
    addToGroup(groups, JSON.stringify(Object.values(figures)), statement);
  }
  const rows = new Map<string, Row[]>();
  const credits = new Map<string, number[]>();
  for (const group of groups.values()) {
    for (const { statement, other, amounts } of await alikeIn(session, group)) {
      const accounts = JSON.stringify([statement.account, other.account].sort());
      addToGroup(rows, accounts, {
        statement: statement.id,
        account: statement.name,
        same_as: other.id,
        other_account: other.name,
      });
      for (const amount of amounts) if (amount > 0) addToGroup(credits, accounts, amount);
    }
  }
  return [...rows].flatMap(([accounts, found]) =>
    new Set(credits.get(accounts)).size >= EQUAL_CREDITS_MIN ? found : [],
  );
}

interface Alike {
  readonly statement: Statement;
  readonly other: Statement;
  readonly amounts: readonly number[];
}

/** Compares the movements of statements with equal figures under different accounts. */
async function alikeIn(session: Session, group: readonly Statement[]): Promise<Alike[]> {
  if (new Set(group.map(({ account }) => account)).size < 2) return [];
  const read: { statement: Statement; amounts: number[]; content: string }[] = [];
  for (const statement of group) {
    const movements = await MOVEMENT.all(session.raw(MOVEMENTS, [statement.id, statement.id]));
    const amounts = movements.map(({ amountMinor }) => amountMinor);
    read.push({ statement, amounts, content: JSON.stringify(movements) });
  }
  return read.flatMap(({ statement, amounts, content }, index) =>
    read
      .slice(index + 1)
      .filter((other) => other.statement.account !== statement.account && other.content === content)
      .map((other) => ({ statement, other: other.statement, amounts })),
  );
}
