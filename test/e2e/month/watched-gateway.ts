import { type RunningSimulator, startSimulator } from '../../../src/simulator';
import type { SimAnswer, SimOperation, SimRequest } from '../../../src/simulator/testing';
import { SIMULATED_TIME_ZONE } from '../../support/a-simulator';
import { fixedClock, recordingLogger } from '../../support/fakes';

/** A call of Verify Payment, at the business time of the caller. */
export interface WatchedVerify {
  readonly at: number;
  readonly paymentId: string;
  readonly status: number;
}

export interface WatchedGateway {
  readonly running: RunningSimulator;
  readonly verifies: readonly WatchedVerify[];
  /** Answers 403 and 429, of any operation. */
  refusals(): number;
}

/** The simulated gateway, with everything that could break a budget counted as it comes in. */
export async function watchGateway(options: {
  readonly seed: number;
  readonly startAt: string;
  readonly settings: unknown;
  readonly now: () => number;
}): Promise<WatchedGateway> {
  const running = await startSimulator({
    port: 0,
    seed: options.seed,
    settings: options.settings,
    timeZone: SIMULATED_TIME_ZONE,
    holidays: [],
    clock: { mode: 'manual', base: fixedClock(options.startAt) },
    logger: recordingLogger(),
  });
  const verifies: WatchedVerify[] = [];
  let refusals = 0;
  const { simulator } = running;
  const { answer } = simulator;
  Object.assign(simulator, {
    answer(operation: SimOperation, request: SimRequest): SimAnswer {
      const given = answer(operation, request);
      if (given.status === 403 || given.status === 429) refusals += 1;
      if (operation.name === 'payments.verify') {
        const paymentId = request.params['payment_id'] ?? '';
        verifies.push({ at: options.now(), paymentId, status: given.status });
      }
      return given;
    },
  });
  return { running, verifies, refusals: () => refusals };
}
