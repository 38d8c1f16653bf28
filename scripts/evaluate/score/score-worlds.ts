import type { ScoreAnswer, ScoreQuestion } from './score-process';
import { startWorker } from './start-worker';
import type { WorldScore } from './world-score';

export interface FailedWorld {
  readonly scenario: string;
  readonly seed: number;
  readonly why: string;
}

export interface ScoredWorlds {
  /** In the order of the questions, independent of which ended first. */
  readonly scores: readonly WorldScore[];
  readonly failed: readonly FailedWorld[];
}

/** Scores worlds in several concurrent processes. Calls `tell` for each completed world. */
export async function scoreWorlds(
  questions: readonly ScoreQuestion[],
  jobs: number,
  tell: (done: number, question: ScoreQuestion) => void,
): Promise<ScoredWorlds> {
  const answers = new Map<ScoreQuestion, ScoreAnswer>();
  const waiting = questions.values();
  const work = async (): Promise<void> => {
    const worker = startWorker<ScoreQuestion, ScoreAnswer>(require.resolve('./score-process'));
    try {
      for (const question of waiting) {
        answers.set(question, await worker.ask(question));
        tell(answers.size, question);
      }
    } finally {
      worker.stop();
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, questions.length) }, work));
  const given = questions.flatMap((question) => {
    const answer = answers.get(question);
    return answer === undefined ? [] : [{ question, answer }];
  });
  return {
    scores: given.flatMap(({ answer }) => (answer.kind === 'scored' ? [answer.score] : [])),
    failed: given.flatMap(({ question: { scenario, seed }, answer }) =>
      answer.kind === 'failed' ? [{ scenario, seed, why: answer.why }] : [],
    ),
  };
}
