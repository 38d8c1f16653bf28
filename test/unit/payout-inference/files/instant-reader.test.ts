// Goal: an instant read from its digits equals the kernel's, and texts that the kernel refuses are refused.
// Method: random instants in every notation, and a table of invalid texts.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseInstant } from '../../../../src/kernel';
import { InstantReader } from '../../../../src/payout-inference/files/instant-reader';

const FIRST = parseInstant('1970-01-02T00:00:00Z') ?? 0;
const LAST = parseInstant('2199-12-30T23:59:59.999Z') ?? 0;

function readWith(reader: InstantReader, text: string): number | undefined {
  const bytes = Buffer.from(`,${text},9`);
  return reader.read(bytes, 1, bytes.length - 2);
}

const read = (text: string): number | undefined => readWith(new InstantReader(), text);
const twoDigits = (value: number): string => String(value).padStart(2, '0');

test.each([
  '2026-03-02T08:15:30.123Z',
  '2026-03-02T08:15:30Z',
  '2026-03-02T08:15Z',
  '2026-03-02T08:15:30.123+01:00',
  '2026-03-02T08:15:30-05:30',
  '2026-03-02T08:15+01:00',
  '2026-03-02T08:15:30.1Z',
  '2026-03-02T08:15:30.123456789Z',
  '2026-03-02T08:15:30+0100',
  '2026-03-02T08:15:30+23:59',
  '2024-02-29T23:59:59.999Z',
  '2000-02-29T00:00:00Z',
])('reads %s as the kernel does', (text) => {
  expect(parseInstant(text)).toBeDefined();
  expect(read(text)).toBe(parseInstant(text));
});

test.each([
  '',
  '2026-03-02',
  '2026-03-02T08:15:30',
  '2026-03-02 08:15:30Z',
  '2026-03-02T08:15:30z',
  '2026-02-29T08:15:30Z',
  '2100-02-29T08:15:30Z',
  '2026-04-31T08:15:30Z',
  '2026-13-01T08:15:30Z',
  '2026-00-10T08:15:30Z',
  '2026-03-00T08:15:30Z',
  '2026-03-02T24:00:00Z',
  '2026-03-02T08:60:00Z',
  '2026-03-02T08:15:60Z',
  '2026-03-02T08:15:30.Z',
  '2026-03-02T08:15:30.123Z ',
  ' 2026-03-02T08:15:30.123Z',
  '2026-03-02T08:15:30.123ZZ',
  '2026-03-02T08:15:30.123+01:000',
  '2026-03-02T08:15:30.123+01:60',
  '2026-03-02T08:15:30.12xZ',
  '2026-03-02T0x:15:30.123Z',
  '1969-12-31T23:59:59Z',
  '2200-01-01T00:00:00Z',
  '+002026-03-02T08:15:30Z',
  '1772439330',
  '٢٠٢٦-03-02T08:15:30Z',
  `2026-03-02T08:15:30.${'1'.repeat(1_000)}Z`,
])('refuses %j', (text) => {
  expect(read(text)).toBeUndefined();
});

test('reads any day and minute as the kernel does, even those that do not exist', () => {
  const reader = new InstantReader(); // keeps the day of the one before
  const offset = fc.constantFrom('Z', '+01:00', '-03:30', '+14:00', '+0100', '+24:00', '');
  const second = fc.constantFrom('', ':00', ':59', ':60', ':30.5', ':30.250', ':30.2501');
  const day = fc.tuple(fc.integer({ min: 1971, max: 2198 }), fc.nat(13), fc.nat(32));
  const minute = fc.tuple(fc.nat(25), fc.nat(61));
  fc.assert(
    fc.property(day, minute, second, offset, ([y, m, d], [hour, min], rest, zone) => {
      const text = `${y}-${twoDigits(m)}-${twoDigits(d)}T${twoDigits(hour)}:${twoDigits(min)}${rest}${zone}`;
      expect([text, readWith(reader, text)]).toEqual([text, parseInstant(text)]);
    }),
    { numRuns: 2_000 },
  );
});

test('reads any instant of the range from its usual form', () => {
  const reader = new InstantReader();
  fc.assert(
    fc.property(fc.integer({ min: FIRST, max: LAST }), (instant) => {
      expect(readWith(reader, new Date(instant).toISOString())).toBe(instant);
    }),
    { numRuns: 1_000 },
  );
});
