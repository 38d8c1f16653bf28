import { AppError } from '../kernel';

const SECONDS_OF_UNIT: Readonly<Record<string, number>> = { d: 86_400, h: 3_600, m: 60, s: 1 };

/** Reads `90d`, `12h`, `30m` or `45s` as seconds. The use case checks the limits. @throws AppError `bad_input`. */
export function ttlOption(name: string, text: string): number {
  const [, count, unit] = /^([1-9]\d{0,8})([dhms])$/.exec(text) ?? [];
  const unitSeconds = SECONDS_OF_UNIT[unit ?? ''];
  if (count === undefined || unitSeconds === undefined) {
    const expected = 'a number and a unit, such as 90d, 12h, 30m or 45s';
    throw new AppError('bad_input', { field: name, expected, got: text });
  }
  return Number(count) * unitSeconds;
}
