import { describe, expect, test } from '@jest/globals';
import { decodeSavedState, savedStateText } from '../../../../src/simulator';
import { aSimulator, passTime } from '../../../support/a-simulator';

const DAY_MS = 86_400_000;

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
