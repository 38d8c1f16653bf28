import { describe, expect, test } from '@jest/globals';
import { chooseHost, type HostRecord, RETURN_AFTER_MS } from '../../../src/db/choose-host';
import type { HostHealth } from '../../../src/db/judge-connection';

const NOW = 1_000_000;
const ALWAYS = Number.NEGATIVE_INFINITY;

/** `well` was never otherwise; `well 3` has been well for 3 s. */
const hosts = (...states: readonly string[]): HostRecord[] =>
  states.map((state) => {
    const [health, seconds] = state.split(' ');
    if (health === 'unknown') return { health: undefined };
    const wellSince = seconds === undefined ? ALWAYS : NOW - Number(seconds) * 1_000;
    return { health: health as HostHealth, wellSince: health === 'well' ? wellSince : undefined };
  });

describe('chooseHost', () => {
  test.each<[readonly string[], number | undefined, number | undefined]>([
    // At the start: the preferred of the best.
    [['well', 'well', 'well'], undefined, 0],
    [['unknown', 'unknown', 'unknown'], undefined, 0],
    [['unknown', 'well', 'well'], undefined, 1],
    [['lost', 'well', 'well'], undefined, 1],
    [['limited', 'silent', 'well'], undefined, 2],
    // The writer is left when it is not well and another one is better.
    [['lost', 'well', 'well'], 0, 1],
    [['silent', 'well', 'well'], 0, 1],
    [['limited', 'lost', 'well 1'], 0, 2],
    [['behind', 'well', 'well'], 0, 1],
    // Nothing better exists.
    [['silent', 'silent', 'lost'], 1, 1],
    [['limited', 'limited', 'lost'], 1, 1],
    [['silent', 'limited', 'lost'], 0, 1],
    [['behind', 'lost', 'lost'], 0, 0],
    [['limited', 'limited', 'lost'], undefined, 0],
    [['lost', 'lost', 'lost'], 0, undefined],
    [['lost', 'lost', 'lost'], undefined, undefined],
    // Only a preferred host that has been well for long is worth a change.
    [['well 1', 'well', 'well'], 1, 1],
    [['well 9', 'well', 'well'], 1, 1],
    [['well 10', 'well', 'well'], 1, 0],
    [['well', 'well', 'well'], 2, 0],
    [['well 1', 'well 30', 'well'], 2, 1],
    [['well', 'well', 'well'], 1, 0],
    [['well', 'well', 'well'], 0, 0],
    [['lost', 'well', 'well'], 1, 1],
    // After the writer was lost, a host that has been well only shortly is used.
    [['well 1', 'lost', 'lost'], 1, 0],
  ])('F28: of %p, coming from %p, chooses %p', (states, current, chosen) => {
    expect(chooseHost(hosts(...states), current, NOW)).toBe(chosen);
  });

  test('F28: leads processes that saw different hosts fail to the same host', () => {
    const later = NOW + RETURN_AFTER_MS;
    const seen = hosts('well 0', 'well 3', 'well');
    expect([0, 1, 2, undefined].map((current) => chooseHost(seen, current, later))).toEqual([0, 0, 0, 0]);
  });
});
