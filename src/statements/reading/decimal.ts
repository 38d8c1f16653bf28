/**
 * An exact decimal number as a file writes it: `units / 10^scale`. Readers add up and prove amounts in this form,
 * before the currency shows how many decimals are allowed.
 */
export interface Decimal {
  readonly units: bigint;
  /** The number of written decimals, 0 to `SCALE_MAX`. */
  readonly scale: number;
}

export const ZERO_DECIMAL: Decimal = { units: 0n, scale: 0 };

/** A longer number is no amount: no bank writes one. */
const DIGITS_MAX = 30;
const SCALE_MAX = 20;

const PLAIN = /^(-?)(\d*)(?:\.(\d*))?$/;

/** Reads digits with at most one point and a minus: `-1234.56`, `.50`, `1234.`. Returns undefined for anything else. */
export function parseDecimal(text: string): Decimal | undefined {
  const found = PLAIN.exec(text);
  if (found === null) return undefined;
  const [, sign = '', whole = '', fraction = ''] = found;
  const digits = whole + fraction;
  if (digits === '' || digits.length > DIGITS_MAX || fraction.length > SCALE_MAX) return undefined;
  const units = BigInt(digits);
  return { units: sign === '-' ? -units : units, scale: fraction.length };
}

/** Returns the exact sum, with as many decimals as the longer of the two. */
export function addDecimals(a: Decimal, b: Decimal): Decimal {
  if (a.scale === b.scale) return { units: a.units + b.units, scale: a.scale };
  const scale = Math.max(a.scale, b.scale);
  return { units: unitsAt(a, scale) + unitsAt(b, scale), scale };
}

export function negateDecimal({ units, scale }: Decimal): Decimal {
  return { units: -units, scale };
}

export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  return addDecimals(a, negateDecimal(b));
}

/** Compares by value: `1.5` equals `1.50`. */
export function equalDecimals(a: Decimal, b: Decimal): boolean {
  const scale = Math.max(a.scale, b.scale);
  return unitsAt(a, scale) === unitsAt(b, scale);
}

/** Returns `60343.483`: a point, the written decimals, no grouping. */
export function decimalText({ units, scale }: Decimal): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = scale === 0 ? '' : `.${digits.slice(-scale)}`;
  return `${units < 0n ? '-' : ''}${whole}${fraction}`;
}

/**
 * Returns the units of the same number with another number of decimals; undefined if that would drop a digit other than
 * 0.
 */
export function unitsWithScale(decimal: Decimal, scale: number): bigint | undefined {
  if (decimal.scale <= scale) return unitsAt(decimal, scale);
  const divisor = 10n ** BigInt(decimal.scale - scale);
  return decimal.units % divisor === 0n ? decimal.units / divisor : undefined;
}

function unitsAt({ units, scale }: Decimal, target: number): bigint {
  return units * 10n ** BigInt(target - scale);
}

/** Returns the number of decimals that the value needs: 2 for `1.250`, 0 for `3.00`. */
export function neededScale({ units, scale }: Decimal): number {
  let needed = scale;
  for (let rest = units; needed > 0 && rest % 10n === 0n; rest /= 10n) needed -= 1;
  return needed;
}
