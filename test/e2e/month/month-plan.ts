import { DAY_MS, HOUR_MS } from '../../../src/kernel';
import { type Random, randomFrom } from '../../support/random';

/** How long a month is. */
export interface MonthSize {
  readonly days: number;
  /** The hours of the day between which people pay. */
  readonly opens: number;
  readonly closes: number;
  /** How far the clock goes at once at the hours at which nobody pays. */
  readonly closedStepHours: number;
  /** How far the clock goes at once while the gateway cannot be reached: each look waits for its last try. */
  readonly outageStepHours: number;
  readonly payments: number;
  readonly subscriptions: number;
}

/** What somebody does, so many milliseconds after the month began. */
export interface MonthAction {
  readonly atMs: number;
  readonly what:
    | { readonly kind: 'standard' | 'binding' | 'preauthorization' | 'split'; readonly acceptCard: boolean }
    | { readonly kind: 'pos'; readonly method: 'NFC' | 'CARD' | 'WALLET' | 'CHECK' }
    | { readonly kind: 'qr'; readonly payments: number }
    | { readonly kind: 'wallet' };
  readonly amountMillimes: number;
  readonly reference: string;
  readonly agentId: string | undefined;
}

export interface PlannedSubscription {
  readonly reference: string;
  readonly amountMillimes: number;
  readonly interval: 'day' | 'week' | 'month';
  readonly maxCycles: number | undefined;
}

/** What a month brings. The same seed and size bring the same. */
export interface MonthPlan {
  /** Written to files in the morning and sent by the queue; by day. */
  readonly queued: ReadonlyMap<number, readonly MonthAction[]>;
  /** Done at their time, the earliest first. */
  readonly actions: readonly MonthAction[];
  readonly subscriptions: ReadonlyMap<number, readonly PlannedSubscription[]>;
  /** The day on which the gateway cannot be reached; undefined in a month without one. */
  readonly outageDay: number | undefined;
}

/** What customers with these amounts do is in the simulator's README: fail, never come, fail and pay a minute later. */
const MAGIC_AMOUNTS = [66_000_001, 66_000_002, 66_000_004];
export const MONTH_AGENTS = ['A-1', 'A-2', '004711', 'وكيل'];

export function planMonth(size: MonthSize, seed: number): MonthPlan {
  const random = randomFrom(seed, size.payments);
  const outageDay = size.days < 2 ? undefined : Math.floor(size.days / 2);
  const isOpen = (day: number): boolean => day !== outageDay;
  const workable = Array.from({ length: size.days }, (_, day) => day).filter(isOpen);
  const queued = new Map<number, MonthAction[]>();
  const actions: MonthAction[] = [];
  for (let index = 0; index < size.payments; index += 1) {
    const day = random.oneOf(workable);
    const action = anAction(random, size, day, index);
    if (isQueued(action)) queued.set(day, [...(queued.get(day) ?? []), action]);
    else actions.push(action);
  }
  const subscriptions = new Map<number, PlannedSubscription[]>();
  for (let index = 0; index < size.subscriptions; index += 1) {
    const day = random.oneOf(workable.slice(0, Math.max(1, Math.ceil(workable.length / 3))));
    subscriptions.set(day, [...(subscriptions.get(day) ?? []), aSubscription(random, index)]);
  }
  return { queued, actions: actions.sort((a, b) => a.atMs - b.atMs), subscriptions, outageDay };
}

/** Most are sent by the queue; what it does not know is done at its time. */
function isQueued({ what }: MonthAction): boolean {
  return what.kind === 'standard' || what.kind === 'binding';
}

function anAction(random: Random, { opens, closes }: MonthSize, day: number, index: number): MonthAction {
  const atMs = day * DAY_MS + opens * HOUR_MS + random.below((closes - opens) * HOUR_MS);
  const what = random.oneOf<MonthAction['what']>([
    ...Array<MonthAction['what']>(10).fill({ kind: 'standard', acceptCard: true }),
    { kind: 'binding', acceptCard: false },
    { kind: 'preauthorization', acceptCard: true },
    { kind: 'split', acceptCard: true },
    { kind: 'split', acceptCard: false },
    { kind: 'pos', method: random.oneOf(['NFC', 'CARD', 'WALLET', 'CHECK']) },
    { kind: 'pos', method: 'CARD' },
    { kind: 'qr', payments: random.onceIn(8) ? 2 : 1 },
    { kind: 'qr', payments: random.onceIn(3) ? 0 : 1 },
    { kind: 'wallet' },
  ]);
  const isMagic = random.onceIn(50) && (what.kind === 'standard' || what.kind === 'pos');
  return {
    atMs,
    what,
    amountMillimes: isMagic ? random.oneOf(MAGIC_AMOUNTS) : 1_000 + 100 * random.below(3_000),
    reference: `R-${index}`,
    agentId: random.onceIn(5) && what.kind !== 'wallet' ? random.oneOf(MONTH_AGENTS) : undefined,
  };
}

function aSubscription(random: Random, index: number): PlannedSubscription {
  return {
    reference: `S-${index}`,
    amountMillimes: 5_000 + 500 * random.below(60),
    interval: random.oneOf(['day', 'week', 'week', 'month', 'month']),
    maxCycles: random.onceIn(4) ? 2 + random.below(4) : undefined,
  };
}
