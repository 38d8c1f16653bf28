import type { BusinessDate, Millimes } from '../../kernel';

const MILLIMES_PER_DINAR = 1_000n;
/** The limit of both formats: camt.053 allows 34 characters for an account that is not an IBAN, MT940 one more. */
const ACCOUNT_CHARACTERS_MAX = 34;
/** The number of days in a common year before each month. */
const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

/** Writes `1234.567`, or with a comma: no sign, no grouping, always three decimals. */
export function unsignedDinarsText(amount: Millimes, decimalSign: '.' | ','): string {
  const total = BigInt(Math.abs(amount));
  return `${total / MILLIMES_PER_DINAR}${decimalSign}${(total % MILLIMES_PER_DINAR).toString().padStart(3, '0')}`;
}

/** Removes the spaces, which only help people. */
export function accountText(account: string): string {
  return account.replace(/\s+/gu, '').slice(0, ACCOUNT_CHARACTERS_MAX);
}

/**
 * Returns the number of the statement that ends on a day: the year's last two digits and the day of the year, such as
 * `26067`. Statements of single days are therefore numbered in order, whichever of them are requested.
 */
export function statementNumber(through: BusinessDate): string {
  const [year = '', month = '', day = ''] = through.split('-');
  const isAfterLeapDay = isLeapYear(Number(year)) && Number(month) > 2;
  const number = (DAYS_BEFORE_MONTH[Number(month) - 1] ?? 0) + Number(day) + (isAfterLeapDay ? 1 : 0);
  return `${year.slice(-2)}${String(number).padStart(3, '0')}`;
}

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}
