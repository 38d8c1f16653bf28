import { hasRefunds } from './compare-answers';
import { contestedCredits } from './contested-credits';
import { inferRival, SWEEP_MODELS, weighOtherwise } from './infer-model';
import { type CardRule, GUESSED_CARD_RULES } from './learn-card-rule';
import type { Channel } from './match-request';
import type { Hypothesis, ModelAnswer } from './model-answer';
import type { PreparedFile } from './prepare-file';

/** A hypothesis whose runs meet fewer of the credits than this share of those that are explained is not weighed. */
const MET_SHARE_MIN = 0.5;
/**
 * What the file says of a hypothesis is less sure than what it says of a run: so much of a nat of difference counts. Rules of
 * the cards that nothing but the sums speaks for count less still: the true one may be none of them, and next to the other.
 */
const NAT_OF_DIFFERENCE = 0.5;
const NAT_OF_GUESS = 0.25;
/** Less likely ones change no answer. */
const PROBABILITY_MIN = 1e-6;
const LESS_MAX = -Math.log(PROBABILITY_MIN) / NAT_OF_GUESS;
/**
 * The evidence of a file grows with it, also for what two hypotheses differ in by chance, as how wide their cuts are. One
 * that explains as many credits is outweighed by so much at the most, and by so much more for each credit that it does not.
 */
const LESS_OF_AS_MANY = 4;
const LESS_OF_A_CREDIT = 6;
/** One with more evidence is challenged in its turn. */
const ROUNDS_MAX = 3;

/** Another hypothesis that the file does not rule out. */
export interface Rival {
  readonly answer: ModelAnswer;
  readonly probability: number;
}

/** What another hypothesis may be in: everything, but for what is known. */
export interface Open {
  readonly cardRules: readonly CardRule[];
  /** Whether another model may hold; not behind payouts that were settled by one. */
  readonly isModelOpen: boolean;
  /** What is done with an answer before it is compared. */
  readonly finish: (answer: ModelAnswer) => ModelAnswer;
}

export interface Challenged {
  readonly answer: ModelAnswer;
  readonly rivals: readonly Rival[];
}

/** An answer, and its evidence. */
interface Candidate {
  readonly answer: ModelAnswer;
  /** A logarithm, as the evidence of an answer. */
  readonly logEvidence: number;
  /** What it was before it was finished. */
  readonly plain: ModelAnswer;
}

/**
 * Holds a hypothesis against those that differ from it little: in the model, the rule of the cards or both, the fee of a
 * refund, or the cut rates that are learned with it. The one with the most evidence is taken. The others stay possible, the likelier the
 * less they are outweighed: where they pay other items, they add to the error of the credit.
 */
export function challenge(file: PreparedFile, first: ModelAnswer, open: Open): Challenged {
  const finished = (plain: ModelAnswer): Candidate => {
    const answer = open.finish(plain);
    return { answer, logEvidence: answer.logEvidence, plain };
  };
  let best = finished(first);
  const known = new Map([[nameOf(first.hypothesis), best]]);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    for (const hypothesis of nearTo(file, best.plain.hypothesis, open)) {
      const name = nameOf(hypothesis);
      if (known.has(name)) continue;
      const answer = inferRival(file, hypothesis, {
        answer: best.plain,
        creditsMin: MET_SHARE_MIN * best.plain.explained,
      });
      if (answer !== undefined) known.set(name, finished(answer));
    }
    const strongest = mostSupported(best, [...known.values()]);
    if (strongest === best) break;
    best = strongest;
  }
  const near = [...known.values()].filter((each) => lessThan(best, each) < LESS_MAX);
  const all = near.flatMap((each) => [each, ...withOtherRates(file, each)]);
  const strongest = mostSupported(best, all);
  return {
    // Of those with other rates only the one that is taken is worth finishing.
    answer: near.includes(strongest) ? strongest.answer : open.finish(strongest.plain),
    rivals: rivalsOf(strongest, all, open.cardRules === GUESSED_CARD_RULES),
  };
}

/** The same for given answers: the one with the most evidence, of equals the first, and the others as its rivals. */
export function mostSupportedAmong(
  answers: readonly ModelAnswer[],
  cardRules: readonly CardRule[],
): Challenged | undefined {
  const all = answers.map((answer): Candidate => ({ answer, logEvidence: answer.logEvidence, plain: answer }));
  const [first] = all;
  if (first === undefined) return undefined;
  const strongest = mostSupported(first, all);
  return { answer: strongest.answer, rivals: rivalsOf(strongest, all, cardRules === GUESSED_CARD_RULES) };
}

/** Of equals the first. */
function mostSupported(first: Candidate, all: readonly Candidate[]): Candidate {
  return all.reduce((a, b) => (b.logEvidence > a.logEvidence ? b : a), first);
}

/**
 * The same hypothesis with other cut rates, where credits have another run that weighs as much: of each stream alone, and of all
 * of them together.
 */
function withOtherRates(file: PreparedFile, { plain, logEvidence }: Candidate): Candidate[] {
  const open = plain.streams.flatMap((stream, place) =>
    contestedCredits(stream.weighed.links).size > 0 ? [place] : [],
  );
  const sets = open.length > 1 ? [...open.map((place) => [place]), open] : open.map((place) => [place]);
  return sets.map((streams) => {
    const answer = weighOtherwise(file, plain, new Set(streams));
    return { answer, plain: answer, logEvidence: logEvidence + answer.logEvidence - plain.logEvidence };
  });
}

/** By how many nats one is outweighed by the best. */
function lessThan(best: Candidate, { answer, logEvidence }: Candidate): number {
  const unexplained = Math.max(0, best.answer.explained - answer.explained);
  return Math.min(best.logEvidence - logEvidence, LESS_OF_AS_MANY + LESS_OF_A_CREDIT * unexplained);
}

function rivalsOf(best: Candidate, all: readonly Candidate[], areGuesses: boolean): Rival[] {
  const weighed = all
    .filter((each) => each !== best)
    .map((each) => {
      const isGuess = areGuesses && each.answer.hypothesis.cardRule !== best.answer.hypothesis.cardRule;
      const nat = isGuess ? NAT_OF_GUESS : NAT_OF_DIFFERENCE;
      return { answer: each.answer, weight: Math.exp(-nat * lessThan(best, each)) };
    });
  const total = weighed.reduce((sum, { weight }) => sum + weight, 1);
  return weighed
    .map(({ answer, weight }) => ({ answer, probability: weight / total }))
    .filter(({ probability }) => probability >= PROBABILITY_MIN);
}

/** How likely it is, for each credit by its index, that the likeliest explanation is of a hypothesis that does not hold. */
export function rivalErrors(answer: ModelAnswer, rivals: readonly Rival[]): Map<number, number> {
  const errors = new Map<number, number>();
  if (rivals.length === 0) return errors;
  for (const [credit, [best]] of answer.explanations) {
    if (best === undefined) continue;
    const items = best.items.join();
    let error = 0;
    for (const { answer: rival, probability } of rivals) {
      const same = (rival.explanations.get(credit) ?? [])
        .filter((other) => other.items.length === best.items.length && other.items.join() === items)
        .reduce((sum, { share }) => sum + share, 0);
      error += probability * Math.max(0, 1 - same);
    }
    errors.set(credit, error);
  }
  return errors;
}

function nearTo(file: PreparedFile, from: Hypothesis, { cardRules, isModelOpen }: Open): Hypothesis[] {
  const channels = new Set<Channel>();
  for (const { channel } of file.request.items) channels.add(channel);
  const hasCards = channels.has('card');
  const models =
    isModelOpen && channels.size > 1 ? SWEEP_MODELS.filter((model) => hasCards || model !== 'sweep-card-only') : [];
  const rules = hasCards ? cardRules : [];
  const { fees } = from;
  const isClawbackOpen = fees.rules.length > 0 && hasRefunds(file);
  return [
    ...models.map((model) => ({ ...from, model })),
    ...rules.map((cardRule) => ({ ...from, cardRule })),
    ...models.flatMap((model) => rules.map((cardRule) => ({ ...from, model, cardRule }))),
    ...(isClawbackOpen
      ? [{ ...from, fees: { ...fees, clawback: fees.clawback === 'kept' ? ('returned' as const) : ('kept' as const) } }]
      : []),
  ];
}

function nameOf({ model, cardRule, fees }: Hypothesis): string {
  return JSON.stringify([model, cardRule ?? null, fees.clawback]);
}
