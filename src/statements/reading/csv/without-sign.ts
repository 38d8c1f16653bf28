import type { AmountReading } from '../amount-text';
import { negateDecimal } from '../decimal';
import type { StatementProfile } from '../statement-profile';

/**
 * What stands in a debit or a credit column, as a number that is not negative. The profile says whether debits have a
 * minus, and one of the other kind is refused: it may be money that goes the other way.
 */
export function withoutSign(
  reading: AmountReading,
  side: 'debit' | 'credit',
  { debitSign }: Pick<StatementProfile, 'debitSign'>,
): AmountReading {
  if (!reading.ok) return reading;
  if (debitSign === 'none') return reading.signed ? { ok: false, reason: 'must not have a sign' } : reading;
  const { units } = reading.amount;
  // The side that is not meant may hold 0,00. A bank that writes a minus here may write a plus there.
  if (side === 'credit') return units < 0n ? { ok: false, reason: 'must not have a minus' } : reading;
  if (units > 0n) return { ok: false, reason: 'must have a minus (debitSign)' };
  return { ...reading, amount: negateDecimal(reading.amount) };
}
