import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { fileClock, fingerprintOf, formatInstant, newId, parseInstant } from '../../../src/kernel';

describe('an instant', () => {
  test.each([
    ['2026-03-02T09:00:00+01:00', '2026-03-02T08:00:00.000Z'],
    ['2026-03-02T09:00:00.250Z', '2026-03-02T09:00:00.250Z'],
    ['2026-03-02T09:00Z', '2026-03-02T09:00:00.000Z'],
    ['2026-03-02T00:30:00+0100', '2026-03-01T23:30:00.000Z'],
  ])('is read from %p', (text, utc) => {
    const instant = parseInstant(text);
    expect(instant === undefined ? undefined : formatInstant(instant)).toBe(utc);
  });

  test.each([
    '2026-02-30T00:00:00Z',
    '2026-02-29T12:00:00+01:00',
    '2026-04-31T10:00+0100',
    '2026-03-02T24:00:00Z',
    '2026-03-02T09:60:00Z',
    '2026-03-02T09:00:60Z',
    '2026-03-02T09:00:00+24:00',
  ])('is not read from %p, which does not exist', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  test.each([
    ['2028-02-29T23:59:59.999-01:00', '2028-03-01T00:59:59.999Z'],
    ['2026-12-31T23:30-01:00', '2027-01-01T00:30:00.000Z'],
    ['1970-01-02T01:00+01:00', '1970-01-02T00:00:00.000Z'],
    ['2199-12-30T23:59:59.999Z', '2199-12-30T23:59:59.999Z'],
  ])('at the edge of a day is read from %p', (text, utc) => {
    expect(formatInstant(parseInstant(text) ?? 0)).toBe(utc);
  });

  test.each(['0001-01-01T00:00Z', '1970-01-01T23:59:59Z', '2199-12-31T00:00:00Z', '9999-12-31T23:59:59Z'])(
    'is not read from %p, whose day may be outside the business calendar',
    (text) => expect(parseInstant(text)).toBeUndefined(),
  );

  test.each(['', '2026-03-02', '2026-03-02T09:00:00', '2026-03-02 09:00:00Z', '2026-13-02T09:00:00Z', 'now', '0'])(
    'is not read from %p: without an offset it depends on the machine',
    (text) => {
      expect(parseInstant(text)).toBeUndefined();
    },
  );
});

describe('the clock in a file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'millime-clock-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('follows the file, also backwards, and keeps the last instant while the file is bad or gone', () => {
    const file = join(folder, 'clock');
    writeFileSync(file, '2026-03-02T09:00:00Z\n');
    const clock = fileClock(file);
    expect(formatInstant(clock.now())).toBe('2026-03-02T09:00:00.000Z');
    writeFileSync(file, '2026-03-01T09:00:00Z');
    expect(formatInstant(clock.now())).toBe('2026-03-01T09:00:00.000Z');
    writeFileSync(file, '2026-03-');
    expect(formatInstant(clock.now())).toBe('2026-03-01T09:00:00.000Z');
    rmSync(file);
    expect(formatInstant(clock.now())).toBe('2026-03-01T09:00:00.000Z');
  });

  test('reports an unusable file until it is usable again', () => {
    const file = join(folder, 'clock');
    writeFileSync(file, '2026-03-02T09:00:00Z');
    const clock = fileClock(file);
    const problemAt = (write: () => void): string | undefined => {
      write();
      clock.now();
      return clock.problem;
    };
    expect(problemAt(() => undefined)).toBeUndefined();
    expect(problemAt(() => writeFileSync(file, '2026-02-30T09:00:00Z'))).toMatch(/^CLOCK_FILE: .* no ISO instant$/);
    expect(problemAt(() => writeFileSync(file, '2026-03-03T09:00:00Z'))).toBeUndefined();
    expect(problemAt(() => rmSync(file))).toMatch(/^CLOCK_FILE: /);
  });

  test('refuses to start without an instant, and names the variable', () => {
    expect(() => fileClock(join(folder, 'missing'))).toThrow(/^CLOCK_FILE: /);
  });
});

describe('generated ids', () => {
  test('sort in the order of creation and never repeat', () => {
    const ids = Array.from({ length: 2_000 }, () => newId());
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(id))).toBe(true);
  });
});

describe('a fingerprint', () => {
  test('differs when text moves between neighbours, or when a number becomes a text', () => {
    const prints = [
      fingerprintOf('ab', 'c'),
      fingerprintOf('a', 'bc'),
      fingerprintOf('abc'),
      fingerprintOf(1),
      fingerprintOf('1'),
    ];
    expect(new Set(prints).size).toBe(prints.length);
    expect(fingerprintOf('ab', 'c')).toBe(fingerprintOf('ab', 'c'));
  });
});
