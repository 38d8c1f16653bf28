import { assert } from '../kernel';
import type { Session } from './session';

/** Returns the database's clock in UTC milliseconds. It is the only clock that two machines share, so leases use it. */
export async function databaseNow(session: Session): Promise<number> {
  const [row] = await session.raw(
    session.dialect === 'sqlite'
      ? "select cast((julianday('now') - 2440587.5) * 86400000 as integer) as now_ms"
      : 'select cast(unix_timestamp(now(3)) * 1000 as unsigned) as now_ms',
  );
  const now = Number(row?.['now_ms']);
  assert(Number.isSafeInteger(now), 'the database tells its time');
  return now;
}
