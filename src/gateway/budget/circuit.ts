import { DAY_MS, doubledPauseMs, type Instant, SECOND_MS } from '../../kernel';

/**
 * Why Millime sends no calls for a while: the gateway refuses the caller, reports too many calls, names the time of its
 * next answer, or accepts no connection.
 */
export type CircuitCause = 'forbidden' | 'rate_limited' | 'unavailable' | 'unreachable';

/**
 * Whether Millime may call the gateway. `epoch` counts the openings, so that calls sent before an opening are
 * distinguished from later ones. `failures` counts consecutive openings with the same cause.
 */
export type Circuit = { readonly kind: 'closed'; readonly epoch: number } | BrokenCircuit;

export interface BrokenCircuit {
  /** `probing`: one test call is in transit; other callers wait until it ends or its lease expires. */
  readonly kind: 'open' | 'probing';
  readonly epoch: number;
  readonly cause: CircuitCause;
  readonly failures: number;
  readonly since: Instant;
  readonly lastsMs: number;
}

/**
 * What one call shows about the gateway. `unclear` (a timeout, a 401, a 5xx without a time) neither opens nor closes
 * the circuit.
 */
export type CallVerdict =
  | { readonly kind: 'answered' }
  | { readonly kind: 'unclear' }
  | { readonly kind: 'stop'; readonly cause: CircuitCause; readonly waitMs: number | undefined };

/** The right to make one call. */
export interface CircuitTicket {
  readonly epoch: number;
  readonly isProbe: boolean;
}

export type CircuitAdmission =
  | { readonly kind: 'admitted'; readonly circuit: Circuit; readonly ticket: CircuitTicket }
  | { readonly kind: 'refused'; readonly circuit: Circuit; readonly retryAfterMs: number };

export const CLOSED_CIRCUIT: Circuit = { kind: 'closed', epoch: 0 };

const UNREACHABLE_FIRST_MS = 30 * SECOND_MS;
/** The gateway may ask for a longer pause. After a day, one call tests whether it still refuses. */
const OPEN_MAX_MS = DAY_MS;
/** Callers refused during a probe may retry soon, because a probe usually ends within a second. */
const PROBE_RETRY_MS = SECOND_MS;

/** Admits a call, or returns how long calls are refused. Pure. */
export function admitCall(given: Circuit, now: Instant, leaseMs: number): CircuitAdmission {
  const circuit = notAfter(given, now);
  if (circuit.kind === 'closed') return { kind: 'admitted', circuit, ticket: { epoch: circuit.epoch, isProbe: false } };
  const retryAfterMs = refusedForMs(circuit, now);
  if (retryAfterMs > 0) return { kind: 'refused', circuit, retryAfterMs };
  const probing: Circuit = { ...circuit, kind: 'probing', since: now, lastsMs: leaseMs };
  return { kind: 'admitted', circuit: probing, ticket: { epoch: circuit.epoch, isProbe: true } };
}

/** Returns for how many milliseconds calls are refused, as far as is known now; 0 when a call is admitted. Pure. */
export function refusedForMs(given: Circuit, now: Instant): number {
  const circuit = notAfter(given, now);
  if (circuit.kind === 'closed') return 0;
  const leftMs = Math.max(circuit.since + circuit.lastsMs - now, 0);
  return circuit.kind === 'probing' ? Math.min(leftMs, PROBE_RETRY_MS) : leftMs;
}

/** Returns the circuit after a call ended; the same object when nothing changes. Pure. */
export function recordCallOutcome(
  circuit: Circuit,
  { epoch, isProbe }: CircuitTicket,
  verdict: CallVerdict,
  { now, circuitMs }: { readonly now: Instant; readonly circuitMs: number },
): Circuit {
  const isCurrent = epoch === circuit.epoch;
  switch (verdict.kind) {
    case 'answered':
      return circuit.kind !== 'closed' && isCurrent ? { kind: 'closed', epoch } : circuit;
    case 'unclear':
      // The probe was inconclusive, so the next caller becomes the probe.
      return circuit.kind === 'probing' && isProbe && isCurrent
        ? { ...circuit, kind: 'open', since: now, lastsMs: 0 }
        : circuit;
    case 'stop':
      if (circuit.kind === 'closed' || isCurrent) return opened(circuit, verdict, now, circuitMs);
      return prolonged(circuit, verdict, now, circuitMs);
  }
}

type Stop = Extract<CallVerdict, { kind: 'stop' }>;

function opened(circuit: Circuit, stop: Stop, now: Instant, circuitMs: number): Circuit {
  const { cause } = stop;
  const failures = circuit.kind !== 'closed' && circuit.cause === cause ? circuit.failures + 1 : 1;
  const lastsMs = openMs(stop, failures, circuitMs);
  return { kind: 'open', epoch: circuit.epoch + 1, cause, failures, since: now, lastsMs };
}

/**
 * Handles a call that was sent before the circuit opened. Its failure belongs to the same burst and does not count
 * again. Its longer wait applies, unless a probe is in transit, because the probe's result is newer.
 */
function prolonged(circuit: BrokenCircuit, stop: Stop, now: Instant, circuitMs: number): Circuit {
  if (circuit.kind === 'probing' || stop.cause === 'unreachable') return circuit;
  const lastsMs = openMs(stop, 1, circuitMs);
  return now + lastsMs > circuit.since + circuit.lastsMs ? { ...circuit, since: now, lastsMs } : circuit;
}

/**
 * Returns how long the circuit stays open (open points 54 and 60). After a first 429 it is the time that the gateway
 * names. After a second one in a row, or a `forbidden`, it is at least `circuitMs`. For `unavailable` it is always the
 * time that the gateway names.
 */
function openMs({ cause, waitMs }: Stop, failures: number, circuitMs: number): number {
  switch (cause) {
    case 'forbidden':
      return circuitMs;
    case 'rate_limited': {
      const lastsMs = failures > 1 ? Math.max(waitMs ?? 0, circuitMs) : (waitMs ?? circuitMs);
      return Math.min(lastsMs, OPEN_MAX_MS);
    }
    case 'unavailable':
      return Math.min(waitMs ?? 0, OPEN_MAX_MS);
    case 'unreachable':
      return doubledPauseMs(UNREACHABLE_FIRST_MS, failures, circuitMs);
  }
}

/**
 * Returns the circuit with a future start set to now. A future start was recorded before the clock stepped back;
 * without this a caller would wait longer.
 */
function notAfter(circuit: Circuit, now: Instant): Circuit {
  return circuit.kind !== 'closed' && circuit.since > now ? { ...circuit, since: now } : circuit;
}
