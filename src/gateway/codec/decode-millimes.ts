import { type Millimes, millimes, parseMillimes } from '../../kernel';

/**
 * An amount as the gateway writes it (open point 1): a JSON integer, or its digits as a text without leading zeros.
 * Undefined for everything else: a fraction, a minus sign unless `signed`, what is beyond the safe integers.
 */
export function decodeMillimes(value: unknown, sign: 'signed' | 'unsigned' = 'unsigned'): Millimes | undefined {
  // JSON.parse rounds a whole number that it cannot hold, always to one that is not safe.
  if (Number.isSafeInteger(value)) return sign === 'signed' || Number(value) >= 0 ? millimes(Number(value)) : undefined;
  if (typeof value !== 'string' || (sign === 'unsigned' && value.startsWith('-'))) return undefined;
  return parseMillimes(value);
}
