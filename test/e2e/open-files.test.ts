import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { describeOnEachDialect, freshDatabase } from '../support/db';
import { spawnCli } from '../support/server-process';
import { audit } from './support/audit';
import { Installation } from './support/installation';
import { confirmsFor, Journal, sendConfirms } from './support/journal';
import { until } from './support/until';

// Goal: F31, strangers who hold more connections than the process may have open files cost no other caller an answer.
// Method: a server with a low limit on open files, twice as many silent connections, and callers that confirm.

const OPEN_FILES_MAX = 200;
const CONNECTIONS_MAX = 100;
const STRANGERS = 2 * OPEN_FILES_MAX;
const CONFIRMS = 60;
const AGENTS = ['AG-1', 'AG-2', 'AG-3'];
const LIMIT_MS = 60_000;

const strangers: Socket[] = [];
afterEach(() => strangers.splice(0).forEach((socket) => socket.destroy()));

describeOnEachDialect('a server with few open files', (dialect) => {
  test(
    'F31: closes idle strangers first, answers every confirm, and reports the limit',
    async () => {
      const millime = new Installation((await freshDatabase(dialect)).url);
      const opening = await millime.seedAgents(AGENTS, 1_000_000);
      const token = await millime.token();
      const server = await millime.serve({ role: 'http', openFilesMax: OPEN_FILES_MAX });
      const port = Number(new URL(server.baseUrl).port);
      let closed = 0;
      for (let count = 0; count < STRANGERS; count += 1) {
        const socket = connect(port, '127.0.0.1');
        strangers.push(socket);
        socket.on('error', () => undefined).once('close', () => (closed += 1));
        await new Promise((resolve) => socket.once('connect', resolve));
      }
      await until('the oldest strangers are closed', () => closed >= STRANGERS - CONNECTIONS_MAX);

      const journal = new Journal();
      const confirms = confirmsFor(AGENTS, CONFIRMS, 'T');
      await sendConfirms({ confirms, clients: AGENTS.length, baseUrl: () => server.baseUrl, token, journal });
      expect(journal.count('0')).toBe(CONFIRMS);
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
      expect(server.output).toContain('"event":"http.connections_limited"');
      expect(server.output).toContain(`"event":"http.connection_dropped","connectionsMax":${CONNECTIONS_MAX}`);
    },
    LIMIT_MS,
  );
});

test('F31: doctor states how many connections the limit on open files allows', async () => {
  const { env } = new Installation((await freshDatabase('sqlite')).url);
  const doctor = spawnCli(['doctor'], env, { openFilesMax: OPEN_FILES_MAX });
  let output = '';
  doctor.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  await new Promise((resolve) => doctor.once('close', resolve));
  expect(output).toMatch(/^connectionsMax +100$/m);
  expect(output).toContain(
    'warning: open files: expected a limit of at least 4224, got 200, which allows 100 connections; ' +
      'raise it with "ulimit -n" or LimitNOFILE',
  );
});
