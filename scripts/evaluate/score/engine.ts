import type { EngineAnswer, EngineQuestion } from './answer-question';
import { startWorker } from './start-worker';

/** Answers questions about files; in the evaluation it is a process of its own. */
export interface Engine {
  ask(question: EngineQuestion): Promise<EngineAnswer>;
  stop(): void;
}

/** Starts a process that holds the engine and knows nothing but what it is asked. */
export function startEngine(): Engine {
  return startWorker<EngineQuestion, EngineAnswer>(require.resolve('./engine-process'));
}
