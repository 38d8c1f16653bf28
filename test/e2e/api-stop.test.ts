import { expect, test } from '@jest/globals';
import { describeOnMariaDb, freshDatabase, rawConnection } from '../support/db';
import { Installation } from './support/installation';
import { countRows, selectRows } from './support/tables';
import { until } from './support/until';

// Goal: a process that is told to stop answers each long operation, although one of them does not end.
// Method: the test locks the table that an import reads first, so the import waits in its thread; another one waits for
// its place.

const LIMIT_MS = 120_000;

describeOnMariaDb('a stop during a long operation', () => {
  test(
    'answers what waits immediately, and what runs before the connection is closed',
    async () => {
      const millime = new Installation((await freshDatabase('mariadb')).url, { clock: '2026-03-06T10:00:00.000Z' });
      const { key } = await millime.json<{ key: string }>(['keys', 'create', '--name', 'salma', '--scopes', 'all']);
      const service = await millime.serve({ role: 'http' });
      const answers: string[] = [];
      const importDues = async (name: string): Promise<unknown> => {
        const answer = await fetch(`${service.baseUrl}/api/v1/due-imports`, {
          ...{ method: 'POST', body: 'reference,agent_id,amount_millimes,due_date,memo\nD-1,A-1,1000,2026-03-01,\n' },
          headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'text/csv', 'Idempotency-Key': name },
        });
        answers.push(name);
        const { code } = (await answer.json()) as { code: string };
        return [answer.status, answer.headers.get('retry-after'), code];
      };
      const admin = await rawConnection(millime.url);
      try {
        await admin.query('lock tables dues write');
        const running = importDues('running');
        const isStopped = "state like 'Waiting for table%' and db = database()";
        await until('the import waits for the table', async () => {
          return (await selectRows(millime.url, `select id from information_schema.processlist where ${isStopped}`))[0];
        });
        const waiting = importDues('waiting');
        await until('the other one waits', async () => (await countRows(millime.url, 'idempotency_keys')) === 2);
        service.signal('SIGTERM');
        expect(await waiting).toEqual([503, '5', 'draining']);
        expect(await running).toEqual([503, '5', 'draining']);
        expect(answers).toEqual(['waiting', 'running']);
        expect(await service.exited).toEqual({ code: 0, signal: null });
      } finally {
        await admin.end();
      }
      // Only the key of the one that began is still taken.
      expect(await selectRows(millime.url, 'select idempotency_key from idempotency_keys')).toEqual([
        { idempotency_key: 'running' },
      ]);
    },
    LIMIT_MS,
  );
});
