import { expect, test } from '@jest/globals';
import { describeOnEachDialect, freshDatabase } from '../support/db';
import { Installation } from './support/installation';

// Goal: long operations of the API run in threads of the service, with the answers of the command line.

const LIMIT_MS = 240_000;

describeOnEachDialect('a long operation of the API', (dialect) => {
  test(
    'answers like the command line, refuses like it, and does not delay a confirm',
    async () => {
      const { url } = await freshDatabase(dialect);
      const installation = new Installation(url, { clock: '2026-03-06T10:00:00.000Z' });
      await installation.seedAgents(['A-1'], 10_000);
      const token = await installation.token();
      const { key } = await installation.json<{ key: string }>([
        ...['keys', 'create', '--name', 'salma', '--scopes', 'all'],
      ]);
      const server = await installation.serve();
      const call = async (path: string, body?: unknown): Promise<{ status: number; body: unknown }> => {
        const answer = await fetch(`${server.baseUrl}${path}`, {
          method: body === undefined ? 'GET' : 'POST',
          headers: {
            Authorization: `Bearer ${path.startsWith('/service') ? token : key}`,
            'Content-Type': 'application/json',
            'Idempotency-Key': path,
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        return { status: answer.status, body: await answer.json() };
      };

      const importFile = async (path: string, content: string): Promise<unknown> => {
        const answer = await fetch(`${server.baseUrl}/api/v1/${path}`, {
          ...{ method: 'POST', body: content },
          headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'text/csv', 'Idempotency-Key': path },
        });
        return { status: answer.status, body: await answer.json() };
      };

      const agents = Array.from({ length: 3_000 }, (_, index) => `B-${index},Nour ${index},`);
      const imported = await importFile('agent-imports', ['agent_id,full_name,phone', ...agents].join('\n'));
      expect(imported).toMatchObject({ status: 200, body: { added: 3_000, dryRun: false } });
      const head = 'reference,agent_id,amount_millimes,due_date,memo';
      const faulty = await importFile('due-imports', [head, ...agents.map(() => 'x,,,,')].join('\n'));
      const details = expect.arrayContaining([{ detail: 'line 2: agent_id: is empty' }]);
      expect(faulty).toMatchObject({ status: 422, body: { errorCount: 3 * 3_000 + 2_999, errors: details } });
      const verified = call('/api/v1/ledger/verification', {});
      const confirmed = await call('/service/confirm', { transactionId: 'T-1', agentId: 'A-1', amount: 4_000 });
      expect(confirmed).toEqual({ status: 200, body: { code: '0' } });
      expect(await verified).toMatchObject({ status: 200, body: { broken: [] } });
      const daily = await call('/api/v1/reports/daily?through=2026-03-05');
      expect(daily.body).toEqual(await installation.json(['report', 'daily', '--through', '2026-03-05'], 0));
      const refused = await call('/api/v1/runs/01KJQ0Z8XG3T5V7W9Y1B2C4D6F/replay', {});
      expect(refused).toMatchObject({
        status: 404,
        body: { code: 'not_found', params: { thing: 'run with stored inputs' } },
      });
      const run = await call('/api/v1/runs', { through: '2026-03-05' });
      expect(run).toMatchObject({ status: 200, body: { through: '2026-03-05' } });
      const closed = await call('/api/v1/days/2026-03-05/close', { reason: 'no statement yet' });
      expect(closed).toMatchObject({ status: 200, body: { outcome: 'closed' } });
      const seals = await installation.json<{ date: string }[]>(['close-day', '--list']);
      expect(seals.map(({ date }) => date)).toEqual(['2026-03-05']);
      // The record of a thread names the key and the request, as every other record.
      const records = await installation.json<{ actor: string; action: string }[]>(['audit', 'list']);
      expect(records[0]).toMatchObject({ action: 'day.closed' });
    },
    LIMIT_MS,
  );
});
