import { Worker } from 'node:worker_threads';
import { AppError, MINUTE_MS } from '../../kernel';
import type { Logger } from '../../logging';
import type { EncodedAnswer } from '../operation/encode-answer';
import { faultOf } from './carried-fault';
import type { ThreadLog, ThreadReply, ThreadTask } from './thread-messages';

/** Performs a long operation and returns its encoded answer. */
export type PerformLong = (task: ThreadTask) => Promise<EncodedAnswer>;

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
  return async (task) => {
    const worker = wake();
    const reply = await replyOf(worker, task, logger);
    rest(worker);
    if ('fault' in reply) throw faultOf(reply.fault);
    return reply.answer;
  };
}

function replyOf(worker: Worker, task: ThreadTask, logger: Logger): Promise<ThreadReply> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new AppError('internal', 'the thread of a long operation ended early'));
    const receive = (message: ThreadReply | ThreadLog): void => {
      if ('log' in message) return logger[message.log.level](message.log.message, message.log.fields);
      worker.off('message', receive).off('error', reject).off('exit', ended);
      resolve(message);
    };
    worker.on('message', receive).on('error', reject).on('exit', ended);
    worker.postMessage(task);
  });
}
