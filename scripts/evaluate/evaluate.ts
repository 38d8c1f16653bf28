// npm run evaluate -- [--seeds 3] [--first-seed 1] [--scenarios a,b] [--size 1.0] [--jobs 2] [--shuffles 0] [--json file]
// Progress goes to stderr, the tables to stdout; the exit code is 1 when anything is wrong or a goal is missed, 2 for bad
// arguments. docs/EVALUATION.md says what the figures mean.
import { writeFileSync } from 'node:fs';
import { addToGroup } from '../../src/kernel';
import { SCENARIOS } from './generate/scenarios';
import { addCounts } from './score/add-counts';
import { calibrationRows } from './score/calibration';
import { startEngine } from './score/engine';
import { type EvaluateArguments, readEvaluateArguments } from './score/evaluate-arguments';
import { explainWorld } from './score/explain-world';
import { figuresMarkdown } from './score/figures';
import { missedGoals } from './score/goals';
import { makeWorld } from './score/make-world';
import { breakTable, calibrationTable, evidenceTable, scoreTable } from './score/score-table';
import { type ScoredWorlds, scoreWorlds } from './score/score-worlds';
import type { WrongCredit } from './score/world-score';

const HELP = `npm run evaluate -- [options]
  scores the payout inference on generated worlds whose truth is known
  --seeds <n>           how many worlds of each scenario (3)
  --first-seed <n>      the first of them (1)
  --scenarios <a,b>     only these
  --size <factor>       times the items of a scenario (1)
  --jobs <n>            how many worlds at once (2)
  --shuffles <n>        asks again with the files in other orders (0)
  --json <file>         also writes every figure of every world
  --markdown <file>     also writes the tables of docs/EVALUATION.md
  --explain <scenario:seed[:line]>  says of each credit what is true, what was said, and how surely
  --max-error <n>       the limit for --explain (0.001)`;

void main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(`evaluate: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  },
);

async function main(args: readonly string[]): Promise<number> {
  const names = SCENARIOS.map(({ name }) => name);
  const given = readEvaluateArguments(args, names);
  if (typeof given === 'string') {
    console.error(`evaluate: ${given}`);
    return 2;
  }
  if (given.help) {
    console.log(HELP);
    return 0;
  }
  return given.explain === undefined ? evaluate(given, names) : explain(given.explain, given);
}

async function explain(
  { scenario, seed, lineId }: NonNullable<EvaluateArguments['explain']>,
  { size, maxError }: EvaluateArguments,
): Promise<number> {
  const engine = startEngine();
  try {
    console.log(await explainWorld(makeWorld({ scenario, seed, size }), engine, { lineId, maxError }));
    return 0;
  } finally {
    engine.stop();
  }
}

async function evaluate(given: EvaluateArguments, names: readonly string[]): Promise<number> {
  const { seeds, firstSeed, size, shuffles, jobs, json, markdown } = given;
  const questions = (given.scenarios ?? names).flatMap((scenario) =>
    Array.from({ length: seeds }, (_, index) => ({ scenario, seed: firstSeed + index, size, shuffles })),
  );
  const scored = await scoreWorlds(questions, jobs, (done, { scenario, seed }) =>
    console.error(`evaluate: ${done} of ${questions.length}: ${scenario}:${seed}`),
  );
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(scored, undefined, 2)}\n`);
  if (markdown !== undefined) writeFileSync(markdown, `${figuresMarkdown(scored.scores)}\n`);
  return report(scored);
}

function report({ scores, failed }: ScoredWorlds): number {
  const counts = addCounts(scores);
  const tables = [scoreTable(scores), calibrationTable(counts), evidenceTable(counts), breakTable(counts)];
  console.log(tables.join('\n\n'));
  const tooSure = calibrationRows(counts.calibration).filter(({ verdict }) => verdict === 'too sure');
  const wrong = [counts.strict, counts.loose, counts.withDecoys, ...tooSure].flatMap((score) => score.wrong);
  const problems = [
    ...failed.map(({ scenario, seed, why }) => `failed: ${scenario}:${seed}: ${why}`),
    ...wrongTexts(wrong),
    ...missedGoals(counts).map((missed) => `goal missed: ${missed}`),
  ];
  console.log(['', ...(problems.length === 0 ? ['every goal is met'] : problems)].join('\n'));
  return problems.length === 0 ? 0 : 1;
}

/** Returns one line for each wrong credit, with the limits at which it is wrong. */
function wrongTexts(wrong: readonly WrongCredit[]): string[] {
  const limits = new Map<string, number[]>();
  const why = new Map<string, string>();
  for (const { scenario, seed, lineId, maxError, why: reason } of wrong) {
    const name = `${scenario}:${seed}:${lineId}`;
    addToGroup(limits, name, maxError);
    why.set(name, reason);
  }
  return [...limits].map(([name, ats]) => `wrong: ${name} at ${[...new Set(ats)].join(', ')}: ${why.get(name) ?? ''}`);
}
