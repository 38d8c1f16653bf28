import type { Instant } from '../../kernel';
import { type CallStarts, takeSlot } from './call-window';
import { admitCall, type Circuit, type CircuitTicket } from './circuit';

/** The state that all verifies share: the starts of the last minute, and the circuit. */
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
 * Admits one verify. The circuit decides first, and a refusal by either takes nothing from the other. A refusal's
 * `gate` is the same object unless it needed a correction. Pure.
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
