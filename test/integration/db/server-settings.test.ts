// Goal: an operator is told of settings of a database server that cost money or answers, before they do.
import { expect, test } from '@jest/globals';
import { judgeServers, openDatabase } from '../../../src/db';
import { silentLogger } from '../../../src/logging';
import { describeWithOwnMariaDb, freshDatabase, parsedUrl } from '../../support/db';
import { freePort } from '../../support/free-port';
import { MariaDbServer } from '../../support/mariadb-server';

const QUIET = { warnings: [], notes: [] };

test('an embedded database has no servers to ask', async () => {
  expect(await judgeServers((await freshDatabase('sqlite')).open())).toEqual(QUIET);
});

describeWithOwnMariaDb('the settings of servers', () => {
  test.each(['1', '2'])(
    'are named where innodb_flush_log_at_trx_commit is not 1 (it is %s), and so is a server that does not answer',
    async (flush) => {
      const server = await MariaDbServer.create({ flags: [`--innodb-flush-log-at-trx-commit=${flush}`] });
      try {
        await server.start();
        const nobody = `127.0.0.1:${await freePort()}`;
        const host = `127.0.0.1:${server.port}`;
        const database = openDatabase(parsedUrl(`mysql://root@${nobody},${host}/mysql`), silentLogger);
        try {
          const missing = expect.stringMatching(`^DATABASE_URL: ${nobody} does not answer, or is not a member `);
          const setting = expect.stringMatching(`^DATABASE_URL: ${host} has innodb_flush_log_at_trx_commit = 2, `);
          const warnings = flush === '1' ? [missing] : [missing, setting];
          expect(await judgeServers(database)).toEqual({ warnings, notes: [] });
          await server.sigstop();
          expect(await judgeServers(database)).toEqual(QUIET);
          server.sigcont();
        } finally {
          await database.close();
        }
      } finally {
        await server.remove();
      }
    },
  );
});
