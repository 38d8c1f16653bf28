import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { hasRocaFingerprint } from '../../../src/service-tokens/roca';
import { firstPrimes, modulusOf, ordinaryModulus, rocaKeyPair } from './roca-key';

describe('S31: hasRocaFingerprint', () => {
  test('recognizes keys of a faulty chip', () => {
    for (let round = 0; round < 3; round += 1) {
      expect(hasRocaFingerprint(modulusOf(rocaKeyPair().publicKey))).toBe(true);
    }
  });

  test('recognizes the smallest such number, and not its neighbor', () => {
    expect(hasRocaFingerprint(65_537n)).toBe(true);
    expect(hasRocaFingerprint(65_539n)).toBe(false);
  });

  test('accepts ordinary keys', () => {
    for (let round = 0; round < 3; round += 1) expect(hasRocaFingerprint(ordinaryModulus())).toBe(false);
  });

  test('accepts every one of 20,000 random odd numbers of 2,048 bits', () => {
    const flagged = Array.from({ length: 20_000 }, () => BigInt(`0x${randomBytes(256).toString('hex')}`) | 1n).filter(
      hasRocaFingerprint,
    );
    expect(flagged).toEqual([]);
  });

  // Each remainder alone is a power of 65537, but not with one exponent.
  test('accepts a number whose exponents contradict each other', () => {
    const [, ...odd] = firstPrimes(39);
    const product = odd.reduce((all, prime) => all * BigInt(prime), 1n);
    const number = odd.reduce((sum, prime, index) => {
      const others = product / BigInt(prime);
      const remainder = 65_537n ** BigInt(index) % BigInt(prime);
      let factor = 0n;
      while ((others * factor) % BigInt(prime) !== remainder) factor += 1n;
      return sum + others * factor;
    }, 0n);
    expect(odd.every((prime, index) => number % BigInt(prime) === 65_537n ** BigInt(index) % BigInt(prime))).toBe(true);
    expect(hasRocaFingerprint(number)).toBe(false);
  });
});
