import { Option } from 'commander';
import type { SplitDestination } from '../gateway';
import {
  AppError,
  type BusinessDate,
  type Instant,
  type Millimes,
  parseBusinessDate,
  parseInstant,
  parseMillimes,
} from '../kernel';
import { t } from './language';

// How the texts of options are read.

/** Reads an option that is an amount of money in millimes. @throws AppError `bad_input` that names the option. */
export function amountOption(name: string, text: string): Millimes {
  const amount = parseMillimes(text);
  if (amount === undefined || amount <= 0) {
    throw new AppError('bad_input', {
      field: name,
      expected: t('cli:expected.millimes'),
      got: text,
      fix: t('cli:expected.millimesFix'),
    });
  }
  return amount;
}

/** Reads an option that is a count. @throws AppError `bad_input` that names the option. */
export function countOption(name: string, text: string, most = Number.MAX_SAFE_INTEGER): number {
  const count = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : Infinity;
  if (count > most) {
    throw new AppError('bad_input', { field: name, expected: t('cli:expected.count', { most }), got: text });
  }
  return count;
}

/** Returns the option for the number of rows of a list. Its value is a number. */
export function limitOption(most = 10_000, usual = 100): Option {
  return new Option('--limit <count>', String(most))
    .argParser((text) => countOption('--limit', text, most))
    .default(usual);
}

/** Reads an option that names a day. @throws AppError `bad_input` that names the option. */
export function dayOption(name: string, text: string | undefined): BusinessDate | undefined {
  if (text === undefined) return undefined;
  const date = parseBusinessDate(text);
  if (date !== undefined) return date;
  const isWritten = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const expected = t(isWritten ? 'cli:expected.existingDate' : 'cli:expected.date');
  throw new AppError('bad_input', { field: name, expected, got: text });
}

/** Reads an option that is an instant. @throws AppError `bad_input` that names the option. */
export function instantOption(name: string, text: string): Instant {
  const instant = parseInstant(text);
  if (instant === undefined) {
    const expected = t('cli:expected.instant');
    throw new AppError('bad_input', { field: name, expected, got: text });
  }
  return instant;
}

const SECONDS_OF_UNIT: Readonly<Record<string, number>> = { d: 86_400, h: 3_600, m: 60, s: 1 };

/** Reads `90d`, `12h`, `30m` or `45s` as seconds. The use case checks the limits. @throws AppError `bad_input`. */
export function ttlOption(name: string, text: string): number {
  const [, count, unit] = /^([1-9]\d{0,8})([dhms])$/.exec(text) ?? [];
  const unitSeconds = SECONDS_OF_UNIT[unit ?? ''];
  if (count === undefined || unitSeconds === undefined) {
    const expected = t('cli:expected.ttl');
    throw new AppError('bad_input', { field: name, expected, got: text });
  }
  return Number(count) * unitSeconds;
}

/**
 * Reads the parts of a split, each `merchant=millimes`. The last equals sign divides a part, because a merchant's id
 * may contain one.
 * @throws AppError `bad_input` that names the part.
 */
export function splitOption(parts: readonly string[]): readonly SplitDestination[] {
  return parts.map((part) => {
    const [, destination, amount] = /^(.+)=([^=]*)$/.exec(part) ?? [];
    if (destination === undefined || amount === undefined) {
      throw new AppError('bad_input', { field: '--split', expected: '<merchant>=<millimes>', got: part });
    }
    return { destination, amountMillimes: amountOption(`--split ${destination}`, amount) };
  });
}

/** Reads ids separated by commas. */
export function idListOption(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** Returns the `bad_input` error for options that exclude each other. */
export function onlyOneOf(...options: readonly string[]): AppError {
  return new AppError('bad_input', { field: options.join(', '), expected: t('cli:expected.onlyOne') });
}

/** Reads words of a closed list, separated by commas. @throws AppError `bad_input` that names the option. */
export function wordListOption<T extends string>(name: string, text: string, known: readonly T[]): T[] {
  return text.split(',').map((word) => {
    const found = known.find((each) => each === word.trim());
    if (found === undefined) {
      throw new AppError('bad_input', {
        field: name,
        expected: t('cli:expected.oneOf', { known: known.join(', ') }),
        got: word.trim(),
      });
    }
    return found;
  });
}
