import { describe, expect, test } from '@jest/globals';
import { countOfAddress, waitAfterFailures, waitOfAddress } from '../../../src/identity/sessions/slow-down';

const NOW = 1_772_000_000_000;
const MINUTE = 60_000;

describe('the wait after failures', () => {
  const waits = (tries: number, elapsed = 0): number => waitAfterFailures({ tries, countedAt: NOW }, NOW + elapsed);

  test('is none before the fifth, then one second, and doubles to fifteen minutes', () => {
    expect([0, 1, 4].map((tries) => waits(tries))).toEqual([0, 0, 0]);
    expect([5, 6, 7, 14].map((tries) => waits(tries))).toEqual([1_000, 2_000, 4_000, 512_000]);
    expect([15, 16, 1_000_000].map((tries) => waits(tries))).toEqual([15 * MINUTE, 15 * MINUTE, 15 * MINUTE]);
  });

  test('ends exactly', () => {
    expect(waits(6, 1_999)).toBe(1);
    expect(waits(6, 2_000)).toBe(0);
    expect(waits(6, 9_999_999)).toBe(0);
  });
});

describe('the tries of an address', () => {
  test('are twenty in a window of a minute', () => {
    let counted = { tries: 0, countedAt: NOW - 10 * MINUTE };
    for (let index = 0; index < 20; index += 1) {
      expect(waitOfAddress(counted, NOW + index)).toBe(0);
      counted = countOfAddress(counted, NOW + index);
    }
    expect(counted).toEqual({ tries: 20, countedAt: NOW });
    expect(waitOfAddress(counted, NOW + 1)).toBe(MINUTE - 1);
    expect(waitOfAddress(counted, NOW + MINUTE)).toBe(0);
    expect(countOfAddress(counted, NOW + MINUTE)).toEqual({ tries: 1, countedAt: NOW + MINUTE });
  });
});
