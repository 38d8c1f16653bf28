// Goal: what the version before had matched is matched after the migration, by the same lines and items, once.
// Method: a database without the two last steps of the matches, with rows as that version wrote them; then migrated.
import { expect, test } from '@jest/globals';
import { migrate, rowsOf } from '../../src/db';
import { silentLogger } from '../../src/logging';
import { describeOnEachDialect, unmigratedDatabaseUrl } from '../support/db';
import { databaseUpTo } from './database-up-to';

const LAST_OF_BEFORE = '20261121130200_guard_statements';
const LINE = '0'.repeat(25) + 'A';
const RUN = '0'.repeat(25) + 'B';
const TRANSACTION = '0'.repeat(25) + 'C';
/** More than one page of the copy. */
const ITEMS = 130;

describeOnEachDialect('matches of the previous version', (dialect) => {
  test('are current after the migration, with all their rows', async () => {
    const database = await databaseUpTo(LAST_OF_BEFORE, await unmigratedDatabaseUrl(dialect));
    try {
      await database.transact(async (session) => {
        await session('recon_matches').insert({
          line_id: LINE,
          run_id: RUN,
          model: 'sweep-all',
          evidence: 'inferred_by_cut',
          gross_millimes: ITEMS,
          cut_after: 1,
          cut_until: 2,
          ledger_transaction_id: TRANSACTION,
          recorded_at: 3,
        });
        await session('recon_match_items').insert(
          Array.from({ length: ITEMS }, (_, index) => ({
            item_id: `service:${index}`,
            line_id: LINE,
            amount_millimes: 1,
          })),
        );
      });
      await migrate(database, silentLogger);
      const rowsIn = (table: string) => database.read((session) => rowsOf(session(table).select('*')));
      expect(await rowsIn('payout_matches')).toEqual([
        expect.objectContaining({ id: LINE, line_id: LINE, run_id: RUN, kind: 'inferred', gross_millimes: ITEMS }),
      ]);
      expect(await rowsIn('payout_claimed_lines')).toEqual([{ line_id: LINE, match_id: LINE }]);
      for (const table of ['payout_match_items', 'payout_claimed_items']) {
        const rows = await rowsIn(table);
        expect(new Set(rows.map((row) => row['item_id'])).size).toBe(ITEMS);
        expect(rows.every((row) => row['match_id'] === LINE)).toBe(true);
      }
      expect(await database.pool.schema.hasTable('old_recon_matches')).toBe(false);
    } finally {
      await database.close();
    }
  });
});
