import { rowsOf, type Session } from '../db';
import type { BusinessDate, Instant } from '../kernel';

/** Whether a day is closed. Only a closed day has a seal. */
export type DayState =
  | { readonly kind: 'open' }
  | { readonly kind: 'closed'; readonly seal: number; readonly sealedAt: Instant; readonly sealedBy: string }
  /** Closed once, and taken back by two people. */
  | { readonly kind: 'reopened'; readonly seal: number; readonly reopenedAt: Instant };

/** What the last link of the chain that names the day says. */
export async function dayState(session: Session, date: BusinessDate): Promise<DayState> {
  const [row] = await rowsOf(
    session('day_seals as s')
      .select('s.number', 's.kind', 's.recorded_at', 's.recorded_by')
      .where('s.business_date', date)
      .orderBy('s.number', 'desc')
      .limit(1),
  );
  if (row === undefined) return { kind: 'open' };
  const [seal, at] = [Number(row['number']), Number(row['recorded_at'])];
  if (row['kind'] === 'reopened') return { kind: 'reopened', seal, reopenedAt: at };
  return { kind: 'closed', seal, sealedAt: at, sealedBy: String(row['recorded_by']) };
}
