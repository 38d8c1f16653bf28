import { type Millimes, millimes, parseMillimes } from '../../kernel';

/**
 * Decodes an amount of the gateway (open point 1): a JSON integer, or its digits as a text without leading zeros.
 * Returns undefined for everything else: a fraction, a minus sign unless `signed`, a value beyond the safe integers.
 */
export function decodeMillimes(value: unknown, sign: 'signed' | 'unsigned' = 'unsigned'): Millimes | undefined {
  // JSON.parse rounds an integer that is too large to an unsafe integer, so none passes unnoticed.
  if (Number.isSafeInteger(value)) return sign === 'signed' || Number(value) >= 0 ? millimes(Number(value)) : undefined;
  if (typeof value !== 'string' || (sign === 'unsigned' && value.startsWith('-'))) return undefined;
  return parseMillimes(value);
}
