// Goal: agents of the version before are found by their words after the migration, also if it was killed in the middle.
// Method: a database without the step, with agents as that version wrote them; then migrated, damaged, migrated again.
import { expect, test } from '@jest/globals';
import { createAgents } from '../../src/agents';
import { type Database, migrate, rowsOf } from '../../src/db';
import { systemClock } from '../../src/kernel';
import { silentLogger } from '../../src/logging';
import { describeOnEachDialect, unmigratedDatabaseUrl } from '../support/db';
import { databaseUpTo } from './database-up-to';

const STEP = '20261126100000_agent_search_words';
/** More than two pages of the step. */
const AGENTS = 250;

const rowOf = (index: number): Record<string, unknown> => ({
  agent_id: `A${index}`,
  full_name: `Sélma Number${index} الطرابلسي`,
  phone: `+216 2${String(index).padStart(7, '0')}`,
  ...{ status: 'open', created_at: 1, updated_at: 1, closed_at: null, recorded_by: 'before', erased_at: null },
});
const ERASED = { full_name: 'erased', phone: '', status: 'closed', erased_at: 1 };

function words(database: Database): Promise<unknown[]> {
  return database.read((session) => rowsOf(session('agent_search_words').select('*').orderBy(['agent_id', 'word'])));
}

describeOnEachDialect('agents of the version before', (dialect) => {
  test('are found after the migration, whether it ran once or was interrupted', async () => {
    const database = await databaseUpTo('20261123180000_erased_agents', await unmigratedDatabaseUrl(dialect));
    try {
      const rows = [...Array.from({ length: AGENTS }, (_, index) => rowOf(index)), { ...rowOf(AGENTS), ...ERASED }];
      await database.transact((session) => session.insert([{ table: 'agents', rows }]));
      await migrate(database, silentLogger);
      const whole = await words(database);
      expect(whole).toHaveLength(AGENTS * 5);

      const agents = createAgents({ database, clock: systemClock });
      const found = async (text: string): Promise<string[]> =>
        (await agents.search(text, 10)).agents.map(({ agentId }) => agentId);
      expect(await found('selma number249')).toEqual(['A249']);
      expect(await found('number17 طرابلسى')).toContain('A17');
      expect(await found('20000123')).toEqual(['A123']);
      expect(await found('erased')).toEqual([]);

      await database.transact(async (session) => {
        await session('agent_search_words').where('agent_id', '>', 'A17').where('word', '>', 'o').delete();
        await session('schema_migrations').where('name', STEP).delete();
      });
      expect((await words(database)).length).toBeLessThan(whole.length);
      expect(await migrate(database, silentLogger)).toEqual([STEP]);
      expect(await words(database)).toEqual(whole);
    } finally {
      await database.close();
    }
  });
});
