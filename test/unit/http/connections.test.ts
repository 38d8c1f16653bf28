import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { answerRequests, createHttpServer, prove } from '../../../src/http';
import { redact } from '../../../src/logging/testing';
import { until } from '../../e2e/support/until';
import { type RecordingLogger, recordingLogger } from '../../support/fakes';
import { RawConnection } from '../../support/raw-connection';

// Goal: connections with a valid token get the places. Method: a server with two places; `/good` proves its connection,
// and `/held` waits for its answer.

const servers: Server[] = [];
const opened: RawConnection[] = [];
afterEach(() => {
  opened.splice(0).forEach((connection) => connection.destroy());
  servers.splice(0).forEach((server) => server.close());
});

async function start(): Promise<{
  logger: RecordingLogger;
  open(): Promise<RawConnection>;
  openGood(): Promise<RawConnection>;
  held: ServerResponse[];
}> {
  const logger = recordingLogger();
  const server = createHttpServer({ logger, connectionsMax: 2 });
  const held: ServerResponse[] = [];
  answerRequests(server, (request, response) => {
    if (request.url === '/good') prove(request.socket);
    if (request.url === '/held') held.push(response);
    else response.end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const open = async (): Promise<RawConnection> => {
    const connection = await RawConnection.open(port);
    opened.push(connection);
    return connection;
  };
  return {
    logger,
    open,
    async openGood() {
      const connection = await open();
      expect(await ask(connection, '/good')).toBe(200);
      return connection;
    },
    held,
  };
}

async function ask(connection: RawConnection, path: string): Promise<number | undefined> {
  connection.send(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return (await connection.next())?.status;
}

test('the oldest connection without a valid token is closed for a new one', async () => {
  const { open } = await start();
  const first = await open();
  const second = await open();
  const third = await open();
  await first.closed;
  expect([await ask(second, '/'), await ask(third, '/')]).toEqual([200, 200]);
});

test('F31: the idle one is closed before an older one that waits for its answer', async () => {
  const { open, held } = await start();
  const first = await open();
  first.send('GET /held HTTP/1.1\r\nHost: x\r\n\r\n');
  await until('the request waits for its answer', () => held.length === 1);
  const idle = await open();
  const last = await open();
  await idle.closed;
  held.forEach((response) => response.end());
  expect((await first.next())?.status).toBe(200);
  expect(await ask(last, '/')).toBe(200);
});

test('a connection with a valid token is kept, idle or not, even if the token came late', async () => {
  const { open, openGood, held } = await start();
  const late = await open();
  expect(await ask(late, '/')).toBe(200);
  const waiting = await open();
  waiting.send('GET /held HTTP/1.1\r\nHost: x\r\n\r\n');
  await until('the request is looked at', () => held.length === 1);
  expect(await ask(late, '/good')).toBe(200);
  await openGood();
  await waiting.closed; // an answer is owed to it, but nobody knows it
  const last = await open();
  await last.closed;
  expect(await ask(late, '/')).toBe(200);
});

test('a new connection is closed if every other has shown a valid token', async () => {
  const { open, openGood } = await start();
  const good = [await openGood(), await openGood()];
  const dropped = await open();
  await dropped.closed;
  for (const connection of good) expect(await ask(connection, '/')).toBe(200);
});

test('a closed connection frees its slot', async () => {
  const { openGood } = await start();
  const first = await openGood();
  const second = await openGood();
  first.endSending();
  await first.closed;
  const third = await openGood();
  for (const connection of [second, third]) expect(await ask(connection, '/')).toBe(200);
});

test('one log line a minute reports dropped connections', async () => {
  const { logger, open, openGood } = await start();
  await openGood();
  for (let count = 0; count < 5; count += 1) await open();
  const fields = {
    event: 'http.connection_dropped',
    connectionsMax: 2,
    proven: 1,
    droppedInLastMinute: 0,
  };
  await until('a connection is dropped', () => logger.events('http.connection_dropped').length > 0);
  expect(logger.entries).toEqual([expect.objectContaining({ level: 'warn', fields })]);
  expect(redact(fields)).toEqual(fields); // no field has a name that the log hides
});
