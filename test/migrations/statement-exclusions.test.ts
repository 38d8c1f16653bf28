// Goal: a statement that a version of before excluded stays excluded: the audit trail had its only record.
// Method: a database without the step, with rows as that version wrote them; then migrated.
import { expect, test } from '@jest/globals';
import { migrate, rowsOf } from '../../src/db';
import { silentLogger } from '../../src/logging';
import { openStatements } from '../../src/statements';
import { describeOnEachDialect, unmigratedDatabaseUrl } from '../support/db';
import { idOf, rowsOfFile } from '../support/statement-rows';
import { databaseUpTo } from './database-up-to';

describeOnEachDialect('statements that the version before excluded', (dialect) => {
  test('are excluded after the migration, also those that were excluded twice', async () => {
    const database = await databaseUpTo('20261123140000_transactions_by_date', await unmigratedDatabaseUrl(dialect));
    try {
      await database.transact(async (session) => {
        for (const name of ['A', 'B']) {
          for (const [table, row] of rowsOfFile(name, 'posted')) {
            if (table === 'bank_statements') await session(table).insert({ ...row, verdict: 'no-proof' });
            else if (table === 'statement_files' || table === 'statement_loads') await session(table).insert(row);
          }
        }
        await session('audit_records').insert([
          ...[excludedIn(1, 'A'), excludedIn(2, 'A')],
          { ...excludedIn(3, 'B'), action: 'statement.imported' },
        ]);
      });
      await migrate(database, silentLogger);
      const rows = await database.read((session) => rowsOf(session('statement_exclusions').select('*')));
      expect(rows).toEqual([
        { statement_id: idOf('SA'), excluded_at: 1, excluded_by: 'amal', reason: 'the days are in file 1' },
      ]);
      const found = await database.read((session) => openStatements(session).byIds([idOf('SA'), idOf('SB')]));
      const waiting = found.filter(({ isWaiting }) => isWaiting);
      expect(waiting.map(({ statement: { id } }) => id)).toEqual([idOf('SB')]);
    } finally {
      await database.close();
    }
  });
});

function excludedIn(place: number, name: string): Record<string, unknown> {
  return {
    ...{ id: String(place).padStart(26, '0'), at: place, actor_kind: 'api_key', actor_name: 'amal', key_id: null },
    ...{ action: 'statement.left_out', subject: `statement:${idOf(`S${name}`)}` },
    detail: JSON.stringify({ reason: `the days are in file ${place}` }),
  };
}
