import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../kernel';
import { encodeAnswer } from '../requests/encode-answer';
import type { ApiRooms } from '../rooms';
import type { Route } from '../route';
import { ROUTES } from '../routes';
import { carried } from './carried-fault';
import type { ThreadReply, ThreadTask } from './thread-messages';

/** Performs the operation for which this thread was started, and answers the main thread. */
export async function performTask(rooms: ApiRooms): Promise<void> {
  const { operationId, input } = workerData as ThreadTask;
  parentPort?.postMessage(await reply(rooms, operationId, input));
}

async function reply(rooms: ApiRooms, operationId: string, input: ThreadTask['input']): Promise<ThreadReply> {
  try {
    const route = ROUTES.find((each) => each.operationId === operationId);
    assert(route !== undefined, 'a thread performs an operation of the list');
    return { answer: encodeAnswer(route, await route.handle(rooms, input as Parameters<Route['handle']>[1])) };
  } catch (error) {
    return { fault: carried(error) };
  }
}
