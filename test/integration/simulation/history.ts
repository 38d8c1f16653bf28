import fc from 'fast-check';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/kernel';
import { type PlannedFault, plannedFault } from './injected-faults';
import { type NetworkFault, networkFault } from './network-faults';
import { OPERATION_NAMES, type OperationName } from './operations';

/** How long before a step: milliseconds, or until the next business midnight and some milliseconds more or less. */
export type Wait = number | { readonly midnightPlusMs: number };

/**
 * One step of a history as plain values. What an operation does follows from its seed and from what the model holds, so
 * that a step means something whichever steps before it are left out.
 */
export interface Step {
  readonly operation: OperationName;
  readonly seed: number;
  /** Which of the two processes does it. */
  readonly process: 0 | 1;
  readonly wait: Wait;
  /** From now on this process's clock is wrong by so much; undefined leaves it as it is. */
  readonly skewMs: number | undefined;
  readonly database: readonly PlannedFault[];
  readonly network: readonly NetworkFault[];
}

export interface HistoryPlan {
  /** The bank pays out everything at once and in no sums that look alike, so that every payout must be found. */
  readonly tidy: boolean;
  /** Whether the gateway is told where to send webhooks; without them status checks alone find out. */
  readonly hasWebhooks: boolean;
  readonly steps: readonly Step[];
}

export interface HistoryLength {
  readonly stepsMin: number;
  readonly stepsMax: number;
}

const SEED_LIMIT = 2 ** 31;
const WAIT_MAX_MS = 8 * HOUR_MS;
const AROUND_MIDNIGHT_MS = [-SECOND_MS, -1, 0, 1, SECOND_MS];
const MOMENTS_MS = [0, 1, 31 * SECOND_MS, 3 * MINUTE_MS, 6 * MINUTE_MS, 21 * MINUTE_MS];
/** Both sides of the tolerance of a webhook's time, and more than that of a token's. */
const SKEWS_MS = [0, 0, -SECOND_MS, SECOND_MS, -299 * SECOND_MS, 301 * SECOND_MS, -10 * MINUTE_MS, 10 * MINUTE_MS];

const wait: fc.Arbitrary<Wait> = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: WAIT_MAX_MS }) },
  { weight: 5, arbitrary: fc.constantFrom(...MOMENTS_MS) },
  { weight: 1, arbitrary: fc.record({ midnightPlusMs: fc.constantFrom(...AROUND_MIDNIGHT_MS) }) },
);

const step: fc.Arbitrary<Step> = fc.record({
  operation: fc.noShrink(fc.constantFrom(...OPERATION_NAMES)),
  seed: fc.noShrink(fc.noBias(fc.nat(SEED_LIMIT))),
  process: fc.constantFrom(0 as const, 1 as const),
  wait,
  skewMs: fc.oneof(
    { weight: 7, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...SKEWS_MS) },
  ),
  database: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(plannedFault, { minLength: 1, maxLength: 3 }) },
  ),
  network: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(networkFault, { minLength: 1, maxLength: 2 }) },
  ),
});

/** Draws histories. fast-check shrinks them: fewer steps first, then shorter waits and fewer faults. */
export function histories({ stepsMin, stepsMax }: HistoryLength): fc.Arbitrary<HistoryPlan> {
  return fc.record({
    tidy: fc.noShrink(fc.boolean()),
    hasWebhooks: fc.noShrink(fc.constantFrom(true, true, false)),
    steps: fc.array(step, { minLength: stepsMin, maxLength: stepsMax, size: 'max' }),
  });
}
