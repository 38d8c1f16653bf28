import { describe, expect, test } from '@jest/globals';
import { DAY_MS } from '../../../../src/kernel';
import { decodeSavedState, mergeSettings, savedStateText } from '../../../../src/simulator';
import { settingsJson } from '../../../../src/simulator/control/settings-json';
import { decodeSettings } from '../../../../src/simulator/testing';
import { aSimulator, passTime } from '../../../support/a-simulator';

function saved(): { settings: object; world: Record<string, unknown> } {
  return JSON.parse(savedStateText(aSimulator())) as { settings: object; world: Record<string, unknown> };
}

function faultOf(value: unknown): string {
  try {
    decodeSavedState(value);
    return 'none';
  } catch (error) {
    return (error as { details?: string[] }).details?.join() ?? String(error);
  }
}

describe('A saved state', () => {
  test('decodes to the state that was written', () => {
    const state = saved();
    expect(decodeSavedState(state)).toEqual(state);
  });

  test.each([
    ['a list', [], 'expected a JSON object'],
    ['nothing', null, 'expected a JSON object'],
    ['a world by itself', saved().world, 'world: expected an object'],
    ['a world that lacks a part', { world: { ...saved().world, qr: undefined } }, 'world.qr: expected an object'],
    ['a world of another kind', { world: { ...saved().world, trace: {} } }, 'world.trace: expected a list'],
    ['a world with something more', { world: { ...saved().world, more: 1 } }, 'world.more: unknown field'],
    ['a state with something more', { ...saved(), more: 1 }, 'more: unknown field'],
    ['a state without settings', { world: saved().world }, 'settings: expected an object'],
    ['a state with settings that are none', { ...saved(), settings: [] }, 'settings: expected an object'],
    [
      'a time that calendars do not have',
      { ...saved(), world: { ...saved().world, now: 1e15 } },
      'world.now: expected an instant from 1970-01-02 to 2190-01-01',
    ],
  ])('%s is refused', (_what, value, fault) => {
    expect(faultOf(value)).toBe(fault);
  });

  test('is refused with an unusable state of the random generator', () => {
    expect(faultOf({ ...saved(), world: { ...saved().world, randomState: 'x' } })).not.toBe('none');
  });

  test('continues as the simulator that saved it', async () => {
    const first = aSimulator();
    first.simulation.newUuid();
    await passTime(first, DAY_MS);
    const second = aSimulator({ seed: 99 });
    await second.load(decodeSavedState(JSON.parse(savedStateText(first))).world);

    await passTime(first, 3 * DAY_MS);
    await passTime(second, 3 * DAY_MS);
    expect(second.simulation.newUuid()).toBe(first.simulation.newUuid());
    expect(savedStateText(second)).toBe(savedStateText(first));
  });

  test('restarts at the first instant with the same or another seed', async () => {
    const simulator = aSimulator();
    const start = savedStateText(simulator);
    const uuid = simulator.simulation.newUuid();
    await passTime(simulator, DAY_MS);

    await simulator.restart();
    expect(savedStateText(simulator)).toBe(start);
    expect(simulator.simulation.newUuid()).toBe(uuid);
    await simulator.restart(8);
    expect(simulator.simulation.newUuid()).not.toBe(uuid);
    expect(simulator.simulation.world.seed).toBe(8);
  });
});

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
