import { type Instant, isJsonObject, ownValue } from '../../kernel';
import type { CallStarts } from './call-window';
import type { Circuit, CircuitCause } from './circuit';
import type { VerifyGate } from './verify-gate';
import type { VerifyState } from './verify-state';

const CAUSES: readonly CircuitCause[] = ['forbidden', 'rate_limited', 'unavailable', 'unreachable'];

type Read<T> = (value: unknown) => T | undefined;

/**
 * Reads a text that a budget stored. Returns undefined for any other text: another release or a person may have written
 * it.
 */
export function readRecord<T>(text: string, read: Read<T>): T | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The caller logs the unreadable entry.
    return undefined;
  }
  return read(value);
}

export function readStarts(value: unknown): CallStarts | undefined {
  return Array.isArray(value) && value.every(isWhole) ? value : undefined;
}

export function readGate(value: unknown): VerifyGate | undefined {
  if (!isJsonObject(value)) return undefined;
  const starts = readStarts(ownValue(value, 'starts'));
  const circuit = readCircuit(ownValue(value, 'circuit'));
  return starts === undefined || circuit === undefined ? undefined : { starts, circuit };
}

export function readVerifyState(value: unknown): VerifyState | undefined {
  if (!isJsonObject(value)) return undefined;
  const [kind, flightId] = [ownValue(value, 'kind'), ownValue(value, 'flightId')];
  if (kind === 'free') return { kind };
  if (typeof flightId !== 'string') return undefined;
  if (kind === 'asking') {
    const [since, leaseMs] = [ownValue(value, 'since'), ownValue(value, 'leaseMs')];
    if (!isWhole(since) || !isWhole(leaseMs)) return undefined;
    const stale = ownValue(value, 'isStale') === true ? ({ isStale: true } as const) : {};
    return { kind, flightId, since, leaseMs, ...stale };
  }
  const at = ownValue(value, 'at');
  if (!isWhole(at)) return undefined;
  if (kind === 'failed') return { kind, flightId, at };
  if (kind !== 'answered') return undefined;
  const body = ownValue(value, 'body');
  const kept = isJsonObject(body) && Object.hasOwn(body, 'value') ? { value: body['value'] } : undefined;
  const askedAt = ownValue(value, 'askedAt');
  return { kind, flightId, askedAt: isWhole(askedAt) ? askedAt : undefined, at, body: kept };
}

function readCircuit(value: unknown): Circuit | undefined {
  if (!isJsonObject(value)) return undefined;
  const [kind, epoch] = [ownValue(value, 'kind'), ownValue(value, 'epoch')];
  if (!isWhole(epoch)) return undefined;
  if (kind === 'closed') return { kind, epoch };
  if (kind !== 'open' && kind !== 'probing') return undefined;
  const cause = CAUSES.find((known) => known === ownValue(value, 'cause'));
  const [failures, since, lastsMs] = ['failures', 'since', 'lastsMs'].map((key) => ownValue(value, key));
  if (cause === undefined || !isWhole(failures) || !isWhole(since) || !isWhole(lastsMs)) return undefined;
  return { kind, epoch, cause, failures, since, lastsMs };
}

function isWhole(value: unknown): value is Instant {
  return Number.isSafeInteger(value);
}
