import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { answerRequests, createHttpServer } from '../../../src/http';
import { exchange, RawConnection } from '../../support/raw-connection';
import { recordingLogger, type RecordingLogger } from '../../support/fakes';

// Goal: S17, a connection takes no more than its share. Method: a server whose answers the test gives by hand.

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function start(answer: RequestListener): Promise<{ server: Server; port: number; logger: RecordingLogger }> {
  const logger = recordingLogger();
  const server = createHttpServer({ logger });
  answerRequests(server, answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port, logger };
}

const get = (path: string, ...lines: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: x', ...lines, '', ''].join('\r\n');
const end = (response: ServerResponse, text: string): void => {
  response.setHeader('Content-Length', text.length);
  response.end(text);
};
const echo: RequestListener = (request, response) => end(response, request.url ?? '');

test('a server has every limit set', () => {
  const server = createHttpServer({ logger: recordingLogger() });
  expect(server).toMatchObject({
    headersTimeout: 5_000,
    requestTimeout: 10_000,
    keepAliveTimeout: 65_000,
    maxConnections: 4_096,
    maxRequestsPerSocket: 1_000,
    maxHeadersCount: 0,
  });
});

describe('one connection', () => {
  test('has one request answered at a time', async () => {
    const held: [string, ServerResponse][] = [];
    const { port } = await start((request, response) => void held.push([request.url ?? '', response]));
    const connection = await RawConnection.open(port);
    connection.send(get('/1') + get('/2') + get('/3'));
    const answered: unknown[] = [];
    for (const path of ['/1', '/2', '/3']) {
      while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
      const seen = held.splice(0);
      expect(seen.map(([each]) => each)).toEqual([path]);
      seen.forEach(([each, response]) => end(response, each));
      answered.push((await connection.next())?.text);
    }
    expect(answered).toEqual(['/1', '/2', '/3']);
    connection.destroy();
  });

  test('does not keep another one waiting, however many requests it sends at once', async () => {
    const order: string[] = [];
    const { port } = await start((request, response) => {
      order.push(request.url ?? '');
      setImmediate(() => end(response, ''));
    });
    const greedy = await RawConnection.open(port);
    const modest = await RawConnection.open(port);
    greedy.send(get('/greedy').repeat(900));
    modest.send(get('/modest'));
    await modest.next();
    expect(order.filter((path) => path === '/greedy').length).toBeLessThan(450);
    greedy.destroy();
    modest.destroy();
  });

  test('is told with answer 1,000 that it was the last; what comes after it is 503 and looked at by nobody', async () => {
    let looked = 0;
    const { port } = await start((_request, response) => {
      looked += 1;
      end(response, 'code');
    });
    const connection = await RawConnection.open(port);
    connection.send(get('/').repeat(1_200));
    const seen: Record<string, number> = {};
    for (let answer = 0; answer < 1_200; answer += 1) {
      const { status, headers, text } = (await connection.next()) ?? { status: 0, headers: {}, text: '' };
      const key = `${status} ${headers['connection']} ${text}`;
      seen[key] = (seen[key] ?? 0) + 1;
    }
    connection.destroy();
    expect(seen).toEqual({ '200 keep-alive code': 999, '200 close code': 1, '503 close ': 200 });
    expect(looked).toBe(1_000);
  });

  test('has nothing looked at behind an answer that closes it', async () => {
    const looked: string[] = [];
    const { port } = await start((request, response) => {
      looked.push(request.url ?? '');
      response.setHeader('Connection', 'close');
      setImmediate(() => end(response, ''));
    });
    expect(await exchange(port, get('/1') + get('/2'))).toHaveLength(1);
    expect(looked).toEqual(['/1']);
  });

  test('gets every answer it is owed before it is told that the rest is no request', async () => {
    const { port } = await start((request, response) => void setImmediate(() => echo(request, response)));
    const answers = await exchange(port, `${get('/1')}${get('/2')}garbage\r\n\r\n`);
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [200, '/1'],
      [200, '/2'],
      [400, ''],
    ]);
  });

  test('that ends in the middle of a request is closed at once', async () => {
    const { port } = await start(echo);
    for (const part of ['G', get('/').slice(0, -2), 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx']) {
      const connection = await RawConnection.open(port);
      connection.send(part);
      connection.endSending();
      await connection.closed;
    }
  });
});

describe('too many connections', () => {
  test('are dropped, logged once a minute, and those that wait for nothing make room', async () => {
    const { server, port, logger } = await start(echo);
    server.maxConnections = 2;
    const idle = await Promise.all([RawConnection.open(port), RawConnection.open(port)]);
    for (const connection of idle) {
      connection.send(get('/'));
      expect((await connection.next())?.status).toBe(200);
    }
    const dropped = await RawConnection.open(port);
    await dropped.closed;
    await Promise.all(idle.map(({ closed }) => closed));

    const served = await RawConnection.open(port);
    served.send(get('/served'));
    expect((await served.next())?.text).toBe('/served');
    server.maxConnections = 1;
    const again = await RawConnection.open(port);
    await again.closed;
    expect(logger.events('http.connection_dropped')).toEqual([
      expect.objectContaining({ level: 'warn', fields: expect.objectContaining({ droppedInLastMinute: 0 }) }),
    ]);
    served.destroy();
  });

  test('are never closed while an answer is owed to them', async () => {
    const held: ServerResponse[] = [];
    const { server, port } = await start((_request, response) => void held.push(response));
    server.maxConnections = 1;
    const waiting = await RawConnection.open(port);
    waiting.send(get('/'));
    while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const dropped = await RawConnection.open(port);
    await dropped.closed;
    held.forEach((response) => end(response, 'owed'));
    expect((await waiting.next())?.text).toBe('owed');
    waiting.destroy();
  });
});
