import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { paceInput } from '../../../src/http/paced-input';

// Goal: F30, what arrives is passed on in few steps, and in small ones. Method: a socket whose pushes are recorded.

function paced(may: () => 'next_request' | 'rest_of_request' | 'nothing') {
  const pieces: string[] = [];
  const turns: (() => void)[] = [];
  const socket = Object.assign(new EventEmitter(), {
    push: (piece: Buffer) => pieces.push(piece.toString()) > 0,
    _read: () => undefined,
    destroySoon: () => undefined,
    readableLength: 0,
    destroyed: false,
  }) as unknown as Socket;
  paceInput(socket, may, (start) => void turns.push(start));
  return { pieces, turns, receive: (text: string) => socket.push(Buffer.from(text)) };
}

test.each([
  ['CRLF', '\r\n'],
  ['LF', '\n'],
])('F30: passes empty lines (%s) before a request on with the request', (_name, line) => {
  const { pieces, receive } = paced(() => 'next_request');
  receive(line.repeat(30_000));
  receive(`${line.repeat(30_000)}GET / HTTP/1.1\r\n\r\n`);
  expect(pieces.map(({ length }) => length)).toEqual([30_000 * line.length, 30_000 * line.length + 18]);
});

test('ends a piece at the first empty line behind a header, whatever its line ends', () => {
  const { pieces, receive } = paced(() => 'next_request');
  receive('GET /1\r\n\r\nGET /2\n\nGET /3\n\r\nGET /4\r\n\nGET /5\r\n');
  expect(pieces).toEqual(['GET /1\r\n\r\n', 'GET /2\n\n', 'GET /3\n\r\n', 'GET /4\r\n\n', 'GET /5\r\n']);
});

test('F30: passes a body of one-byte chunks on in bounded steps, one in a turn', () => {
  const { pieces, turns, receive } = paced(() => 'rest_of_request');
  const body = '1\r\nx\r\n'.repeat(4_000);
  receive(body);
  for (let turn = 1; turns.length > 0; turn += 1) {
    expect(pieces).toHaveLength(turn);
    receive('');
    expect(pieces).toHaveLength(turn);
    turns.splice(0).forEach((start) => start());
  }
  expect(pieces.join('')).toBe(body);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(4_096);
});
