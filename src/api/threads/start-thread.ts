import { Worker } from 'node:worker_threads';
import { AppError } from '../../kernel';
import type { Logger } from '../../logging';
import type { EncodedAnswer } from '../idempotency/answer-once';
import { faultOf } from './carried-fault';
import type { ThreadLog, ThreadReply, ThreadTask } from './thread-messages';

/** Performs a long operation and returns its encoded answer. */
export type PerformLong = (task: ThreadTask) => Promise<EncodedAnswer>;

/**
 * Performs long operations in threads of their own, each with its own database connection: the calculation of a run
 * would otherwise delay every confirm. `entry` is the compiled file that `performTask` serves.
 *
 * @throws AppError `internal` if the thread ends without an answer.
 */
export function performInThreads(entry: string, logger: Logger): PerformLong {
  return (task) =>
    new Promise((resolve, reject) => {
      const worker = new Worker(entry, { workerData: task });
      worker.on('message', (message: ThreadReply | ThreadLog) => {
        if ('log' in message) logger[message.log.level](message.log.message, message.log.fields);
        else if ('answer' in message) resolve(message.answer);
        else reject(faultOf(message.fault));
      });
      worker.once('error', reject);
      worker.once('exit', () => reject(new AppError('internal', 'the thread of a long operation ended early')));
    });
}
