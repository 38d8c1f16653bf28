import type { MigrationTools } from '../src/db';

/** The words by which agents are found. A search reads the index and never the whole table of agents. */
export async function up({ createTable, deriveRows, searchWordsOf }: MigrationTools): Promise<void> {
  await createTable('agent_search_words', (t) => {
    t.word('word').notNullable();
    t.outsideId('agent_id').notNullable();
    t.keys.primary(['word', 'agent_id']);
    t.keys.index(['agent_id', 'word'], 'agent_search_words_agent');
  });
  await deriveRows('agents', 'agent_search_words', {
    id: 'agent_id',
    from: ['full_name', 'phone', 'erased_at'],
    derive: (agent) =>
      agent['erased_at'] === null
        ? searchWordsOf(String(agent['full_name']), String(agent['phone'])).map((word) => ({
            word,
            agent_id: agent['agent_id'],
          }))
        : [],
  });
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  await dropTable('agent_search_words');
}
