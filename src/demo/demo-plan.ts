import type { BusinessDate } from '../kernel';
import { createSeededRandom, type SeededRandom } from '../simulator';
import { demoDays, isWorkingDay } from './demo-calendar';

/** Some of the agents in seeds/demo/agents.csv. */
const AGENTS = ['20145678', '004711', '4711', 'AG-2031', 'pos-sfax-7', 'وكيل-12'] as const;
/** Enrolled late: Millime rejects the gateway's first call for this agent. */
export const LATE_AGENT = { agentId: 'AG-2099', fullName: 'Salah Ouni' } as const;

/** One act of the story, at a local time `HH:MM`. */
export type Act = { readonly time: string } & (Paying | { readonly kind: 'refund'; readonly reference: string });

type Paying = { readonly amountMillimes: number } & (
  | {
      readonly kind: 'confirm';
      readonly transactionId: string;
      readonly agentId: string;
      readonly replyIsLost: boolean;
    }
  | { readonly kind: 'turned_away'; readonly transactionId: string; readonly agentId: string }
  | { readonly kind: 'pay'; readonly by: 'card' | 'wallet' | 'mpayment'; readonly reference: string }
  | { readonly kind: 'refused_by_bank'; readonly reference: string }
  | { readonly kind: 'terminal'; readonly reference: string }
  | { readonly kind: 'code'; readonly reference: string }
);

export interface DayPlan {
  readonly date: BusinessDate;
  readonly isWorkingDay: boolean;
  /** In the order of their times. */
  readonly acts: readonly Act[];
}

export interface PlannedSubscription {
  readonly reference: string;
  readonly amountMillimes: number;
}

export interface DemoPlan {
  readonly days: readonly DayPlan[];
  /** The gateway charges each every day, first when its customer pays. */
  readonly subscriptions: readonly PlannedSubscription[];
}

/** Plans the days. The same seed returns the same plan. Only the acts named below have fixed days. */
export function planDemo(seed: number): DemoPlan {
  const random = createSeededRandom(seed);
  const amount = distinctAmounts(random);
  const days = demoDays().map((date, index): DayPlan => {
    const acts = isWorkingDay(date) ? workingDay(random, amount, index) : weekend(random, amount, index);
    const sorted = [...acts, ...extraActs(index, amount)].sort((a, b) => (a.time < b.time ? -1 : 1));
    return { date, isWorkingDay: isWorkingDay(date), acts: sorted };
  });
  const subscriptions = ['JOURNAL', 'ASSURANCE', 'INTERNET'].map((name) => ({
    reference: `SUB-${name}`,
    amountMillimes: amount(),
  }));
  return { days, subscriptions };
}

/** Each refund follows its payout, so the next payout deducts it. */
const REFUNDS = [
  { reference: 'D0-CARD-1', day: 3, time: '11:30' },
  { reference: 'D2-WALLET-1', day: 4, time: '11:30' },
] as const;
/** The day, from 0, on which the unknown agent pays, and the transaction that the gateway repeats at the end. */
const TURNED_AWAY_ON = 3;
export const TURNED_AWAY_ID = 'DEMO-UNKNOWN-AGENT';
const LOST_REPLY_ON = 4;

function workingDay(random: SeededRandom, amount: () => number, day: number): Act[] {
  const pay = (by: 'card' | 'wallet' | 'mpayment', number: number, from: number, to: number): Act => ({
    ...{ kind: 'pay', by, reference: `D${day}-${by.toUpperCase()}-${number}` },
    ...{ time: timeBetween(random, from, to), amountMillimes: amount() },
  });
  return [
    confirm(random, amount, { day, number: 1, from: 10, to: 12, replyIsLost: day === LOST_REPLY_ON }),
    confirm(random, amount, { day, number: 2, from: 12, to: 14 }),
    confirm(random, amount, { day, number: 3, from: 17, to: 18 }),
    ...[pay('card', 1, 10, 12), pay('card', 2, 12, 14), pay('card', 3, 17, 18)],
    ...[pay('wallet', 1, 10, 12), pay('wallet', 2, 17, 18), pay('mpayment', 1, 12, 14)],
    { kind: 'terminal', reference: `D${day}-TERMINAL`, time: '11:00', amountMillimes: amount() },
    { kind: 'code', reference: `D${day}-CODE`, time: '11:00', amountMillimes: amount() },
  ];
}

/** Plans a weekend day: only agents pay, and the gateway charges subscriptions. */
function weekend(random: SeededRandom, amount: () => number, day: number): Act[] {
  return [confirm(random, amount, { day, number: 1, from: 11, to: 13 })];
}

function extraActs(day: number, amount: () => number): Act[] {
  const acts: Act[] = [];
  for (const { reference, day: refundedOn, time } of REFUNDS) {
    if (day === refundedOn) acts.push({ kind: 'refund', reference, time });
  }
  if (day === TURNED_AWAY_ON) {
    const { agentId } = LATE_AGENT;
    acts.push({ kind: 'turned_away', transactionId: TURNED_AWAY_ID, agentId, time: '12:30', amountMillimes: 184_500 });
    acts.push({ kind: 'refused_by_bank', reference: `D${day}-REFUSED`, time: '12:40', amountMillimes: amount() });
  }
  return acts;
}

function confirm(
  random: SeededRandom,
  amount: () => number,
  given: { day: number; number: number; from: number; to: number; replyIsLost?: boolean },
): Act {
  return {
    kind: 'confirm',
    transactionId: `DEMO-${given.day}-${given.number}`,
    agentId: random.pick(AGENTS),
    replyIsLost: given.replyIsLost === true,
    time: timeBetween(random, given.from, given.to),
    amountMillimes: amount(),
  };
}

/** Returns a minute from hour `from` to before hour `to`, but no full hour, because the operator acts then. */
function timeBetween(random: SeededRandom, from: number, to: number): string {
  const hour = random.int(from, to - 1);
  return `${hour}:${String(random.int(1, 59)).padStart(2, '0')}`;
}

/** Draws distinct amounts from 5 to 300 dinars in steps of 100 millimes, because the amount identifies the payment. */
function distinctAmounts(random: SeededRandom): () => number {
  const used = new Set<number>();
  return () => {
    for (;;) {
      const amount = 100 * random.int(50, 3_000);
      if (used.has(amount)) continue;
      used.add(amount);
      return amount;
    }
  };
}
