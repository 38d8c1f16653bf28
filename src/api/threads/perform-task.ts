import { parentPort } from 'node:worker_threads';
import { assert } from '../../kernel';
import { encodeAnswer } from '../operation/encode-answer';
import type { ApiRooms } from '../operation/rooms';
import type { Route } from '../operation/route';
import { ROUTES } from '../routes';
import { carried } from './carried-fault';
import type { ThreadReply, ThreadTask } from './thread-messages';

/** Performs the operations that the main thread sends, one after the other, until it ends this thread. */
export function performTasks(rooms: ApiRooms): void {
  assert(parentPort !== null, 'this is a thread of the API');
  const main = parentPort;
  main.on('message', (task: ThreadTask) => void reply(rooms, task).then((answer) => main.postMessage(answer)));
}

async function reply(rooms: ApiRooms, { operationId, input }: ThreadTask): Promise<ThreadReply> {
  try {
    const route = ROUTES.find((each) => each.operationId === operationId);
    assert(route !== undefined, 'a thread performs an operation of the list');
    return { answer: encodeAnswer(route, await route.handle(rooms, withBuffers(input))) };
  } catch (error) {
    return { fault: carried(error) };
  }
}

/** The bytes of a file arrive as a plain array of bytes. */
function withBuffers({ body, ...input }: ThreadTask['input']): Parameters<Route['handle']>[1] {
  const bytes = body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : body;
  return { ...input, body: bytes } as Parameters<Route['handle']>[1];
}
