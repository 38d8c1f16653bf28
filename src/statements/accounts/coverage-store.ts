import { column, type Decoded, rowCodec, type Session } from '../../db';
import { isEffectiveStatement, isLoaded } from '../effective-lines';
import { STATEMENT } from '../statement-rows';
import { IS_WAITING } from '../statement-store';

const COVERAGE = rowCodec({
  account: STATEMENT.fields.account,
  currency: STATEMENT.fields.currency,
  /** The first and the last day that effective statements cover. */
  from: column.optional(column.businessDate('covered_from')),
  through: column.optional(column.businessDate('covered_through')),
  /** The number of effective statements. */
  statements: column.number('effective'),
  waiting: column.number('waiting'),
});

/** What the statements of a stored name cover, in one currency. */
export type Coverage = Decoded<typeof COVERAGE>;

const BY_NAME = `
  select x.account, x.currency,
         min(case when x.counts = 1 then x.begins end) as covered_from,
         max(case when x.counts = 1 then x.ends end) as covered_through,
         sum(x.counts) as effective, sum(x.is_waiting) as waiting
    from (select s.account, s.currency,
                 coalesce(s.from_date, s.first_date, s.through_date) as begins,
                 coalesce(s.through_date, s.last_date, s.from_date) as ends,
                 case when ${isEffectiveStatement('s')} then 1 else 0 end as counts, ${IS_WAITING}
            from bank_statements s where ${isLoaded('s')}) x
   group by x.account, x.currency
   order by x.account, x.currency`;

/** Returns what the statements of each stored name cover. It reads one row of each statement. */
export function coverageByName(session: Session): Promise<Coverage[]> {
  return COVERAGE.all(session.raw(BY_NAME));
}

/** Returns what the statements of an account cover under all of its names, by currency. Pure. */
export function coverageOf(names: readonly string[], found: readonly Coverage[]): Coverage[] {
  const byCurrency = new Map<string, Coverage>();
  for (const each of found.filter(({ account }) => names.includes(account))) {
    const other = byCurrency.get(each.currency);
    byCurrency.set(each.currency, other === undefined ? each : together(other, each));
  }
  return [...byCurrency.values()];
}

function together(a: Coverage, b: Coverage): Coverage {
  const [from] = [a.from, b.from].filter((day) => day !== undefined).sort();
  const through = [a.through, b.through]
    .filter((day) => day !== undefined)
    .sort()
    .at(-1);
  return { ...a, from, through, statements: a.statements + b.statements, waiting: a.waiting + b.waiting };
}
