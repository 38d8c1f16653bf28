import { AppError } from '../kernel';

const SECONDS_OF_UNIT: Readonly<Record<string, number>> = { d: 86_400, h: 3_600, m: 60, s: 1 };

/** Reads `90d`, `12h`, `30m` or `45s` in seconds. How long a thing may live is its room's to say. */
export function ttlOption(name: string, text: string): number {
  const [, count, unit] = /^([1-9]\d{0,8})([dhms])$/.exec(text) ?? [];
  const unitSeconds = SECONDS_OF_UNIT[unit ?? ''];
  if (count === undefined || unitSeconds === undefined) {
    throw new AppError('bad_input', `${name} must be a number and a unit, such as 90d, 12h, 30m or 45s`);
  }
  return Number(count) * unitSeconds;
}
