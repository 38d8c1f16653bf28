// Goal: the engine in a separate process returns the same result as in this one, and a failing process is reported.
// Method: the real process, once with the files of a small world and once with invalid input.
import { afterEach, expect, test } from '@jest/globals';
import { answerQuestion } from '../../../scripts/evaluate/score/answer-question';
import { type Engine, startEngine } from '../../../scripts/evaluate/score/engine';
import { makeWorld } from '../../../scripts/evaluate/score/make-world';
import { resultDigest } from '../../../scripts/evaluate/score/result-digest';
import { startWorker } from '../../../scripts/evaluate/score/start-worker';

let engine: Engine | undefined;

afterEach(() => {
  engine?.stop();
  engine = undefined;
});

test('answers from its own process as it does in this one', async () => {
  const { files } = makeWorld({ scenario: 'clean-daily', seed: 1, size: 0.2 });
  engine = startEngine();
  const { result } = await engine.ask({ files, maxError: 0.001 });
  expect(resultDigest(result)).toBe(resultDigest(answerQuestion({ files, maxError: 0.001 }).result));
  expect(result.credits.length).toBeGreaterThan(0);
});

test('a process that ends without an answer is an error, not a wait', async () => {
  const worker = startWorker<object, never>(require.resolve('../../../scripts/evaluate/score/engine-process'));
  await expect(worker.ask({})).rejects.toThrow(/ended with/);
});
