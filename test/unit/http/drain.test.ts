import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { createDrain, type Drain } from '../../../src/drain';
import { answerRequests, createHttpServer } from '../../../src/http';
import { until } from '../../e2e/support/until';
import { recordingLogger } from '../../support/fakes';
import { RawConnection } from '../../support/raw-connection';

// Goal: a dead connection leaves nothing in memory. Method: pipelines whose first answer is held back, and then a
// reset; the requests behind it never end.

const CONNECTIONS = 40;
const REQUESTS = 50;
const PIPELINE = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(REQUESTS);

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function start(): Promise<{ drain: Drain; port: number; held: ServerResponse[] }> {
  const server = createHttpServer({ logger: recordingLogger() });
  servers.push(server);
  const drain = createDrain(server);
  const held: ServerResponse[] = [];
  answerRequests(server, (_request, response) => void held.push(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { drain, port: (server.address() as AddressInfo).port, held };
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', () => undefined);
  });
}

test('reset pipelines leave no request in progress', async () => {
  const { drain, port, held } = await start();
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(port)));
  sockets.forEach((socket) => socket.write(PIPELINE));
  await until('the first request of each came', () => held.length === CONNECTIONS);
  sockets.forEach((socket) => socket.resetAndDestroy());
  // A connection with unread requests is not read, so the server learns of the reset when it answers.
  held.forEach((response) => response.end());
  await until('nothing is in progress', () => drain.inProgress() === 0);
  expect(held).toHaveLength(CONNECTIONS);
});

test('a request is in progress until its answer is sent', async () => {
  const { drain, port, held } = await start();
  const connection = await RawConnection.open(port);
  connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until('the request came', () => held.length === 1);
  expect(drain.inProgress()).toBe(1);
  held.forEach((response) => response.end());
  await connection.next();
  await until('nothing is in progress', () => drain.inProgress() === 0);
  connection.destroy();
});
