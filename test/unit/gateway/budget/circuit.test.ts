import { expect, test } from '@jest/globals';
import { GatewayError, type GatewayErrorCode } from '../../../../src/gateway';
import { verdictOf } from '../../../../src/gateway/budget/call-verdict';
import {
  admitCall,
  type CallVerdict,
  type Circuit,
  type CircuitCause,
  type CircuitTicket,
  CLOSED_CIRCUIT,
  recordCallOutcome,
  refusedForMs,
} from '../../../../src/gateway/budget/circuit';

const NOW = 1_800_000_000_000;
const CIRCUIT_MS = 900_000;
const LEASE_MS = 20_000;
const BEFORE: CircuitTicket = { epoch: 0, isProbe: false };

const stop = (cause: CircuitCause, waitMs?: number): CallVerdict => ({
  kind: 'stop',
  cause,
  waitMs,
});
const record = (circuit: Circuit, ticket: CircuitTicket, verdict: CallVerdict, now = NOW): Circuit =>
  recordCallOutcome(circuit, ticket, verdict, { now, circuitMs: CIRCUIT_MS });
const retryAfterMs = (circuit: Circuit, now = NOW): number | undefined => {
  const admission = admitCall(circuit, now, LEASE_MS);
  return admission.kind === 'refused' ? admission.retryAfterMs : undefined;
};

/** Waits until the circuit lets a probe through, and ends it with the verdict. Gives the time waited as well. */
function probe(circuit: Circuit, now: number, verdict: CallVerdict): { circuit: Circuit; waitedMs: number } {
  const waitedMs = retryAfterMs(circuit, now) ?? 0;
  const admission = admitCall(circuit, now + waitedMs, LEASE_MS);
  if (admission.kind !== 'admitted') throw new Error('the circuit did not let the probe through');
  expect(admission.ticket.isProbe).toBe(true);
  return { circuit: record(admission.circuit, admission.ticket, verdict, now + waitedMs), waitedMs };
}

test.each([
  ['a 403 for the whole time, at once', stop('forbidden'), CIRCUIT_MS],
  ['a 429 as long as it asks for', stop('rate_limited', 7_000), 7_000],
  ['a 429 without a time for the whole time', stop('rate_limited'), CIRCUIT_MS],
  ['a 429 that asks for a year for a day', stop('rate_limited', 365 * 86_400_000), 86_400_000],
  ['a 503 as long as it asks for', stop('unavailable', 3_600_000), 3_600_000],
  ['a 503 that asks for a year for a day', stop('unavailable', 365 * 86_400_000), 86_400_000],
  ['a refused connection for half a minute', stop('unreachable'), 30_000],
])('the circuit opens after %s', (_what, verdict, expectedMs) => {
  expect(retryAfterMs(record(CLOSED_CIRCUIT, BEFORE, verdict))).toBe(expectedMs);
});

test('the circuit doubles its wait with each refused connection in a row, up to its full time', () => {
  let circuit = record(CLOSED_CIRCUIT, BEFORE, stop('unreachable'));
  let now = NOW;
  const waits: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    const probed = probe(circuit, now, stop('unreachable'));
    waits.push(probed.waitedMs);
    now += probed.waitedMs;
    circuit = probed.circuit;
  }
  expect(waits).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 900_000, 900_000]);
});

test('the circuit opens for its full time at a second 429 in a row', () => {
  const first = record(CLOSED_CIRCUIT, BEFORE, stop('rate_limited', 60_000));
  const { circuit } = probe(first, NOW, stop('rate_limited', 60_000));
  expect(retryAfterMs(circuit, NOW + 60_000)).toBe(CIRCUIT_MS);
});

test('the circuit waits as long as a repeated 503 states', () => {
  const first = record(CLOSED_CIRCUIT, BEFORE, stop('unavailable', 60_000));
  const { circuit } = probe(first, NOW, stop('unavailable', 5_000));
  expect(retryAfterMs(circuit, NOW + 60_000)).toBe(5_000);
});

test('the circuit counts refused connections of one burst once', () => {
  let circuit = record(CLOSED_CIRCUIT, BEFORE, stop('unreachable'));
  for (let call = 0; call < 9; call += 1) circuit = record(circuit, BEFORE, stop('unreachable'));
  expect(retryAfterMs(circuit)).toBe(30_000);
});

test('the circuit keeps the longer wait when calls of one burst fail in several ways', () => {
  const circuit = record(record(CLOSED_CIRCUIT, BEFORE, stop('unreachable')), BEFORE, stop('forbidden'));
  expect(retryAfterMs(circuit)).toBe(CIRCUIT_MS);
  expect(retryAfterMs(record(circuit, BEFORE, stop('rate_limited', 1_000)))).toBe(CIRCUIT_MS);
});

test('the circuit ignores a refused connection after a 429 of the same burst', () => {
  const open = record(CLOSED_CIRCUIT, BEFORE, stop('rate_limited', 1_000));
  expect(record(open, BEFORE, stop('unreachable'))).toBe(open);
});

test('the circuit is not closed by the answer to a call sent before it opened', () => {
  const open = record(CLOSED_CIRCUIT, BEFORE, stop('forbidden'));
  expect(record(open, BEFORE, { kind: 'answered' })).toBe(open);
});

test('the circuit admits one probe after its time, and other calls after the probe’s answer', () => {
  const open = record(CLOSED_CIRCUIT, BEFORE, stop('forbidden'));
  expect(retryAfterMs(open, NOW + CIRCUIT_MS - 1)).toBe(1);
  const first = admitCall(open, NOW + CIRCUIT_MS, LEASE_MS);
  if (first.kind !== 'admitted') throw new Error('no probe');
  expect(admitCall(first.circuit, NOW + CIRCUIT_MS, LEASE_MS)).toMatchObject({ kind: 'refused', retryAfterMs: 1_000 });
  const closed = record(first.circuit, first.ticket, { kind: 'answered' }, NOW + CIRCUIT_MS);
  expect(closed.kind).toBe('closed');
  expect(retryAfterMs(closed, NOW + CIRCUIT_MS)).toBeUndefined();
});

test('the circuit makes the next call the probe if a probe is unclear or dies', () => {
  const open = record(CLOSED_CIRCUIT, BEFORE, stop('forbidden'));
  const { circuit } = probe(open, NOW, { kind: 'unclear' });
  expect(admitCall(circuit, NOW + CIRCUIT_MS, LEASE_MS)).toMatchObject({ kind: 'admitted', ticket: { isProbe: true } });

  const first = admitCall(open, NOW + CIRCUIT_MS, LEASE_MS);
  const later = NOW + CIRCUIT_MS + LEASE_MS;
  expect(retryAfterMs(first.circuit, later - 1)).toBe(1);
  expect(admitCall(first.circuit, later, LEASE_MS)).toMatchObject({ kind: 'admitted', ticket: { isProbe: true } });
});

test('the circuit waits for its current probe if one of an earlier opening ends unclear', () => {
  const open = record(CLOSED_CIRCUIT, BEFORE, stop('forbidden'));
  const lost = admitCall(open, NOW + CIRCUIT_MS, LEASE_MS);
  if (lost.kind !== 'admitted') throw new Error('no probe');
  const reopened = probe(lost.circuit, NOW + CIRCUIT_MS + LEASE_MS, stop('forbidden')).circuit;
  const probing = admitCall(reopened, NOW + 10 * CIRCUIT_MS, LEASE_MS).circuit;
  expect(probing.kind).toBe('probing');
  expect(record(probing, lost.ticket, { kind: 'unclear' })).toBe(probing);
});

test('the circuit delays no call by more than its time when the clock steps back', () => {
  const open = record(CLOSED_CIRCUIT, BEFORE, stop('forbidden'), NOW + 3_600_000);
  const refused = admitCall(open, NOW, LEASE_MS);
  expect(refused).toMatchObject({ kind: 'refused', retryAfterMs: CIRCUIT_MS });
  expect(retryAfterMs(refused.circuit, NOW + CIRCUIT_MS)).toBeUndefined();
});

test('the circuit returns how long it refuses calls, even if the clock stepped back', () => {
  expect(refusedForMs(CLOSED_CIRCUIT, NOW)).toBe(0);
  const open = record(CLOSED_CIRCUIT, BEFORE, stop('forbidden'));
  expect(refusedForMs(open, NOW + 1)).toBe(CIRCUIT_MS - 1);
  expect(refusedForMs(open, NOW - 3_600_000)).toBe(CIRCUIT_MS);
  expect(refusedForMs(open, NOW + CIRCUIT_MS + 1)).toBe(0);
  expect(refusedForMs(admitCall(open, NOW + CIRCUIT_MS, LEASE_MS).circuit, NOW + CIRCUIT_MS)).toBe(1_000);
});

test.each<[GatewayErrorCode, number | undefined, CallVerdict['kind']]>([
  ['permission', 403, 'stop'],
  ['authentication', 401, 'unclear'],
  ['authentication', undefined, 'unclear'],
  ['rate_limited', 429, 'stop'],
  ['connection', undefined, 'stop'],
  ['not_found', 404, 'answered'],
  ['refused', 400, 'answered'],
  ['timeout', undefined, 'unclear'],
  ['unavailable', 503, 'unclear'],
  ['unexpected_shape', 502, 'unclear'],
])('%s with the status %s is the verdict: %s', (code, httpStatus, kind) => {
  expect(verdictOf(new GatewayError(code, 'no', { operation: 'payments.verify', httpStatus })).kind).toBe(kind);
});

test.each([
  ['an hour', 3_600_000, { kind: 'stop', cause: 'unavailable', waitMs: 3_600_000 }],
  ['a part of a millisecond', 0.5, { kind: 'stop', cause: 'unavailable', waitMs: 1 }],
  ['no time at all', 0, { kind: 'unclear' }],
])('unavailable for %s has the stated wait', (_what, waitMs, verdict) => {
  const details = { operation: 'payments.verify', httpStatus: 503, retryAfterMs: waitMs };
  expect(verdictOf(new GatewayError('unavailable', 'no', details))).toEqual(verdict);
});

test('an error outside the gateway is an unclear verdict', () => {
  expect(verdictOf(new TypeError('a bug'))).toEqual({ kind: 'unclear' });
});
