import { beforeAll, expect, test } from '@jest/globals';
import { checkAgents, confirmPayments } from '../../../src/agent-settlement/testing';
import { openAgentDirectory } from '../../../src/agents';
import type { Database } from '../../../src/db';
import { businessCalendar, millimes, newId } from '../../../src/kernel';
import { describeOnMariaDb, freshDatabase } from '../../support/db';
import { anAgent } from '../../support/factories';
import { fixedClock } from '../../support/fakes';
import { aCommand } from '../../unit/agent-settlement/commands';

// Goal: the cost of an endpoint does not grow unseen. Method: the statements that reach the server are counted, because
// their number is the same on every machine. A file has no round trips.

interface ServerConnection {
  query(statement: { readonly sql: string }, ...rest: unknown[]): unknown;
}

const AGENTS = Array.from({ length: 64 }, (_, index) => `agent-${index}`);
const NOW = Date.parse('2026-03-02T09:00:00.000Z');

describeOnMariaDb('The round trips to the server', () => {
  let database: Database;
  const sent: string[] = [];

  beforeAll(async () => {
    database = (await freshDatabase('mariadb')).open();
    const client = database.pool.client as { acquireRawConnection(): Promise<ServerConnection> };
    const acquire = client.acquireRawConnection.bind(client);
    client.acquireRawConnection = async () => {
      const connection = await acquire();
      const query = connection.query.bind(connection);
      connection.query = (statement, ...rest) => {
        sent.push(typeof statement === 'string' ? statement : statement.sql);
        return query(statement, ...rest);
      };
      return connection;
    };
    const records = AGENTS.map((agentId) => anAgent({ agentId }));
    await database.transact((session) => openAgentDirectory(session).add(records, NOW, 'test'));
  });

  let count = 0;
  const confirm = (...agentIds: readonly string[]): ReturnType<typeof confirmPayments> =>
    confirmPayments(
      { database, clock: fixedClock(NOW), calendar: businessCalendar('Africa/Tunis'), amountMax: undefined },
      agentIds.map((agentId) => {
        const transactionId = `T${(count += 1)}`;
        return aCommand({ transactionId, agentId, attemptId: newId(), amount: millimes(5) });
      }),
    );
  /**
   * Returns the kinds of the statements of each round trip. A connection that opens meanwhile sets itself up, which is
   * left out.
   */
  const statementsOf = async (work: Promise<unknown>): Promise<string[]> => {
    await work;
    return sent.splice(0).flatMap((sql) => {
      if (/^set /i.test(sql)) return [];
      const statements = sql.replace(/^begin not atomic\n/, '').replace(/;\nend$/, '');
      return [
        statements
          .split(';\n')
          .map((each) => /^\w+/.exec(each)?.[0].toLowerCase())
          .join(' '),
      ];
    });
  };

  const FACTS = 'select select select select select';
  const ROWS = 'insert insert insert insert';

  test('of a confirm are three: what it must know with BEGIN, its rows, COMMIT', async () => {
    await confirm('agent-0');
    await statementsOf(Promise.resolve());
    expect(await statementsOf(confirm('agent-0'))).toEqual([`start ${FACTS}`, ROWS, 'commit']);
  });

  test('of the first confirm of an agent are three more, which look for its balance, create and lock it', async () => {
    const trips = [`start ${FACTS}`, 'select', 'insert', FACTS, ROWS, 'commit'];
    expect(await statementsOf(confirm('agent-1'))).toEqual(trips);
  });

  test('of 64 confirms together are as many as of one', async () => {
    await confirm(...AGENTS);
    await statementsOf(Promise.resolve());
    const confirms = confirm(...AGENTS);
    expect(await statementsOf(confirms)).toEqual([`start ${FACTS}`, ROWS, 'commit']);
    expect(new Set(await confirms)).toEqual(new Set(['stored']));
  });

  test('of a check, and of 64 checks together, is one', async () => {
    expect(await statementsOf(checkAgents(database, ['agent-0'], 5_000))).toEqual(['select select']);
    expect(await statementsOf(checkAgents(database, AGENTS, 5_000))).toEqual(['select select']);
  });
});
