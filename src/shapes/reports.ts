import { z } from 'zod';

/** A report as `millime report` prints it: facts, then one list for each table. */
export const reportDocument = z.record(z.string(), z.unknown()).meta({
  id: 'Report',
  description:
    'The JSON of a report: the cut-off (`asOf`, `knownAt`), `proven` if the report has a proof, and one list ' +
    'for each table. Sums are integers while they are safe, otherwise strings of digits.',
});

/** What a check of the ledger found. */
export const booksVerdict = z
  .strictObject({
    invariants: z.int().meta({ description: 'The number of checked invariants.' }),
    broken: z
      .array(z.strictObject({ name: z.string(), rows: z.array(z.unknown()) }))
      .meta({ description: 'Empty if all hold.' }),
  })
  .meta({ id: 'LedgerVerdict' });

export type BooksVerdict = z.input<typeof booksVerdict>;
