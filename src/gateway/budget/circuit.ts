import type { Instant } from '../../kernel';

/**
 * Why no call is sent for a while: the gateway refuses the caller, reports too many calls, names the time of its next
 * answer, or does not listen.
 */
export type CircuitCause = 'forbidden' | 'rate_limited' | 'unavailable' | 'unreachable';

/**
 * Whether the gateway may be asked. `epoch` counts the openings, so that what was sent before one is told from what was
 * sent after it. `failures` counts the openings in a row that had the same cause.
 */
export type Circuit = { readonly kind: 'closed'; readonly epoch: number } | BrokenCircuit;

export interface BrokenCircuit {
  /** `probing`: one call was let through to see, and the others wait for it until its lease ends. */
  readonly kind: 'open' | 'probing';
  readonly epoch: number;
  readonly cause: CircuitCause;
  readonly failures: number;
  readonly since: Instant;
  readonly lastsMs: number;
}

/**
 * What one call said of the gateway. `unclear` (a time-out, a 401, a 5xx without a time) neither opens nor closes it.
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

const UNREACHABLE_FIRST_MS = 30_000;
/** However long the gateway asks us to wait, a day later one call finds out whether it still means it. */
const OPEN_MAX_MS = 86_400_000;
/** Who comes while a probe is out may come again soon: it is usually back within a second. */
const PROBE_RETRY_MS = 1_000;

/** Lets a call through, or says how long none may go. Pure. */
export function admitCall(given: Circuit, now: Instant, leaseMs: number): CircuitAdmission {
  const circuit = notAfter(given, now);
  if (circuit.kind === 'closed') return { kind: 'admitted', circuit, ticket: { epoch: circuit.epoch, isProbe: false } };
  const retryAfterMs = refusedForMs(circuit, now);
  if (retryAfterMs > 0) return { kind: 'refused', circuit, retryAfterMs };
  const probing: Circuit = { ...circuit, kind: 'probing', since: now, lastsMs: leaseMs };
  return { kind: 'admitted', circuit: probing, ticket: { epoch: circuit.epoch, isProbe: true } };
}

/** For how many milliseconds no call is let through, as far as is known now; 0 when one is. Pure. */
export function refusedForMs(given: Circuit, now: Instant): number {
  const circuit = notAfter(given, now);
  if (circuit.kind === 'closed') return 0;
  const leftMs = Math.max(circuit.since + circuit.lastsMs - now, 0);
  return circuit.kind === 'probing' ? Math.min(leftMs, PROBE_RETRY_MS) : leftMs;
}

/** What a call's end makes of the circuit; the same object when it changes nothing. Pure. */
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
      // The probe found nothing out, so the next caller is the probe.
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
 * A call that was sent before the circuit opened: its failure is of the same burst, and counts no second time. Its
 * longer wait is kept, unless a probe is out already, which knows more.
 */
function prolonged(circuit: BrokenCircuit, stop: Stop, now: Instant, circuitMs: number): Circuit {
  if (circuit.kind === 'probing' || stop.cause === 'unreachable') return circuit;
  const lastsMs = openMs(stop, 1, circuitMs);
  return now + lastsMs > circuit.since + circuit.lastsMs ? { ...circuit, since: now, lastsMs } : circuit;
}

/**
 * Open points 54 and 60. A 429 is waited out as long as it says; one more right after that is a burst, and so is a
 * refusal at its first. A gateway that says when it can answer again is taken at its word, however often it says so.
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
      return Math.min(UNREACHABLE_FIRST_MS * 2 ** (failures - 1), circuitMs);
  }
}

/** A circuit of the future was noted before the clock stepped back. It counts from now, so no caller waits longer. */
function notAfter(circuit: Circuit, now: Instant): Circuit {
  return circuit.kind !== 'closed' && circuit.since > now ? { ...circuit, since: now } : circuit;
}
