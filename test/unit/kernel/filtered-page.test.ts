// Goal: a page of a filtered list examines a bounded number of rows, and walking the pages returns each kept row once.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { filteredPage, type Page } from '../../../src/kernel';

/** Reads a page of the numbers from 1 to `length` that a divisor keeps, and counts what it examines. */
async function pageOfNumbers(
  { length, divisor, limit }: { readonly length: number; readonly divisor: number; readonly limit: number },
  after: number | undefined,
): Promise<Page<number, number> & { readonly examined: number }> {
  let examined = 0;
  const page = await filteredPage<number, number, number>({
    limit,
    after,
    examinedMax: 300,
    read: (last = 0, count) => {
      const found = Array.from({ length: Math.min(count, length - last) }, (_, index) => last + index + 1);
      examined += found.length;
      return Promise.resolve(found);
    },
    keep: (found) => Promise.resolve(found.filter((each) => each % divisor === 0)),
    keyOf: (each) => each,
  });
  return { ...page, examined };
}

test('filteredPage returns each kept row once and examines at most the given number of rows for a page', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(1_200),
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 1, max: 60 }),
      async (...list) => {
        const [length, divisor, limit] = list;
        const found: number[] = [];
        let after: number | undefined;
        do {
          const page = await pageOfNumbers({ length, divisor, limit }, after);
          expect(page.examined).toBeLessThanOrEqual(300);
          expect(page.rows.length).toBeLessThanOrEqual(limit);
          found.push(...page.rows);
          after = page.next;
        } while (after !== undefined);
        expect(found).toEqual(
          Array.from({ length: Math.floor(length / divisor) }, (_, index) => (index + 1) * divisor),
        );
      },
    ),
  );
});

test('filteredPage reads one row more than asked for where every row fits, and no page follows the last row', async () => {
  expect(await pageOfNumbers({ length: 50, divisor: 1, limit: 10 }, 20)).toMatchObject({ next: 30, examined: 11 });
  expect(await pageOfNumbers({ length: 30, divisor: 1, limit: 10 }, 20)).toMatchObject({ next: undefined });
});
