import type { Session } from '../db';
import { addDays, assert, type BusinessCalendar, type BusinessDate, compareBytes } from '../kernel';
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
import { clearingSources } from './clearing-sources-read-model';
import type { ReportPeriod } from './report-document';
import { feesOfUnpaidItems, forcedRemainders, unpaidItems } from './unpaid-items-read-model';

export interface ClearingDay {
  readonly date: BusinessDate;
  readonly channel: string;
  readonly opening: bigint;
  readonly movements: Movements;
  readonly closing: bigint;
}

/**
 * - `unpaid_items`: items that no payout has paid; `fees_posted`: their posted fees.
 * - `forced`: remainders of forced matches.
 * - `written_off`, `corrected`: all write-offs of two people, and all other postings, since the ledger began.
 * - `unexplained`: the rest; computed, never balanced.
 */
export type ClearingPartLabel = 'unpaid_items' | 'fees_posted' | 'forced' | 'written_off' | 'corrected' | 'unexplained';

export interface ClearingPart {
  readonly label: ClearingPartLabel;
  readonly items: number | undefined;
  readonly amount: bigint;
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
export interface ClearingReport extends ReportPeriod {
  readonly channels: readonly ClearingChannel[];
  /** Days with a movement, by channel. */
  readonly days: readonly ClearingDay[];
  readonly proven: boolean;
}

/** Reads the report inside one snapshot, by the business day on which a ledger transaction was recorded. */
export async function clearingReport(
  session: Session,
  period: ReportPeriod,
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
  const facts = {
    unpaid: new Map((await unpaidItems(session, end, [])).map((each) => [each.channel, each])),
    fees: await feesOfUnpaidItems(session, end),
    forced: await forcedRemainders(session, end),
  };
  for (const name of [...sources.movements.keys(), ...posted.keys(), ...facts.unpaid.keys()]) names.add(name);
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
    const unpaid = facts.unpaid.get(channel);
    const total = addMovements(first, movements);
    const parts = partsOf(closing, [
      { label: 'unpaid_items', items: unpaid?.count ?? 0, amount: unpaid?.amount ?? 0n },
      { label: 'fees_posted', items: undefined, amount: -(facts.fees.get(channel) ?? 0n) },
      { label: 'forced', items: undefined, amount: facts.forced.get(channel) ?? 0n },
      { label: 'written_off', items: undefined, amount: total.writtenOff },
      { label: 'corrected', items: undefined, amount: total.corrected },
    ]);
    return { channel, opening, movements, closing, parts, disagreements, proven };
  });
  return { from, to, channels, days, proven: channels.every(({ proven }) => proven) };
}

/** Returns the parts that are not 0, and the unexplained rest. */
function partsOf(closing: bigint, known: readonly ClearingPart[]): ClearingPart[] {
  const left = known.reduce((rest, { amount }) => rest - amount, closing);
  const parts: ClearingPart[] = [
    ...known.filter(({ amount, items }) => amount !== 0n || (items ?? 0) > 0),
    { label: 'unexplained', items: undefined, amount: left },
  ];
  assert(parts.reduce((sum, { amount }) => sum + amount, 0n) === closing, 'the parts are the balance');
  return parts;
}
