import { businessCalendar, type BusinessDate, businessDate, millimes, WorkingDays } from '../../../src/kernel';
import type { BankLine, Item, MatchRequest } from '../../../src/payout-inference';

const CALENDAR = businessCalendar('Africa/Tunis');
const WORKING_DAYS = new WorkingDays([]);
const FIRST_DAY = businessDate('2026-03-02');
const CLEAN_DAYS = 28;
const CLEAN_HOURS = ['08:30', '10:00', '11:30', '13:00', '14:30', '16:00'];
/** The week in the middle of the file: Wednesday to Wednesday. */
const TRAP_DAYS: ReadonlyMap<string, BusinessDate> = new Map([
  ['Wed', businessDate('2026-03-18')],
  ['Thu', businessDate('2026-03-19')],
  ['Fri', businessDate('2026-03-20')],
  ['Sat', businessDate('2026-03-21')],
  ['Sun', businessDate('2026-03-22')],
  ['Mon', businessDate('2026-03-23')],
  ['Tue', businessDate('2026-03-24')],
  ['Wed2', businessDate('2026-03-25')],
]);

/** By line, the items that it paid, pairs of a payment and its own refund left out; nothing for what is no payout. */
export type Story = ReadonlyMap<string, readonly string[]>;

export interface Trap {
  readonly name: string;
  /** `id day time amount`, and for a refund the payment. */
  readonly items: readonly string[];
  /** `id day amount`, the items that it paid, and behind `#` the text of the transfer. */
  readonly lines: readonly string[];
  /** Other stories that nobody can tell from the true one: `id items`, for the lines that they differ in. */
  readonly orElse?: readonly (readonly string[])[];
}

export interface TrapFile {
  readonly request: MatchRequest;
  /** The true one first. */
  readonly stories: readonly Story[];
  readonly cleanLineIds: readonly string[];
}

/**
 * A trap alone, or among clean payouts: six payments on each working day that the trap leaves free, and a credit for them
 * on the next one. The gateway cuts between 16:00 and 08:30; when, the file does not show.
 */
export function trapFile(trap: Trap, around: 'alone' | 'among clean payouts'): TrapFile {
  const items = trap.items.map(readItem);
  const lines = trap.lines.map(readLine);
  const taken = new Set(items.map(({ succeededAt }) => CALENDAR.dateOf(succeededAt)));
  const dates = Array.from({ length: CLEAN_DAYS }, (_, day) => WORKING_DAYS.add(FIRST_DAY, day));
  const clean = around === 'alone' ? [] : dates.filter((date) => !taken.has(date)).map(cleanDay);
  const truth = new Map([
    ...lines.map(({ line, paid }) => [line.lineId, paid] as const),
    ...clean.map(({ line, items: paid }) => [line.lineId, paid.map(({ itemId }) => itemId)] as const),
  ]);
  const others = (trap.orElse ?? []).map((changes): Story => new Map([...truth, ...changes.map(readChange)]));
  return {
    request: {
      items: [...items, ...clean.flatMap((day) => day.items)].sort((a, b) => a.succeededAt - b.succeededAt),
      observations: [],
      lines: [...lines.map(({ line }) => line), ...clean.map(({ line }) => line)],
      fees: [],
      calendar: CALENDAR,
      workingDays: WORKING_DAYS,
      maxError: 0.001,
    },
    stories: [truth, ...others],
    cleanLineIds: clean.map(({ line }) => line.lineId),
  };
}

function readItem(text: string): Item {
  const [itemId = '', day = '', time = '', amount = '', refundOf] = text.split(' ');
  return {
    itemId,
    channel: 'wallet',
    amount: millimes(Number(amount)),
    succeededAt: instantOf(dayNamed(day), time),
    ...(refundOf === undefined ? {} : { refundOf }),
  };
}

function readLine(text: string): { line: BankLine; paid: readonly string[] } {
  const [facts = '', remittance = 'PAYOUT'] = text.split(' # ');
  const [lineId = '', day = '', amount = '', ...paid] = facts.split(' ');
  return { line: aLine(lineId, dayNamed(day), Number(amount), remittance), paid };
}

function readChange(text: string): [string, string[]] {
  const [lineId = '', ...paid] = text.split(' ');
  return [lineId, paid];
}

function cleanDay(date: BusinessDate, day: number): { items: Item[]; line: BankLine } {
  const items = CLEAN_HOURS.map((time, place): Item => ({
    itemId: `${date}-${place}`,
    channel: 'wallet',
    amount: millimes(cleanAmount(day, place)),
    succeededAt: instantOf(date, time),
  }));
  const amount = items.reduce((sum, item) => sum + item.amount, 0);
  return { items, line: aLine(`clean-${date}`, WORKING_DAYS.add(date, 1), amount, 'PAYOUT') };
}

/** Tens of millimes without a pattern that a sum could repeat. */
function cleanAmount(day: number, place: number): number {
  return 4_000 + (((day * 389 + place * 1_213 + day * place * 71) * 577) % 1_951) * 10;
}

function aLine(lineId: string, date: BusinessDate, amount: number, remittance: string): BankLine {
  const counterparty = remittance === 'PAYOUT' ? 'GATEWAY' : 'OTHER';
  return { lineId, bookingDate: date, valueDate: date, amount: millimes(amount), counterparty, remittance };
}

function dayNamed(name: string): BusinessDate {
  const date = TRAP_DAYS.get(name);
  if (date === undefined) throw new Error(`no day ${name}`);
  return date;
}

function instantOf(date: BusinessDate, time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return CALENDAR.startOf(date) + (hours * 60 + minutes) * 60_000;
}
