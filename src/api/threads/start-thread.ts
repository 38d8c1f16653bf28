import { Worker } from 'node:worker_threads';
import { AppError, MINUTE_MS } from '../../kernel';
import type { Logger } from '../../logging';
import type { EncodedAnswer } from '../operation/encode-answer';
import { faultOf } from './carried-fault';
import type { ThreadLog, ThreadReply, ThreadTask } from './thread-messages';

/**
 * Performs a long operation and returns its encoded answer. If `left` aborts, the operation ends without one; its
 * transactions roll back.
 *
 * @throws AppError `unavailable` after `left` aborted; and every error of the operation.
 */
export type PerformLong = (task: ThreadTask, left?: AbortSignal) => Promise<EncodedAnswer>;

/** A thread starts in about a second, so it waits this long for another task. */
const IDLE_MS = MINUTE_MS;

/**
 * Performs long operations in threads, each with its own database connections: the calculation of a run, or a large
 * report on SQLite, would otherwise delay every confirm. `entry` is the compiled file that calls `performTasks`.
 *
 * @throws AppError `internal` if a thread ends without an answer.
 */
export function performInThreads(entry: string, logger: Logger): PerformLong {
  const idle = new Map<Worker, NodeJS.Timeout>();
  const rest = (worker: Worker): void => {
    worker.unref();
    const end = (): void => {
      idle.delete(worker);
      void worker.terminate();
    };
    idle.set(worker, setTimeout(end, IDLE_MS).unref());
  };
  const wake = (): Worker => {
    const [waiting] = idle;
    if (waiting === undefined) return new Worker(entry);
    const [worker, timer] = waiting;
    clearTimeout(timer);
    idle.delete(worker);
    worker.ref();
    return worker;
  };
  return async (task, left) => {
    const worker = wake();
    const reply = await replyOf(worker, task, { logger, left });
    rest(worker);
    if ('fault' in reply) throw faultOf(reply.fault);
    return reply.answer;
  };
}

interface Waiting {
  readonly logger: Logger;
  readonly left: AbortSignal | undefined;
}

function replyOf(worker: Worker, task: ThreadTask, { logger, left }: Waiting): Promise<ThreadReply> {
  return new Promise((resolve, reject) => {
    // A query of SQLite ends first, so the place of the operation is free when the thread has ended.
    const end = (): void => void worker.terminate();
    const ended = (): void =>
      reject(
        left?.aborted === true
          ? new AppError('unavailable', 'the client left before the answer')
          : new AppError('internal', 'the thread of a long operation ended early'),
      );
    const receive = (message: ThreadReply | ThreadLog): void => {
      if ('log' in message) return logger[message.log.level](message.log.message, message.log.fields);
      worker.off('message', receive).off('error', reject).off('exit', ended);
      left?.removeEventListener('abort', end);
      resolve(message);
    };
    worker.on('message', receive).on('error', reject).on('exit', ended);
    left?.addEventListener('abort', end);
    worker.postMessage(task, ownedBytes(task.input.body));
  });
}

/** Returns the bytes of a large body, which move to the thread without a copy. Small ones share their memory. */
function ownedBytes(body: unknown): ArrayBuffer[] {
  if (!(body instanceof Uint8Array) || body.byteLength < body.buffer.byteLength) return [];
  return [body.buffer as ArrayBuffer];
}
