import { type BusinessDate, totalToJson } from '../../kernel';

/** The movement of one clearing account by one kind of posting; positive if the gateway then owes more. */
export interface Movement {
  readonly channel: string;
  readonly code: string;
  /** The code of the ledger transaction that this one reverses. */
  readonly reverses: string | undefined;
  /** The opposite account, if it decides the kind of movement. */
  readonly other: 'gateway_fees' | 'gateway_fees_tva' | 'write_off' | undefined;
  readonly amount: bigint;
}

/** The movements of the roll-forward, in the order of display. Each states its addition to the gateway's debt. */
export const MOVEMENT_KINDS = [
  'succeeded',
  'refunded',
  'fees',
  'tva',
  'payouts',
  'payoutsReturned',
  'writtenOff',
  'corrected',
] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/**
 * - `pending`: unpaid items without a break.
 * - `in_breaks`: unpaid items that an open break names.
 * - `forced`: remainders of forced matches.
 * - `written_off`, `corrected`: all write-offs of two people, and all other postings, since the ledger began.
 * - `unexplained`: the rest; computed, never balanced. A break `clearing_unexplained` carries it.
 */
export const BALANCE_LINE_LABELS = [
  'pending',
  'in_breaks',
  'forced',
  'written_off',
  'corrected',
  'unexplained',
] as const;
export type BalanceLineLabel = (typeof BALANCE_LINE_LABELS)[number];

/** A labeled part of a closing balance. */
export interface BalanceLine {
  readonly label: BalanceLineLabel;
  /** Net of posted fees. */
  readonly amount: bigint;
  readonly items: number;
  /** The day of its oldest item, and the working days since then. */
  readonly oldest: BusinessDate | undefined;
  readonly ageWorkingDays: number | undefined;
}

/** One channel on one day, to the millime: opening + the movements = closing = the sum of the lines. */
export interface ChannelProof {
  readonly channel: string;
  readonly opening: bigint;
  readonly movements: Readonly<Record<MovementKind, bigint>>;
  readonly closing: bigint;
  readonly lines: readonly BalanceLine[];
}

export interface DayProof {
  readonly date: BusinessDate;
  readonly channels: readonly ChannelProof[];
  /** The number of ledger transactions of this day that belong to an earlier, already closed day. */
  readonly lateTransactions: number;
}

/** The state at the end of the day before. */
export interface Carried {
  readonly closing: bigint;
  readonly writtenOff: bigint;
  readonly corrected: bigint;
}

/** Unpaid items, or forced matches, of one channel. */
export interface OpenItems {
  readonly channel: string;
  readonly label: 'pending' | 'in_breaks' | 'forced';
  readonly amount: bigint;
  readonly items: number;
  readonly oldest: BusinessDate;
}

const NOTHING_CARRIED: Carried = { closing: 0n, writtenOff: 0n, corrected: 0n };

/** Returns the kind of a movement, from its code and its opposite account. */
export function movementKind({ code, reverses, other }: Movement): MovementKind {
  if (other === 'write_off') return 'writtenOff';
  if (other === 'gateway_fees') return 'fees';
  if (other === 'gateway_fees_tva') return 'tva';
  if (reverses === 'payout') return 'payoutsReturned';
  if (reverses !== undefined) return 'corrected';
  switch (code) {
    case 'agent_payment':
    case 'payment':
      return 'succeeded';
    case 'refund':
      return 'refunded';
    case 'payout':
      return 'payouts';
    default:
      return 'corrected';
  }
}

/** Returns the movements of each channel, by kind. */
export function sumMovements(movements: readonly Movement[]): Map<string, Record<MovementKind, bigint>> {
  const sums = new Map<string, Record<MovementKind, bigint>>();
  for (const movement of movements) {
    const ofChannel = sums.get(movement.channel) ?? noMovements();
    ofChannel[movementKind(movement)] += movement.amount;
    sums.set(movement.channel, ofChannel);
  }
  return sums;
}

/** Returns the balances after the movements of all earlier days. */
export function carriedBy(movements: readonly Movement[]): Map<string, Carried> {
  return new Map(
    [...sumMovements(movements)].map(([channel, sums]) => [
      channel,
      { closing: totalOf(sums), writtenOff: sums.writtenOff, corrected: sums.corrected },
    ]),
  );
}

/**
 * Builds the proof of a day: every channel with a balance or a movement, by name. The line `unexplained` holds the rest
 * of each balance.
 */
export function proveChannels(
  carried: ReadonlyMap<string, Carried>,
  movements: readonly Movement[],
  openItems: readonly OpenItems[],
  ageOf: (oldest: BusinessDate) => number,
): ChannelProof[] {
  const sums = sumMovements(movements);
  const names = new Set([...carried.keys(), ...sums.keys(), ...openItems.map(({ channel }) => channel)]);
  return [...names].sort().map((channel) => {
    const before = carried.get(channel) ?? NOTHING_CARRIED;
    const moved = sums.get(channel) ?? noMovements();
    const closing = before.closing + totalOf(moved);
    const itemLines = openItems
      .filter((each) => each.channel === channel)
      .map(({ label, amount, items, oldest }) => ({ label, amount, items, oldest, ageWorkingDays: ageOf(oldest) }));
    const lines = [
      ...itemLines,
      plainLine('written_off', before.writtenOff + moved.writtenOff),
      plainLine('corrected', before.corrected + moved.corrected),
    ];
    const explained = lines.reduce((sum, { amount }) => sum + amount, 0n);
    const unexplained = plainLine('unexplained', closing - explained);
    return { channel, opening: before.closing, movements: moved, closing, lines: [...lines, unexplained] };
  });
}

/** Returns the unexplained part of a channel's balance; 0 if the channel is proven. */
export function unexplainedOf({ lines }: ChannelProof): bigint {
  return amountOf(lines, 'unexplained');
}

/** Returns the proof as JSON. The seal contains this text, and commands display it. */
export function proofToJson({ date, channels, lateTransactions }: DayProof): ProofJson {
  return {
    date,
    lateTransactions,
    channels: channels.map(({ channel, opening, movements, closing, lines }) => ({
      channel,
      openingMillimes: totalToJson(opening),
      movements: Object.fromEntries(MOVEMENT_KINDS.map((kind) => [`${kind}Millimes`, totalToJson(movements[kind])])),
      closingMillimes: totalToJson(closing),
      lines: lines
        .filter(({ label, amount, items }) => label === 'unexplained' || amount !== 0n || items > 0)
        .map(({ label, amount, items, oldest, ageWorkingDays }) => ({
          label,
          amountMillimes: totalToJson(amount),
          items,
          oldest: oldest ?? null,
          ageWorkingDays: ageWorkingDays ?? null,
        })),
    })),
  };
}

export interface ProofJson {
  readonly date: BusinessDate;
  readonly lateTransactions: number;
  readonly channels: readonly {
    readonly channel: string;
    readonly openingMillimes: number | string;
    readonly movements: Readonly<Record<string, number | string>>;
    readonly closingMillimes: number | string;
    readonly lines: readonly {
      readonly label: BalanceLineLabel;
      readonly amountMillimes: number | string;
      readonly items: number;
      readonly oldest: BusinessDate | null;
      readonly ageWorkingDays: number | null;
    }[];
  }[];
}

/** Returns the balances that a sealed proof carries to the next day. */
export function carriedFromJson({ channels }: ProofJson): Map<string, Carried> {
  return new Map(
    channels.map(({ channel, closingMillimes, lines }) => {
      const lineOf = (label: BalanceLineLabel): bigint =>
        BigInt(lines.find((line) => line.label === label)?.amountMillimes ?? 0);
      const writtenOff = lineOf('written_off');
      return [channel, { closing: BigInt(closingMillimes), writtenOff, corrected: lineOf('corrected') }];
    }),
  );
}

function plainLine(label: BalanceLineLabel, amount: bigint): BalanceLine {
  return { label, amount, items: 0, oldest: undefined, ageWorkingDays: undefined };
}

function amountOf(lines: readonly BalanceLine[], label: BalanceLineLabel): bigint {
  return lines.find((line) => line.label === label)?.amount ?? 0n;
}

function totalOf(sums: Readonly<Record<MovementKind, bigint>>): bigint {
  return MOVEMENT_KINDS.reduce((sum, kind) => sum + sums[kind], 0n);
}

function noMovements(): Record<MovementKind, bigint> {
  return Object.fromEntries(MOVEMENT_KINDS.map((kind) => [kind, 0n])) as Record<MovementKind, bigint>;
}
