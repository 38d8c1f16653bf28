// Makes worlds and judges answers. The engine is a process below this one, so that it never holds a truth.
import { type Engine, startEngine } from './engine';
import { makeWorld, type WorldName } from './make-world';
import { scoreWorld } from './score-world';
import type { WorldScore } from './world-score';

export interface ScoreQuestion extends WorldName {
  readonly shuffles: number;
}

/** A world that could not be scored says why; the others go on. */
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
    // An engine that fell over is not asked again.
    engine.stop();
    running = undefined;
    return { kind: 'failed', why: error instanceof Error ? error.message : String(error) };
  }
}
