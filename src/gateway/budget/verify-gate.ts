import type { Instant } from '../../kernel';
import { type CallStarts, takeSlot } from './call-window';
import { admitCall, type Circuit, type CircuitTicket } from './circuit';

/** What all verifies share: the calls of the last minute, and whether the gateway may be asked at all. */
export interface VerifyGate {
  readonly starts: CallStarts;
  readonly circuit: Circuit;
}

export type GateAdmission =
  | { readonly kind: 'admitted'; readonly gate: VerifyGate; readonly ticket: CircuitTicket }
  | {
      readonly kind: 'refused';
      readonly gate: VerifyGate;
      readonly reason: 'circuit' | 'window';
      readonly retryAfterMs: number;
    };

/**
 * Lets one verify through. The circuit is asked first, and a refusal by either takes nothing of the other. A refusal's
 * `gate` is the same object unless it had to be corrected. Pure.
 */
export function admitVerify(
  gate: VerifyGate,
  now: Instant,
  { limit, leaseMs }: { readonly limit: number; readonly leaseMs: number },
): GateAdmission {
  const admission = admitCall(gate.circuit, now, leaseMs);
  if (admission.kind === 'refused') {
    const { circuit, retryAfterMs } = admission;
    const same = circuit === gate.circuit;
    return { kind: 'refused', gate: same ? gate : { ...gate, circuit }, reason: 'circuit', retryAfterMs };
  }
  const slot = takeSlot(gate.starts, now, limit);
  if (slot.kind === 'full') {
    const { starts, retryAfterMs } = slot;
    const same = starts === gate.starts;
    return { kind: 'refused', gate: same ? gate : { ...gate, starts }, reason: 'window', retryAfterMs };
  }
  return { kind: 'admitted', gate: { starts: slot.starts, circuit: admission.circuit }, ticket: admission.ticket };
}
