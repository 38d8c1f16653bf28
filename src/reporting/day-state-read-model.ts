import { column, rowCodec, type Session } from '../db';
import type { BusinessDate, Instant } from '../kernel';

const SEAL = rowCodec({
  number: column.number('number'),
  kind: column.text('kind'),
  recordedAt: column.number('recorded_at'),
  recordedBy: column.text('recorded_by'),
});

/** The state of a business day. Only a closed day has a seal. */
export type DayState =
  | { readonly kind: 'open' }
  | { readonly kind: 'closed'; readonly seal: number; readonly sealedAt: Instant; readonly sealedBy: string }
  /** Closed, and then reopened by two people. */
  | { readonly kind: 'reopened'; readonly seal: number; readonly reopenedAt: Instant };

/** Returns the state of a day, from the last link of the chain that names it. */
export async function dayState(session: Session, date: BusinessDate): Promise<DayState> {
  const last = await SEAL.first(
    session('day_seals as s')
      .select(SEAL.columns('s'))
      .where('s.business_date', date)
      .orderBy('s.number', 'desc')
      .limit(1),
  );
  if (last === undefined) return { kind: 'open' };
  const { number: seal, kind, recordedAt, recordedBy } = last;
  if (kind === 'reopened') return { kind: 'reopened', seal, reopenedAt: recordedAt };
  return { kind: 'closed', seal, sealedAt: recordedAt, sealedBy: recordedBy };
}
