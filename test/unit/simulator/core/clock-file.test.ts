import { describe, expect, test } from '@jest/globals';
import { statePage } from '../../../../src/simulator/control/state-page';
import { clockWatch } from '../../../../src/simulator/core/clock-watch';
import { SimulatorClock } from '../../../../src/simulator/core/simulator-clock';
import { createSimulator, GATEWAY_PARTS, type Simulator } from '../../../../src/simulator/testing';
import { fixedClock, recordingLogger } from '../../../support/fakes';

// Goal: no content of CLOCK_FILE can damage a world, and each fault of it is reported once.
// Method: a clock in place of the file; the simulator advances as on its ticks.

const START = '2026-03-02T08:00:00.000Z';

function followed(startAt = START) {
  const base = { ...fixedClock(startAt), problem: undefined as string | undefined };
  const simulator: Simulator = createSimulator({
    clock: new SimulatorClock('file', base),
    seed: 1,
    timeZone: 'Africa/Tunis',
    holidays: [],
    ...GATEWAY_PARTS,
    operations: [],
    events: {},
    begin: () => undefined,
  });
  const look = async (): Promise<string> => {
    await simulator.catchUp();
    return new Date(simulator.simulation.now()).toISOString();
  };
  return { base, simulator, look };
}

describe('A clock file', () => {
  test('may jump a month ahead', async () => {
    const { base, simulator, look } = followed();
    base.set('2026-04-02T08:00:00Z');
    expect(await look()).toBe('2026-04-02T08:00:00.000Z');
    expect(simulator.clockProblem()).toBeUndefined();
  });

  test.each(['2500-01-01T00:00:00Z', '1969-12-31T00:00:00Z', '1970-01-01T00:00:00Z', '2190-01-01T00:00:01Z'])(
    'is ignored while it contains %s, and followed again afterwards',
    async (strange) => {
      const { base, simulator, look } = followed();
      base.set(strange);
      expect(await look()).toBe(START);
      expect(simulator.clockProblem()).toMatchObject({ kind: 'unusable' });
      base.set('2026-03-02T09:00:00Z');
      expect(await look()).toBe('2026-03-02T09:00:00.000Z');
      expect(simulator.clockProblem()).toBeUndefined();
    },
  );

  test('leaves the time unchanged when it goes back, and is reported as behind', async () => {
    const { base, simulator, look } = followed();
    base.set('2026-03-02T07:59:59Z');
    expect(await look()).toBe(START);
    expect(simulator.clockProblem()).toMatchObject({ kind: 'behind' });
    expect(statePage(simulator, '', 'http://localhost')).toContain(
      '2026-03-02T07:59:59.000Z is before the simulated time',
    );
  });

  test('is reported as unusable when it cannot be read', async () => {
    const { base, simulator, look } = followed();
    base.problem = 'CLOCK_FILE: it is gone';
    expect(await look()).toBe(START);
    expect(simulator.clockProblem()).toEqual({ kind: 'unusable', text: 'CLOCK_FILE: it is gone' });
  });

  test('is reported as unreadable when it is empty after an invalid time', async () => {
    const { base, simulator, look } = followed();
    base.set('2500-01-01T00:00:00Z');
    await look();
    base.problem = 'CLOCK_FILE: it is gone';
    expect(await look()).toBe(START);
    expect(simulator.clockProblem()?.text).toBe('CLOCK_FILE: it is gone');
  });

  test('is refused at the start with a time beyond the supported range', () => {
    expect(() => followed('2195-01-01T00:00:00Z')).toThrow(/^CLOCK_FILE: .*1970-01-02 to 2190-01-01/);
  });
});

describe('A warning of the clock file', () => {
  const unusable = (text: string) => ({ kind: 'unusable', text }) as const;

  test('is logged once for each problem, and again when it returns', () => {
    const logger = recordingLogger();
    const look = clockWatch(logger);
    const behind = { kind: 'behind', text: 'c' } as const;
    for (const problem of [unusable('a'), unusable('b'), undefined, behind, undefined, unusable('a')]) {
      for (let times = 0; times < 3; times += 1) look(problem);
    }
    expect(logger.entries.map(({ level, message, fields }) => [level, message, fields['event']])).toEqual([
      ['warn', 'a', 'simulator.clock_file_unusable'],
      ['warn', 'b', 'simulator.clock_file_unusable'],
      ['warn', 'c', 'simulator.clock_file_behind'],
      ['warn', 'a', 'simulator.clock_file_unusable'],
    ]);
  });

  test('is not logged while the file is being written', () => {
    const logger = recordingLogger();
    const look = clockWatch(logger);
    for (const problem of [undefined, unusable('a'), undefined, unusable('a'), undefined]) look(problem);
    expect(logger.entries).toEqual([]);
  });
});

test.each(['flowing', 'manual'] as const)('a %s clock does not start beyond the supported range', (mode) => {
  const make = (startAt: number) => () => new SimulatorClock(mode, fixedClock(START), startAt);
  expect(make(Date.UTC(2500, 0))).toThrow('startAt: expected an instant from 1970-01-02 to 2190-01-01');
  expect(make(Date.UTC(2026, 0))).not.toThrow();
});
