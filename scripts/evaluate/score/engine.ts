import type { EngineAnswer, EngineQuestion } from './answer-question';
import { startWorker } from './start-worker';

/** Answers questions about files. In the evaluation it is its own process. */
export interface Engine {
  ask(question: EngineQuestion): Promise<EngineAnswer>;
  stop(): void;
}

/** Starts a process that runs the engine and knows only the questions. */
export function startEngine(): Engine {
  return startWorker<EngineQuestion, EngineAnswer>(require.resolve('./engine-process'));
}
