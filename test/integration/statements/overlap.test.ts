// Goal: the same days in another format and with other references never count twice: they are refused, or on hold.
// Method: an account whose truth is known, imported in one format; then the same days, or some of them, in another.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { describeOnEachDatabase } from '../../support/db';
import { FAULT_LENGTH, FAULT_SEED, sized } from '../../support/faults';
import { randomFrom } from '../../support/random';
import { closingOf, cutAtDays, daysOf, lifeOf } from './set-of-lines/bank-life';
import { theBooks, truthOf } from './set-of-lines/the-books';
import { fileOf, WRITTEN_FORMATS } from './set-of-lines/write-statements';

const RUNS = sized({ short: 3, full: 8 }) * FAULT_LENGTH;
const referenceOf = (_line: unknown, index: number): string => `OTHER${index}`;

describeOnEachDatabase('the same days in another format', (harness) => {
  let accounts = 0;

  test('are refused as a duplicate or put on hold, and counted once', async () => {
    const books = theBooks(harness);
    const cases = fc.record({
      seed: fc.nat({ max: 1_000_000 }),
      days: fc.integer({ min: 1, max: 5 }),
      formats: fc.shuffledSubarray([...WRITTEN_FORMATS], { minLength: 2, maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ seed, days, formats }) => {
        const [first = 'csv', second = 'mt940'] = formats;
        const random = randomFrom(seed);
        const life = lifeOf({ seed, days, account: `0900400${String((accounts += 1)).padStart(13, '0')}` });
        for (const slice of cutAtDays(life, random)) {
          if (slice.end > slice.start) await books.import(fileOf(first, [slice]));
        }
        const from = random.below(days);
        const [firstDay, lastDay] = [life.days[from], life.days.at(-1)];
        if (firstDay === undefined || lastDay === undefined) throw new Error('a life has days');
        const again = daysOf(life, firstDay, lastDay);
        const told = await books.offer(fileOf(second, [again], { referenceOf }));

        expect(await books.linesOf(life.account)).toEqual(truthOf(life));
        expect(await books.bankBalance(life.account)).toBe(closingOf(life));
        const kinds = (await books.openBreaks(life.account)).map(({ kind }) => kind);
        expect(kinds).toEqual(told === 'duplicate' ? [] : ['overlap']);
      }),
      { numRuns: RUNS, seed: FAULT_SEED },
    );
    expect(await books.broken()).toEqual([]);
  });
});
