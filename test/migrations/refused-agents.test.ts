// Goal: refused calls of before are found by the agent that their body names; a body that names none stays as it is.
import { expect, test } from '@jest/globals';
import { migrate, rowsOf } from '../../src/db';
import { silentLogger } from '../../src/logging';
import { describeOnEachDialect, unmigratedDatabaseUrl } from '../support/db';
import { databaseUpTo } from './database-up-to';

const BODIES: readonly (readonly [string, string | null])[] = [
  ['{"transactionId":"T1","agentId":"004711","amount":5}', '004711'],
  ['{"agentId":4711}', null],
  ['{"agentId":" 4711"}', null],
  ['{"agentId":""}', null],
  ['{"amount":5}', null],
  ['null', null],
  ['{"agentId":"004711","transactionId":"xxx… (9000 bytes)', null],
];

describeOnEachDialect('refused confirms of the version before', (dialect) => {
  test('have the agent of their body after the migration', async () => {
    const database = await databaseUpTo('20261126100000_agent_search_words', await unmigratedDatabaseUrl(dialect));
    try {
      const rows = BODIES.map(([body], index) => ({
        id: String(index).padStart(26, '0'),
        fingerprint: String(index).padStart(64, '0'),
        ...{ kind: 'unknown_agent', transaction_id: null, raw_body: body, first_at: 1, last_at: 1, times: 1 },
        ...{ last_attempt_id: '0'.repeat(26), token_sub: 's', token_jti: 'j' },
      }));
      await database.transact((session) => session.insert([{ table: 'confirm_refusals', rows }]));
      await migrate(database, silentLogger);
      const after = await database.read((session) =>
        rowsOf(session('confirm_refusals').select('raw_body', 'agent_id').orderBy('id')),
      );
      expect(after.map((row) => [row['raw_body'], row['agent_id']])).toEqual(BODIES);
    } finally {
      await database.close();
    }
  });
});
