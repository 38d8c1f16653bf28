import { fork } from 'node:child_process';
import { extname } from 'node:path';
import { MINUTE_MS } from '../../../src/kernel';

/** The largest world takes seconds, so a process that takes this long hangs. */
const ANSWER_TIMEOUT_MS = 15 * MINUTE_MS;

/** A process that answers one message at a time. */
export interface Worker<Question, Answer> {
  ask(question: Question): Promise<Answer>;
  stop(): void;
}

/**
 * Starts a module of this folder as its own process. Both sides are this project's code, so the type of an answer is
 * not checked.
 */
export function startWorker<Question extends object, Answer>(file: string): Worker<Question, Answer> {
  const child = fork(file, {
    // Preserves `undefined` and large numbers, which JSON does not.
    serialization: 'advanced',
    execArgv: extname(file) === '.ts' ? ['--require', require.resolve('tsx/cjs')] : [],
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  return {
    ask: (question) =>
      new Promise<Answer>((resolve, reject) => {
        const timer = setTimeout(
          () => finish(() => reject(new Error('a worker did not answer in time'))),
          ANSWER_TIMEOUT_MS,
        );
        const onMessage = (answer: unknown): void => finish(() => resolve(answer as Answer));
        const onExit = (code: number | null): void =>
          finish(() => reject(new Error(`a worker ended with ${code ?? 'a signal'} instead of an answer`)));
        const finish = (settle: () => void): void => {
          clearTimeout(timer);
          child.off('message', onMessage).off('exit', onExit);
          settle();
        };
        child.once('message', onMessage).once('exit', onExit);
        child.send(question);
      }),
    stop: () => {
      if (child.connected) child.disconnect();
    },
  };
}
