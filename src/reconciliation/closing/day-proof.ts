import { totalToJson, type BusinessDate } from '../../kernel';

/** What one kind of posting did to what the gateway owes through one channel; positive when it owes more by it. */
export interface Movement {
  readonly channel: string;
  readonly code: string;
  /** The code of the ledger transaction that this one takes back. */
  readonly reverses: string | undefined;
  /** The account on the other side, where it says what the money is. */
  readonly other: 'gateway_fees' | 'gateway_fees_tva' | 'write_off' | undefined;
  readonly amount: bigint;
}

/** A figure of the roll-forward, in the order in which it is shown. Each is what it added to what the gateway owes. */
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
 * - `pending`: items that are not paid out yet and stand in no break.
 * - `in_breaks`: unpaid items that an open break names.
 * - `forced`: what stays of payouts that two people matched though the amounts do not fit.
 * - `written_off`, `corrected`: what two people gave up, and what other postings did, since the books began.
 * - `unexplained`: what is left; never plugged. A break `clearing_unexplained` carries it.
 */
export type BalanceLineLabel = 'pending' | 'in_breaks' | 'forced' | 'written_off' | 'corrected' | 'unexplained';

/** A labeled part of a closing balance. */
export interface BalanceLine {
  readonly label: BalanceLineLabel;
  /** Net of the fees that are posted. */
  readonly amount: bigint;
  readonly items: number;
  /** The day of the oldest of its items, and how many working days that is ago. */
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
  /** How many ledger transactions of this day belong into an earlier one, which was closed when they were written. */
  readonly lateTransactions: number;
}

/** What stood at the end of the day before. */
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

/** What a movement is, by why it was posted and against which account. */
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

/** The movements of each channel, by kind. */
export function sumMovements(movements: readonly Movement[]): Map<string, Record<MovementKind, bigint>> {
  const sums = new Map<string, Record<MovementKind, bigint>>();
  for (const movement of movements) {
    const ofChannel = sums.get(movement.channel) ?? noMovements();
    ofChannel[movementKind(movement)] += movement.amount;
    sums.set(movement.channel, ofChannel);
  }
  return sums;
}

/** What the movements of all days before leave. */
export function carriedBy(movements: readonly Movement[]): Map<string, Carried> {
  return new Map(
    [...sumMovements(movements)].map(([channel, sums]) => [
      channel,
      { closing: totalOf(sums), writtenOff: sums.writtenOff, corrected: sums.corrected },
    ]),
  );
}

/**
 * Puts the proof of a day together: every channel that carried something or through which anything moved, by name. What
 * the lines do not explain is the line `unexplained`.
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

/** What nothing explains of a channel's balance; 0 in a channel that is proven. */
export function unexplainedOf({ lines }: ChannelProof): bigint {
  return amountOf(lines, 'unexplained');
}

/** The proof as JSON holds it: sealed as this text, and shown. */
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

/** What a sealed proof carries to the next day. */
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
  return {
    succeeded: 0n,
    refunded: 0n,
    fees: 0n,
    tva: 0n,
    payouts: 0n,
    payoutsReturned: 0n,
    writtenOff: 0n,
    corrected: 0n,
  };
}
