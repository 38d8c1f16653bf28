// Generates worlds and judges answers. The engine is a child process, so that it never has a truth.
import { type Engine, startEngine } from './engine';
import { makeWorld, type WorldName } from './make-world';
import { scoreWorld } from './score-world';
import type { WorldScore } from './world-score';

export interface ScoreQuestion extends WorldName {
  readonly shuffles: number;
}

/** If a world could not be scored, its answer states why, and the others continue. */
export type ScoreAnswer =
  { readonly kind: 'scored'; readonly score: WorldScore } | { readonly kind: 'failed'; readonly why: string };

let running: Engine | undefined;

process.on('message', (question: ScoreQuestion) => {
  void answer(question).then((given) => process.send?.(given));
});
process.once('disconnect', () => running?.stop());

async function answer(question: ScoreQuestion): Promise<ScoreAnswer> {
  const engine = (running ??= startEngine());
  try {
    return { kind: 'scored', score: await scoreWorld(makeWorld(question), engine, question.shuffles) };
  } catch (error) {
    // A failed engine gets no further question.
    engine.stop();
    running = undefined;
    return { kind: 'failed', why: error instanceof Error ? error.message : String(error) };
  }
}
