import type { RequestListener, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Request, Response } from 'express';
import { answerRequests, createHttpServer, prove, rawBody } from '../../../src/http';
import { STRANGER_PIPELINED_MAX } from '../../../src/http/server-limits';
import { until } from '../../e2e/support/until';
import { recordingLogger } from '../../support/fakes';
import { exchange, RawConnection } from '../../support/raw-connection';

// Goal: S17, a connection uses at most its share. Method: a server whose answers the test returns by hand.

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function start(answer: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createHttpServer({ logger: recordingLogger() });
  answerRequests(server, answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

/** Answers as one that recognizes the caller's token. */
const known =
  (answer: RequestListener): RequestListener =>
  (request, response) => {
    prove(request.socket);
    answer(request, response);
  };
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
    requestTimeout: 610_000,
    keepAliveTimeout: 65_000,
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

  test('does not delay another one, however many requests it pipelines', async () => {
    const order: string[] = [];
    const { port } = await start(
      known((request, response) => {
        order.push(request.url ?? '');
        setImmediate(() => end(response, ''));
      }),
    );
    const greedy = await RawConnection.open(port);
    const modest = await RawConnection.open(port);
    greedy.send(get('/greedy').repeat(100));
    modest.send(get('/modest'));
    await modest.next();
    expect(order.filter((path) => path === '/greedy').length).toBeLessThan(50);
    greedy.destroy();
    modest.destroy();
  });

  test('is closed after answer 1,000, and later requests are ignored', async () => {
    let looked = 0;
    const { port } = await start(
      known((_request, response) => {
        looked += 1;
        end(response, 'code');
      }),
    );
    const connection = await RawConnection.open(port);
    const seen: Record<string, number> = {};
    for (let batch = 0; batch < 10; batch += 1) {
      connection.send(get('/').repeat(batch < 9 ? 100 : 99));
      for (let answer = 0; answer < (batch < 9 ? 100 : 99); answer += 1) {
        const { status, headers, text } = (await connection.next()) ?? { status: 0, headers: {}, text: '' };
        const key = `${status} ${headers['connection']} ${text}`;
        seen[key] = (seen[key] ?? 0) + 1;
      }
    }
    expect(seen).toEqual({ '200 keep-alive code': 999 });
    connection.send(get('/').repeat(51));
    const last = await connection.all();
    expect(last.map(({ status, headers, text }) => [status, headers['connection'], text])).toEqual([
      [200, 'close', 'code'],
    ]);
    expect(looked).toBe(1_000);
  });

  test('has all of 300 pipelined requests answered after a valid token', async () => {
    const { port } = await start(known((request, response) => void setImmediate(() => echo(request, response))));
    const paths = Array.from({ length: 300 }, (_, index) => `/${index}`);
    const bytes = paths.map((path) => get(path, ...(path === '/299' ? ['Connection: close'] : [])));
    expect((await exchange(port, bytes.join(''))).map(({ text }) => text)).toEqual(paths);
  });

  test('F30: is closed without a valid token after few pipelined requests, and later ones are ignored', async () => {
    const looked: string[] = [];
    const { port } = await start((request, response) => {
      looked.push(request.url ?? '');
      echo(request, response);
    });
    const paths = Array.from({ length: 90 }, (_, index) => `/${index}`);
    const answers = await exchange(port, paths.map((path) => get(path)).join(''));
    const answered = paths.slice(0, STRANGER_PIPELINED_MAX + 1);
    expect(answers.map(({ text, headers }) => [text, headers['connection']])).toEqual(
      answered.map((path, index) => [path, index < STRANGER_PIPELINED_MAX ? 'keep-alive' : 'close']),
    );
    expect(looked).toEqual(answered);
  });

  test('F30: without a valid token has any number of requests answered one by one', async () => {
    const { port } = await start(echo);
    const connection = await RawConnection.open(port);
    for (let count = 0; count < 5 * STRANGER_PIPELINED_MAX; count += 1) {
      connection.send(get(`/${count}`));
      expect((await connection.next())?.text).toBe(`/${count}`);
    }
    connection.destroy();
  });

  test('F30: has later requests unread while an answer is due, whatever their size', async () => {
    const parsed: string[] = [];
    const held: ServerResponse[] = [];
    const { server, port } = await start(known((_request, response) => void held.push(response)));
    server.on('request', ({ url = '' }) => parsed.push(url));
    const body = '\r\n\r\n'.repeat(5_000);
    const post = `POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const connection = await RawConnection.open(port);
    connection.send(get('/1') + post + get('/2').repeat(3_000));
    await until('the first request is answered', () => held.length === 1);
    connection.send(get('/3'));
    expect(parsed).toEqual(['/1']);
    held.forEach((response) => end(response, '1'));
    await until('the second request is answered', () => held.length === 2);
    // The end of the body and the requests behind it may be in one piece, which is short.
    expect(parsed.slice(0, 2)).toEqual(['/1', '/body']);
    expect(parsed.length).toBeLessThan(16);
    connection.destroy();
  });

  test('F30: has later requests unread while an answer is due, if each of them has a body', async () => {
    const parsed: string[] = [];
    const held: ServerResponse[] = [];
    const { server, port } = await start(known((_request, response) => void held.push(response)));
    server.on('request', ({ url = '' }) => parsed.push(url));
    const post = 'POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}';
    const connection = await RawConnection.open(port);
    connection.send(post.repeat(500));
    await until('the first request is due', () => held.length === 1);
    connection.send(post);
    await until('its body is read', () => held[0]!.req.complete);
    expect(parsed.length).toBeLessThan(16);
    connection.destroy();
  });

  test.each(['X-None: 1', 'Authorization: Bearer x'])('reads a body of one-byte chunks (%s)', async (line) => {
    const { port } = await start((request, response) => {
      rawBody(4_096)(request as Request, response as Response, () =>
        end(response, String((request as Request).body as Buffer)),
      );
    });
    const body = Array.from({ length: 1_000 }, (_, index) => String(index % 10));
    const chunks = body.map((byte) => `1\r\n${byte}\r\n`).join('');
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked';
    const answers = await exchange(port, `${head}\r\n${line}\r\n\r\n${chunks}0\r\n\r\n`);
    expect(answers.map(({ text }) => text)).toEqual([body.join('')]);
  });

  test.each([
    ['Connection: Upgrade', 'Upgrade: h2c'],
    ['Connection: Upgrade', 'Upgrade: websocket'],
    ['Connection: keep-alive', 'Upgrade: TLS/1.0'],
  ])('with an upgrade request (%s, %s) is answered once and closed', async (...lines) => {
    const looked: string[] = [];
    const { port } = await start((request, response) => {
      looked.push(request.url ?? '');
      setImmediate(() => end(response, request.url ?? ''));
    });
    const connection = await RawConnection.open(port);
    connection.send(get('/1') + get('/2', ...lines) + get('/3') + get('/4'));
    connection.send(get('/5'));
    const answers = await connection.all();
    expect(answers.map(({ text, headers }) => [text, headers['connection']])).toEqual([
      ['/1', 'keep-alive'],
      ['/2', 'close'],
    ]);
    expect(looked).toEqual(['/1', '/2']);
  });

  test('that half-closes is closed after its outstanding answers', async () => {
    const { port } = await start((request, response) => void setImmediate(() => echo(request, response)));
    for (const lines of [[], ['Connection: Upgrade', 'Upgrade: h2c']]) {
      const connection = await RawConnection.open(port);
      connection.send(get('/1') + get('/2', ...lines));
      connection.endSending();
      expect((await connection.all()).map(({ text }) => text)).toEqual(['/1', '/2']);
    }
  });

  test('that half-closes without outstanding answers is closed at once', async () => {
    const { port } = await start(echo);
    const connection = await RawConnection.open(port);
    connection.send(get('/1'));
    expect((await connection.next())?.text).toBe('/1');
    connection.endSending();
    await connection.closed;
  });

  test('has requests ignored behind an answer that closes it', async () => {
    const looked: string[] = [];
    const { port } = await start((request, response) => {
      looked.push(request.url ?? '');
      response.setHeader('Connection', 'close');
      setImmediate(() => end(response, ''));
    });
    expect(await exchange(port, get('/1') + get('/2'))).toHaveLength(1);
    expect(looked).toEqual(['/1']);
  });

  test.each([
    ['an answer that closes it', ''],
    ['bytes that are not a request', 'garbage\r\n\r\n'],
  ])('is read on after %s, so that the kernel resets no unread answer', async (_what, between) => {
    const { port } = await start(
      known((request, response) => {
        if (between === '') response.setHeader('Connection', 'close');
        echo(request, response);
      }),
    );
    const errors: Error[] = [];
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let text = '';
    socket.on('error', (error) => errors.push(error)).on('data', (part) => (text += String(part)));
    socket.write(get('/1') + between + get('/2').repeat(20_000));
    await new Promise((resolve) => socket.once('end', resolve));
    for (let count = 0; count < 10 && errors.length === 0; count += 1) {
      await new Promise((resolve) => socket.write(get('/3'), resolve));
    }
    socket.end();
    await new Promise((resolve) => socket.once('close', resolve));
    expect([errors, text.split('HTTP/1.1 ').length - 1]).toEqual([[], between === '' ? 1 : 2]);
  });

  test('gets every outstanding answer before 400 for the rest', async () => {
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
