const COUNTRY_PREFIX = '216';
const LOCAL_DIGITS = 8;

/**
 * Returns the digits of a phone number with the country's prefix, so that `20 123 456`, `+216 20123456` and
 * `0021620123456` are one number (open point 36). `undefined` for any other text.
 */
export function phoneNumberOf(text: string): string | undefined {
  const digits = text.replace(/[ ]/g, '').replace(/^(\+|00)/, '');
  if (!/^\d{8,15}$/.test(digits)) return undefined;
  return digits.length === LOCAL_DIGITS ? `${COUNTRY_PREFIX}${digits}` : digits;
}
