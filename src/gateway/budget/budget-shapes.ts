import { DAY_MS, MINUTE_MS, sha256Hex } from '../../kernel';
import { readGate, readStarts, readVerifyState } from './budget-codec';
import type { RecordShape } from './budget-record';
import { type CallStarts, fullWindow, WINDOW_MS } from './call-window';
import { CLOSED_CIRCUIT } from './circuit';
import type { VerifyGate } from './verify-gate';
import type { VerifyState } from './verify-state';

/** The processes that share a store have slightly different clocks. */
const KEEP_MARGIN_MS = MINUTE_MS;
/** The store has only one gate, and a row of failures counts across long pauses. */
const GATE_KEEP_MS = 7 * DAY_MS;

export function gateShape(verifiesPerMinute: number): RecordShape<VerifyGate> {
  return {
    key: 'verify-gate',
    empty: { starts: [], circuit: CLOSED_CIRCUIT },
    spent: (now) => ({ starts: fullWindow(now, verifiesPerMinute), circuit: CLOSED_CIRCUIT }),
    read: readGate,
    keepMs: () => GATE_KEEP_MS,
  };
}

export function creationsShape(creationsPerMinute: number): RecordShape<CallStarts> {
  return {
    key: 'creations',
    empty: [],
    spent: (now) => fullWindow(now, creationsPerMinute),
    read: readStarts,
    keepMs: () => WINDOW_MS + KEEP_MARGIN_MS,
  };
}

/**
 * Describes the entry of one payment. The key is a digest because a payment id is opaque and may be longer than the
 * store's keys.
 */
export function verifyShape(paymentId: string, spacingMs: number): RecordShape<VerifyState> {
  return {
    key: `verify:${sha256Hex(paymentId)}`,
    empty: { kind: 'free' },
    spent: (now) => ({ kind: 'failed', flightId: '', at: now }),
    read: readVerifyState,
    keepMs(state) {
      if (state.kind === 'free') return 0;
      return KEEP_MARGIN_MS + (state.kind === 'asking' ? state.leaseMs : spacingMs);
    },
  };
}
