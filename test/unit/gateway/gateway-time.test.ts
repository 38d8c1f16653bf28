import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeTime } from '../../../src/gateway/codec/gateway-time';
import { businessCalendar, formatInstant } from '../../../src/kernel';

const tunis = businessCalendar('Africa/Tunis');
const paris = businessCalendar('Europe/Paris');

describe('the timestamps of the gateway', () => {
  test.each([
    ['2026-03-02T08:00:00Z', '2026-03-02T08:00:00.000Z'],
    ['2026-03-02T09:00:00+01:00', '2026-03-02T08:00:00.000Z'],
    ['2026-03-02T09:00:00+0100', '2026-03-02T08:00:00.000Z'],
    ['2026-03-02T09:00:00+01', '2026-03-02T08:00:00.000Z'],
    ['2026-03-02 08:00:00Z', '2026-03-02T08:00:00.000Z'],
    ['2026-03-02T08:00Z', '2026-03-02T08:00:00.000Z'],
    ['2026-03-02T08:00:00.5Z', '2026-03-02T08:00:00.500Z'],
    ['2026-03-02T08:00:00.123456789+00:00', '2026-03-02T08:00:00.123Z'],
    ['2026-03-01T23:30:00-02:30', '2026-03-02T02:00:00.000Z'],
    ['2028-02-29T00:00:00+14:00', '2028-02-28T10:00:00.000Z'],
  ])('%s is %s', (written, text) => {
    expect(decodeTime(written, tunis)).toEqual({ text, assumedOffset: false });
  });

  test.each([
    ['2026-03-02T09:00:00', '2026-03-02T08:00:00.000Z'],
    ['2026-03-02 09:00:00', '2026-03-02T08:00:00.000Z'],
    ['2026-03-02 09:00', '2026-03-02T08:00:00.000Z'],
    ['2026-03-02T09:00:00.123456', '2026-03-02T08:00:00.123Z'],
    ['2026-01-01T00:30:00', '2025-12-31T23:30:00.000Z'],
  ])('%s without an offset is read in the time zone and marked as local: %s', (written, text) => {
    expect(decodeTime(written, tunis)).toEqual({ text, assumedOffset: true });
  });

  test('a local time is read with the offset of its own day, on both sides of a clock change', () => {
    expect(decodeTime('2026-03-29T01:59:59', paris)?.text).toBe('2026-03-29T00:59:59.000Z');
    expect(decodeTime('2026-03-29T03:00:00', paris)?.text).toBe('2026-03-29T01:00:00.000Z');
    expect(decodeTime('2026-10-25T01:59:59', paris)?.text).toBe('2026-10-24T23:59:59.000Z');
    expect(decodeTime('2026-10-25T03:00:00', paris)?.text).toBe('2026-10-25T02:00:00.000Z');
  });

  test.each([
    '',
    '2026-03-02',
    '2026-02-30T08:00:00Z',
    '2026-02-29T08:00:00',
    '2026-13-01T08:00:00Z',
    '2026-00-10T08:00:00Z',
    '2026-03-02T24:00:00Z',
    '2026-03-02T24:61:00Z',
    '2026-03-02T08:60:00Z',
    '2026-03-02T08:00:60Z',
    '2026-03-02T08Z',
    '2026-03-02T8:00:00Z',
    '2026-3-2T08:00:00Z',
    '26-03-02T08:00:00Z',
    '+002026-03-02T08:00:00Z',
    '1969-12-31T08:00:00Z',
    '2200-01-01T08:00:00Z',
    '2026-03-02T08:00:00.Z',
    '2026-03-02T08:00:00.1234567890Z',
    '2026-03-02T08:00:00,5Z',
    '2026-03-02T08:00:00+24:00',
    '2026-03-02T08:00:00+01:60',
    '2026-03-02T08:00:00+1',
    '2026-03-02T08:00:00 +01:00',
    '2026-03-02T08:00:00z',
    '2026-03-02  08:00:00Z',
    ' 2026-03-02T08:00:00Z',
    '2026-03-02T08:00:00Z\n',
    '20260302T080000Z',
    'Mon, 02 Mar 2026 08:00:00 GMT',
    '1772438400',
    'now',
  ])('%p is refused', (written) => {
    expect(decodeTime(written, tunis)).toBeUndefined();
  });

  test.each([[undefined], [null], [1_772_438_400], [true], [{}], [['2026-03-02T08:00:00Z']]])(
    '%p is not a text and is refused',
    (value) => {
      expect(decodeTime(value, tunis)).toBeUndefined();
    },
  );

  test('every instant is read back from its UTC form and from its local form', () => {
    fc.assert(
      fc.property(fc.integer({ min: 86_400_000, max: 7_258_031_999_999 }), (instant) => {
        const text = formatInstant(instant);
        const whole = formatInstant(Math.floor(instant / 1_000) * 1_000);
        expect(decodeTime(text, tunis)).toEqual({ text, assumedOffset: false });
        expect(decodeTime(businessCalendar('UTC').formatLocal(instant), businessCalendar('UTC'))).toEqual({
          text: whole,
          assumedOffset: true,
        });
      }),
    );
  });

  test('any text is refused or read as a time in UTC', () => {
    const near = fc.stringMatching(/^[0-9:.TZ +-]{10,35}$/);
    fc.assert(
      fc.property(fc.oneof(fc.string(), near), (written) => {
        const time = decodeTime(written, tunis);
        if (time !== undefined) expect(time.text).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
      }),
    );
  });
});
