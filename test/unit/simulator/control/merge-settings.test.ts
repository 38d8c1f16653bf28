import { describe, expect, test } from '@jest/globals';
import { mergeSettings } from '../../../../src/simulator';
import { settingsJson } from '../../../../src/simulator/control/settings-json';
import { decodeSettings } from '../../../../src/simulator/testing';

describe('A change of settings', () => {
  test('replaces only the named fields, and lists as a whole', () => {
    const current = { a: { b: 1, c: [1, 2] }, d: 'x' };
    expect(mergeSettings(current, { a: { c: [3] } })).toEqual({ a: { b: 1, c: [3] }, d: 'x' });
    expect(current).toEqual({ a: { b: 1, c: [1, 2] }, d: 'x' });
  });

  test('can set null', () => {
    expect(mergeSettings({ verify: { perMinute: 60 } }, { verify: { perMinute: null } })).toEqual({
      verify: { perMinute: null },
    });
  });

  test('keeps unknown names, so that they can be refused', () => {
    const merged = mergeSettings(decodeSettings({}), JSON.parse('{"__proto__":{"isTest":true},"constructor":1}'));
    expect(Object.keys(Object(merged))).toEqual(expect.arrayContaining(['__proto__', 'constructor']));
    expect(() => decodeSettings(merged)).toThrow('settings: cannot be used');
  });

  test('accepts the settings as they are shown, fees in the format of their file', () => {
    const fee = { channel: 'card', rate_ppm: 15_000, fixed_millimes: 100, tva_ppm: 190_000, rounding: 'half_up' };
    const fees = [
      { ...fee, basis: 'item', from: '2026-03-01' },
      { ...fee, basis: 'payout' },
    ];
    const settings = decodeSettings({ payouts: { fees, minimumMillimes: 5 }, webhookFaults: { lostPpm: 3 } });
    const shown: unknown = JSON.parse(JSON.stringify(settingsJson(settings)));
    expect(shown).toMatchObject({ payouts: { fees } });
    expect(decodeSettings(mergeSettings(shown, {}))).toEqual(settings);
  });
});
