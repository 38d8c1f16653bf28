// Goal: the simulation detects a planted fault of the money paths.
// Method: each mutant changes one text in one file of src/, and histories run with it until one fails. A fault run tries
// all of them: npm run test:faults -- --only seeded-mutants. A mutant that is missed has its reason in the list.
import { describe, expect, test } from '@jest/globals';
import { FAULT_SEED, recordFault, sized } from '../../../support/faults';
import { hunt } from './hunt';
import { placeOf, SEEDED_MUTANTS } from './seeded-mutants';

/** One of each sort that a few histories detect. */
const QUICK = ['a confirm is posted the wrong way round', 'a failed transaction is committed as far as it came'];
const [HISTORIES, TRIED] = sized({
  short: [40, SEEDED_MUTANTS.filter(({ name }) => QUICK.includes(name))],
  full: [250, SEEDED_MUTANTS],
});
const LIMIT_MS = 900_000;

describe('seeded mutants', () => {
  test('replace a text that their file has exactly once', () => {
    for (const mutant of SEEDED_MUTANTS) {
      expect([mutant.name, placeOf(mutant)]).toEqual([mutant.name, expect.any(Number)]);
    }
    expect(QUICK.length).toBeLessThanOrEqual(TRIED.length);
  });

  test(
    'are all that makes the histories fail',
    async () => {
      expect(await hunt(undefined, HISTORIES, FAULT_SEED)).toBeUndefined();
    },
    LIMIT_MS,
  );

  test.each(TRIED)(
    'are detected: $name',
    async (mutant) => {
      const startedAt = performance.now();
      const found = await hunt(mutant, HISTORIES, FAULT_SEED);
      const seen = found === undefined ? 'MISSED' : `seen after ${found.histories} by ${found.seenBy}`;
      recordFault({
        ...{ fault: 'seeded-mutants', what: `${mutant.kind}: ${mutant.name}: ${seen}`, database: 'sqlite' },
        ...{ rounds: found?.histories ?? HISTORIES, acknowledged: Number(found !== undefined) },
        ...{ lost: Number(found === undefined), doubled: 0, longestMs: performance.now() - startedAt },
      });
      if (mutant.missed === undefined) expect(found).toBeDefined();
    },
    LIMIT_MS,
  );
});
