import { assert } from './assert';

declare const millimesBrand: unique symbol;

/** An amount in millimes, thousandths of a dinar: a safe integer of either sign. The only unit of money in the code. */
export type Millimes = number & { readonly [millimesBrand]: true };

const DINAR_DECIMALS = 3;

/** Brands a safe integer. Any other number is a bug of the caller. */
export function millimes(value: number): Millimes {
  assert(Number.isSafeInteger(value), `not an integer number of millimes: ${value}`);
  return (value === 0 ? 0 : value) as Millimes;
}

export const ZERO_MILLIMES = millimes(0);

/** Reads an integer number of millimes from people and files: an optional minus and digits, nothing else. */
export function parseMillimes(text: string): Millimes | undefined {
  if (!/^-?(0|[1-9]\d{0,15})$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? millimes(value) : undefined;
}

const DINARS = /^(\d{1,3}(?:[ \u00a0\u202f]\d{3})+|\d+)(?:,(\d{1,3}))?$/;

/** Reads an amount as people write it in dinars, with a comma and at most three decimals: `1 234,567`. */
export function parseDinars(text: string): Millimes | undefined {
  const found = DINARS.exec(text);
  if (found === null) return undefined;
  const [, dinars = '', decimals = ''] = found;
  return parseMillimes(`${dinars.replace(/\D/g, '')}${decimals.padEnd(3, '0')}`.replace(/^0+(?=\d)/, ''));
}

/** Reads a value of a BIGINT column or a sum: databases return a number, a bigint, or digits. */
export function toMillimes(value: unknown): Millimes {
  return millimes(Number(toTotal(value)));
}

/**
 * Reads a sum over many rows. Each row is a safe integer but their sum may not be one. Totals are bigints, so that a
 * report never fails on a large ledger.
 */
export function toTotal(value: unknown): bigint {
  if (value === null || value === undefined) return 0n;
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') {
    assert(Number.isSafeInteger(value), 'a total came back from the database as an unsafe number');
    return BigInt(value);
  }
  assert(typeof value === 'string' && /^-?\d+$/.test(value), 'a total came back from the database in an unknown form');
  return BigInt(value);
}

/** Converts a total for JSON: a number while it is safe, decimal digits beyond. */
export function totalToJson(total: bigint): number | string {
  const value = Number(total);
  return Number.isSafeInteger(value) ? value : total.toString();
}

export function addMillimes(a: Millimes, b: Millimes): Millimes {
  return millimes(a + b);
}

export function negateMillimes(a: Millimes): Millimes {
  return millimes(-a);
}

/** Formats an amount for people: `1 234,567 DT`. */
export function formatDinars(amount: Millimes | bigint): string {
  return formatMoney(BigInt(amount), { decimals: DINAR_DECIMALS, currency: 'TND' });
}

/**
 * Formats an amount of any currency for people: `1 234,50 EUR`, dinars as `1 234,567 DT`. `units` are the smallest units:
 * `decimals` of their digits are behind the comma. An unknown currency leaves the number alone.
 */
export function formatMoney(
  units: bigint,
  { decimals, currency }: { readonly decimals: number; readonly currency: string | undefined },
): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const whole = digits.slice(0, point).replace(/\B(?=(?:\d{3}){1,10}$)/g, ' ');
  const rest = decimals === 0 ? '' : `,${digits.slice(point)}`;
  const unit = currency === undefined ? '' : ` ${currency === 'TND' ? 'DT' : currency}`;
  return `${units < 0n ? '-' : ''}${whole}${rest}${unit}`;
}
