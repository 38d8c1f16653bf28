import { rowsOf, type Session } from '../db';
import type { BusinessDate } from '../kernel';
import { isEffectiveStatement } from './effective-statements';

/** How far the statements in dinars reach, up to the day. */
export async function bankCoverage(session: Session, through: BusinessDate): Promise<string | undefined> {
  const [row] = await rowsOf(
    session('bank_statements as s')
      .select(session.fragment('max(coalesce(s.through_date, s.last_date)) as last_date'))
      .where('s.currency', 'TND')
      .whereRaw('coalesce(s.first_date, s.from_date, s.through_date) <= ?', [through])
      .whereRaw(isEffectiveStatement('s')),
  );
  const last = row?.['last_date'];
  if (typeof last !== 'string') return undefined;
  return last < through ? last : through;
}
