import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, type Instant, SECOND_MS } from '../../kernel';
import type { Logger } from '../../logging';
import { GatewayError } from '../gateway-error';
import { type BudgetRecord, budgetRecord, type RecordDeps } from './budget-record';
import { verifyShape } from './budget-shapes';
import { verdictOf } from './call-verdict';
import { type CallVerdict, type CircuitTicket, recordCallOutcome, refusedForMs } from './circuit';
import { admitVerify, type VerifyGate } from './verify-gate';
import { cachedBody, decideVerify, endFlight, type VerifyState } from './verify-state';

export const VERIFY_OPERATION = 'payments.verify';

/**
 * How long after a call's deadline its process counts as crashed. A live process may be slow to store the end of its
 * call.
 */
const LEASE_SLACK_MS = 10 * SECOND_MS;
const POLL_FIRST_MS = 20;
const POLL_MAX_MS = 250;
const POLL_GROWTH = 1.5;
const CIRCUIT_IS_OPEN = 'no call is sent for a while';

export interface VerifyAnswer {
  /** The decoded JSON body of a good answer. Callers that share an answer share the object: do not change it. */
  readonly body: unknown;
  /**
   * When the request was sent, by the business clock of the process that sent it. The answer includes everything that
   * happened before. Undefined for a stored answer if the storing process's clock is ahead of this one's.
   */
  readonly askedAt: Instant | undefined;
  /** When the answer arrived, by the same clock. */
  readonly observedAt: Instant;
  /**
   * True when the answer was already stored or another process requested it. All callers that share one request get
   * `false`.
   */
  readonly reused: boolean;
}

/** One verify of a payment, shared by all callers of this process. */
export interface VerifyFlight {
  readonly paymentId: string;
  readonly timeoutMs: number;
  ask(): Promise<unknown>;
  /** Until when callers wait, by the monotonic clock. Each caller that joins may extend it. */
  deadlineAt: number;
  /** Set as soon as the answer arrives, before it is stored. */
  answer: VerifyAnswer | undefined;
}

export interface FlightDeps extends RecordDeps {
  readonly clock: Clock;
  readonly monotonic: Clock;
  readonly logger: Logger;
  readonly gate: BudgetRecord<VerifyGate>;
  readonly spacingMs: number;
  readonly verifiesPerMinute: number;
  readonly circuitMs: number;
}

/** Returns the stored answer, waits for the process that is asking, or claims the right to ask and asks. */
export async function flyVerify(deps: FlightDeps, flight: VerifyFlight): Promise<VerifyAnswer> {
  const record = budgetRecord(deps, verifyShape(flight.paymentId, deps.spacingMs));
  const flightId = randomUUID();
  const leaseMs = flight.timeoutMs + LEASE_SLACK_MS;
  let awaited: string | undefined;
  let pauseMs = POLL_FIRST_MS;
  for (;;) {
    const request = { spacingMs: deps.spacingMs, flightId, leaseMs, awaited };
    const decision = await record.change(VERIFY_OPERATION, (state, now) => decideVerify(state, now, request));
    switch (decision.kind) {
      case 'claimed':
        return askWithClaim(deps, flight, { record, flightId, leaseMs });
      case 'answered':
        return { body: decision.value, askedAt: decision.askedAt, observedAt: decision.observedAt, reused: true };
      case 'too_soon':
        throw await tooSoonFor(deps, decision.retryAfterMs);
      case 'asking':
        awaited = decision.flightId;
    }
    // The lease of the asking process also bounds this wait, but by the business clock, which may stand still.
    if (deps.monotonic.now() >= flight.deadlineAt) throw verifyTimeout();
    await sleep(pauseMs * (0.5 + Math.random()));
    pauseMs = Math.min(pauseMs * POLL_GROWTH, POLL_MAX_MS);
  }
}

export function verifyTimeout(): GatewayError {
  return new GatewayError('timeout', 'no answer within the deadline', { operation: VERIFY_OPERATION });
}

interface Claim {
  readonly record: BudgetRecord<VerifyState>;
  readonly flightId: string;
  readonly leaseMs: number;
}

async function askWithClaim(deps: FlightDeps, flight: VerifyFlight, claim: Claim): Promise<VerifyAnswer> {
  const { clock, monotonic } = deps;
  let ticket: CircuitTicket;
  try {
    // The store returned the claim too late: no time is left to ask, and no caller waits.
    if (monotonic.now() >= flight.deadlineAt) throw verifyTimeout();
    ticket = await enterGate(deps, claim.leaseMs);
  } catch (error) {
    await noted(deps, endVerify(claim, { kind: 'free' }));
    throw error;
  }
  const sentAt = clock.now();
  let body: unknown;
  try {
    body = await flight.ask();
  } catch (error) {
    const failed: VerifyState = { kind: 'failed', flightId: claim.flightId, at: clock.now() };
    // The circuit is updated first, because it holds for all payments.
    await noted(deps, recordOutcome(deps, ticket, verdictOf(error)));
    await noted(deps, endVerify(claim, failed));
    throw error;
  }
  const at = clock.now();
  // The clock may have stepped back since the request was sent.
  const askedAt = Math.min(sentAt, at);
  const answer: VerifyAnswer = { body, askedAt, observedAt: at, reused: false };
  flight.answer = answer;
  await noted(
    deps,
    endVerify(claim, { kind: 'answered', flightId: claim.flightId, askedAt, at, body: cachedBody(body) }),
  );
  await noted(deps, recordOutcome(deps, ticket, { kind: 'answered' }));
  return answer;
}

async function enterGate({ gate, verifiesPerMinute }: FlightDeps, leaseMs: number): Promise<CircuitTicket> {
  const admission = await gate.change(VERIFY_OPERATION, (state, now) => {
    const result = admitVerify(state, now, { limit: verifiesPerMinute, leaseMs });
    return { next: result.gate === state ? undefined : result.gate, result };
  });
  if (admission.kind === 'admitted') return admission.ticket;
  const why = admission.reason === 'circuit' ? CIRCUIT_IS_OPEN : 'too many verifies in a minute';
  throw tooSoon(why, admission.retryAfterMs);
}

/**
 * Returns the error for a payment that was just verified. Two waits apply: the payment's spacing and, for all payments,
 * an open circuit. The error names the longer one.
 */
async function tooSoonFor({ gate }: FlightDeps, spacingLeftMs: number): Promise<GatewayError> {
  const refusedMs = await gate.change(VERIFY_OPERATION, ({ circuit }, now) => ({
    next: undefined,
    result: refusedForMs(circuit, now),
  }));
  return refusedMs > spacingLeftMs
    ? tooSoon(CIRCUIT_IS_OPEN, refusedMs)
    : tooSoon('this payment was asked about just now', spacingLeftMs);
}

async function endVerify({ record, flightId }: Claim, end: VerifyState): Promise<void> {
  await record.change(VERIFY_OPERATION, (state) => ({ next: endFlight(state, flightId, end), result: undefined }));
}

async function recordOutcome(deps: FlightDeps, ticket: CircuitTicket, verdict: CallVerdict): Promise<void> {
  const { gate, circuitMs, logger } = deps;
  const { before, after } = await gate.change(VERIFY_OPERATION, (state, now) => {
    const circuit = recordCallOutcome(state.circuit, ticket, verdict, { now, circuitMs });
    const next = circuit === state.circuit ? undefined : { ...state, circuit };
    return { next, result: { before: state.circuit, after: circuit } };
  });
  if (after.kind !== 'closed') {
    if (after.epoch === before.epoch) return;
    const { cause, failures, lastsMs } = after;
    const fields = { event: 'gateway.circuit_opened', cause, failures, lastsMs };
    logger.warn(CIRCUIT_IS_OPEN, fields);
  } else if (before.kind !== 'closed') {
    logger.info('gateway circuit closed', { event: 'gateway.circuit_closed' });
  }
}

/**
 * Waits for the store, and only logs a failure, because the gateway's answer is valid in any case. A lease that was not
 * ended expires; until then no process asks.
 */
async function noted({ logger }: FlightDeps, noting: Promise<void>): Promise<void> {
  try {
    await noting;
  } catch (error) {
    logger.warn('end of a verify not stored', { event: 'gateway.budget_not_noted', error });
  }
}

function tooSoon(why: string, retryAfterMs: number): GatewayError {
  return new GatewayError('rate_limited', why, { operation: VERIFY_OPERATION, retryAfterMs });
}
