import { AppError, type Millimes, millimes } from '../../kernel';
import { createSeededRandom, type SeededRandom } from '../core/seeded-random';
import type { TokenFault } from './agent-caller';
import type { WireFault } from './send-request';

const PAYMENTS_MAX = 100_000;
const COPIES_MAX = 4;
const AMOUNT_MILLIMES_MIN = 1_000;
const AMOUNT_MILLIMES_MAX = 500_000;

/** Invalid values of the field `amount`, which is an integer above zero (interface section 4.6, open point 87). */
const BAD_AMOUNTS = [0, -1_000, 1_000.5, '1000', null, true] as const;

const PPM = 1_000_000;

/** The rate of each deliberate fault, from 0 (never) to 1 (always) (default: 0). */
export interface DriveFaults {
  /** The first try is sent completely and its reply is lost. */
  readonly lostReplyRate?: number;
  /** The first try ends in the middle of its body. */
  readonly cutRequestRate?: number;
  /** The body of the first try is sent in small pieces. */
  readonly slowBodyRate?: number;
  /** The confirm is sent again after its outcome is known. */
  readonly resendRate?: number;
  /** A check and a confirm with a bad token precede the good ones. */
  readonly badTokenRate?: number;
  /** The same confirm is sent 2 to 4 times concurrently. */
  readonly duplicateConcurrentRate?: number;
  /** The payment names an unknown agent. */
  readonly unknownAgentRate?: number;
  /** The amount is not a valid amount. */
  readonly badAmountRate?: number;
}

export interface DrivePlanOptions {
  /** Agents that the endpoints know and that are not closed. */
  readonly agents: readonly { readonly agentId: string }[];
  readonly payments: number;
  readonly seed: number;
  readonly faults: DriveFaults;
  /**
   * The first part of every transactionId. Two drives of one installation need different prefixes, otherwise the second
   * gets only `3`.
   */
  readonly transactionPrefix?: string;
  /** An expired token, one of the bad tokens to try. */
  readonly expiredToken?: string;
}

interface PaymentHead {
  readonly transactionId: string;
  readonly agentId: string;
  /** A check and a confirm with this token fault precede the good ones. */
  readonly tokenFault: TokenFault | undefined;
  readonly firstFault: WireFault | undefined;
  /** The number of concurrent copies of the confirm; mostly 1. */
  readonly copies: number;
  readonly resend: boolean;
}

/** One payment of the plan: its content and its faults. `amount` goes unchanged into the body. */
export type PlannedPayment =
  | (PaymentHead & { readonly make: 'good' | 'unknown_agent'; readonly amount: Millimes })
  | (PaymentHead & { readonly make: 'bad_amount'; readonly amount: unknown });

/** A valid payment for an existing agent, or the error that the payment contains. */
export type PaymentMake = PlannedPayment['make'];

/**
 * Plans the payments of a drive. Each depends only on the seed, its number and the options, so a longer drive begins
 * with the same payments.
 *
 * @throws AppError `bad_input` without agents, or when a number is out of its range.
 */
export function planDrive(options: DrivePlanOptions): PlannedPayment[] {
  const { agents, payments, seed, faults } = options;
  if (agents.length === 0) throw new AppError('bad_input', { field: 'agents', expected: 'at least one agent' });
  if (!Number.isInteger(payments) || payments < 0 || payments > PAYMENTS_MAX) {
    throw new AppError('bad_input', {
      field: 'payments',
      expected: `a whole number from 0 to ${PAYMENTS_MAX}`,
      got: payments,
    });
  }
  for (const [name, rate] of Object.entries(faults) as [string, number][]) {
    if (!(rate >= 0 && rate <= 1)) {
      throw new AppError('bad_input', { field: name, expected: 'a number from 0 to 1', got: rate });
    }
  }
  const origin = createSeededRandom(seed);
  return Array.from({ length: payments }, (_, index) =>
    planPayment(options, index, origin.fork(`payment ${index + 1}`)),
  );
}

function planPayment(options: DrivePlanOptions, index: number, random: SeededRandom): PlannedPayment {
  const { agents, seed, faults, transactionPrefix = `DRIVE-${seed}` } = options;
  // Every payment draws every random number, so that changing one rate does not change the other effects.
  const agent = agents[random.int(0, agents.length - 1)];
  const amount = millimes(random.int(AMOUNT_MILLIMES_MIN, AMOUNT_MILLIMES_MAX));
  const badAmount = random.pick<unknown>(BAD_AMOUNTS);
  const unknownAgent = happens(random, faults.unknownAgentRate);
  const hasBadAmount = happens(random, faults.badAmountRate);
  const tokenFault = random.pick(tokenFaultsOf(options));
  const badToken = happens(random, faults.badTokenRate);
  const copies = random.int(2, COPIES_MAX);
  const copied = happens(random, faults.duplicateConcurrentRate);
  const head: PaymentHead = {
    transactionId: `${transactionPrefix}-${index + 1}`,
    agentId: unknownAgent || agent === undefined ? `nobody-${seed}-${index + 1}` : agent.agentId,
    tokenFault: badToken ? tokenFault : undefined,
    firstFault: firstFaultOf(random, faults),
    copies: copied ? copies : 1,
    resend: happens(random, faults.resendRate),
  };
  if (unknownAgent) return { ...head, make: 'unknown_agent', amount };
  return hasBadAmount ? { ...head, make: 'bad_amount', amount: badAmount } : { ...head, make: 'good', amount };
}

function firstFaultOf(random: SeededRandom, faults: DriveFaults): WireFault | undefined {
  const lost = happens(random, faults.lostReplyRate);
  const way = random.pick(['lose_reply', 'leave_early'] as const);
  const cut = happens(random, faults.cutRequestRate);
  const slow = happens(random, faults.slowBodyRate);
  if (lost) return way;
  if (cut) return 'cut_request';
  return slow ? 'slow_body' : undefined;
}

function tokenFaultsOf({ expiredToken }: DrivePlanOptions): readonly [TokenFault, ...TokenFault[]] {
  return expiredToken === undefined ? ['bad_token', 'no_token'] : ['bad_token', 'no_token', { expiredToken }];
}

function happens(random: SeededRandom, rate = 0): boolean {
  return random.chance(Math.round(rate * PPM));
}
