import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { clientLeft } from '../../../src/http';

// Goal: a client that leaves before its answer is noticed, and a connection with many requests keeps no listener.

function exchange(socketFacts: object = {}) {
  const socket = Object.assign(new EventEmitter(), { readableEnded: false, destroyed: false, ...socketFacts });
  const response = Object.assign(new EventEmitter(), { writableFinished: false });
  const left = clientLeft({ socket } as unknown as IncomingMessage, response as unknown as ServerResponse);
  return { socket, response, left };
}

test('aborts when the client closes its sending half or its connection', () => {
  const half = exchange();
  expect(half.left.aborted).toBe(false);
  half.socket.emit('end');
  expect(half.left.aborted).toBe(true);
  const whole = exchange();
  whole.response.emit('close');
  expect(whole.left.aborted).toBe(true);
});

test.each([{ readableEnded: true }, { destroyed: true }])(
  'is aborted from the beginning if the socket is %j',
  (facts) => {
    expect(exchange(facts).left.aborted).toBe(true);
  },
);

test('does not abort after the answer, and leaves no listener on the connection', () => {
  const { socket, response, left } = exchange();
  expect(socket.listenerCount('end')).toBe(1);
  response.writableFinished = true;
  response.emit('close');
  expect(socket.listenerCount('end')).toBe(0);
  expect(left.aborted).toBe(false);
});
