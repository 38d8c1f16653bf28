import { column, rowCodec, type Session } from '../db';
import type { BusinessDate } from '../kernel';
import { isEffectiveStatement } from './effective-statements';

const LAST = rowCodec({ date: column.optional(column.businessDate('last_date')) });

/** Returns the last day that statements in dinars cover, at most `through`; undefined without a statement. */
export async function bankCoverage(session: Session, through: BusinessDate): Promise<BusinessDate | undefined> {
  const last = await LAST.first(
    session('bank_statements as s')
      .select(session.fragment('max(coalesce(s.through_date, s.last_date)) as last_date'))
      .where('s.currency', 'TND')
      .whereRaw('coalesce(s.first_date, s.from_date, s.through_date) <= ?', [through])
      .whereRaw(isEffectiveStatement('s')),
  );
  return last?.date !== undefined && last.date > through ? through : last?.date;
}
