import { isJsonObject, ownValue } from '../kernel';
import type { QueueWait } from './queue-wait';

const FIELDS_COUNT = 2;

/**
 * Reads a text that `writeQueueWait` wrote. Returns undefined for any other text: another release or a person may have
 * written it.
 */
export function readQueueWait(text: string): QueueWait | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Millime wrote only JSON, so this is another program's text.
    return undefined;
  }
  if (!isJsonObject(value) || Object.keys(value).length !== FIELDS_COUNT) return undefined;
  const [inARow, resumesAt] = [ownValue(value, 'inARow'), ownValue(value, 'resumesAt')];
  return isCount(inARow) && isCount(resumesAt) ? { inARow, resumesAt } : undefined;
}

export function writeQueueWait({ inARow, resumesAt }: QueueWait): string {
  return JSON.stringify({ inARow, resumesAt });
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
