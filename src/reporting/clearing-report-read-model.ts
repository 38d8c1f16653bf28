import type { Session } from '../db';
import { addDays, type BusinessCalendar, type BusinessDate, compareBytes } from '../kernel';
import {
  addMovements,
  clearingBalances,
  MOVEMENT_KINDS,
  type MovementKind,
  type Movements,
  movementsOf,
  NO_MOVEMENTS,
  totalMovement,
} from './clearing-movements-read-model';
import { type ClearingPart, clearingParts } from './clearing-parts-read-model';
import { clearingSources } from './clearing-sources-read-model';
import type { Known } from './ledger-date';
import type { ReportPeriod } from './report-document';

export interface ClearingDay {
  readonly date: BusinessDate;
  readonly channel: string;
  readonly opening: bigint;
  readonly movements: Movements;
  readonly closing: bigint;
}

export interface ClearingChannel {
  readonly channel: string;
  readonly opening: bigint;
  readonly movements: Movements;
  readonly closing: bigint;
  /** The parts of the closing balance, which add up to it. */
  readonly parts: readonly ClearingPart[];
  /** Movements whose postings differ from their rows. */
  readonly disagreements: readonly { readonly kind: MovementKind; readonly posted: bigint; readonly inRows: bigint }[];
  /** The days add up to the balance of the postings, and the movements equal those of the rows. */
  readonly proven: boolean;
}

/** The roll-forward of the gateway's debt: opening + movements = closing, by day and channel. In millimes. */
export interface ClearingReport extends ReportPeriod, Known {
  readonly channels: readonly ClearingChannel[];
  /** Days with a movement, by channel. */
  readonly days: readonly ClearingDay[];
  readonly proven: boolean;
}

/** Reads the report inside one snapshot, by ledger date. */
export async function clearingReport(
  session: Session,
  period: ReportPeriod & Known,
  calendar: BusinessCalendar,
): Promise<ClearingReport> {
  const { from, to } = period;
  const start = calendar.startOf(from);
  const end = calendar.startOf(addDays(to, 1));
  const before = await movementsOf(session, { start: 0, end: start });
  const names = new Set<string>(before.keys());
  const balances = new Map([...before].map(([channel, moved]) => [channel, totalMovement(moved)]));
  const sums = new Map<string, Movements>();
  const days: ClearingDay[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const ofDay = await movementsOf(session, {
      start: calendar.startOf(date),
      end: calendar.startOf(addDays(date, 1)),
    });
    for (const channel of [...ofDay.keys()].sort(compareBytes)) {
      const movements = ofDay.get(channel) ?? NO_MOVEMENTS;
      const opening = balances.get(channel) ?? 0n;
      const closing = opening + totalMovement(movements);
      names.add(channel);
      balances.set(channel, closing);
      sums.set(channel, addMovements(sums.get(channel) ?? NO_MOVEMENTS, movements));
      days.push({ date, channel, opening, movements, closing });
    }
  }
  const sources = await clearingSources(session, { start, end });
  const posted = await clearingBalances(session, end);
  const partsOf = await clearingParts(session, end);
  for (const name of [...sources.movements.keys(), ...posted.keys(), ...partsOf.channels]) names.add(name);
  const channels = [...names].sort(compareBytes).map((channel) => {
    const first = before.get(channel) ?? NO_MOVEMENTS;
    const movements = sums.get(channel) ?? NO_MOVEMENTS;
    const closing = posted.get(channel) ?? 0n;
    const inRows = sources.movements.get(channel) ?? NO_MOVEMENTS;
    // These two have no rows except the postings.
    const disagreements = MOVEMENT_KINDS.filter((kind) => kind !== 'writtenOff' && kind !== 'corrected')
      .filter((kind) => movements[kind] !== inRows[kind])
      .map((kind) => ({ kind, posted: movements[kind], inRows: inRows[kind] }));
    const opening = totalMovement(first);
    const proven = disagreements.length === 0 && opening + totalMovement(movements) === closing;
    const total = addMovements(first, movements);
    const parts = partsOf.parts(channel, closing, total);
    return { channel, opening, movements, closing, parts, disagreements, proven };
  });
  return { ...period, channels, days, proven: channels.every(({ proven }) => proven) };
}
