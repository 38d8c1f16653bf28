import type { AmountReading } from '../amount-text';
import { negateDecimal } from '../decimal';
import type { StatementProfile } from '../statement-profile';

/**
 * Reads a debit or a credit column as a number that is not negative. The profile states whether debits have a minus,
 * and a cell of the other kind is refused, because it may be money in the other direction. With `reversals` it is.
 */
export function withoutSign(
  reading: AmountReading,
  side: 'debit' | 'credit',
  { debitSign, reversals }: Pick<StatementProfile, 'debitSign' | 'reversals'>,
): AmountReading {
  if (!reading.ok || (reversals && (side === 'credit' || debitSign === 'none'))) return reading;
  if (debitSign === 'none') return reading.signed ? { ok: false, expected: 'an amount without a sign' } : reading;
  const { units } = reading.amount;
  // The other side may have 0,00. A bank that writes a minus here may write a plus there.
  if (side === 'credit') return units < 0n ? { ok: false, expected: 'a credit without a minus' } : reading;
  if (units > 0n) return { ok: false, expected: 'a debit with a minus, as debitSign states' };
  return { ...reading, amount: negateDecimal(reading.amount) };
}
