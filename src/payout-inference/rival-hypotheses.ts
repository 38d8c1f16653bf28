import { hasRefunds } from './compare-answers';
import { contestedCredits } from './contested-credits';
import { inferRival, SWEEP_MODELS, weighOtherwise } from './infer-model';
import { type CardRule, GUESSED_CARD_RULES } from './learn-card-rule';
import type { Channel, Stream } from './match-request';
import type { Explanation, Hypothesis, ModelAnswer } from './model-answer';
import type { PreparedFile } from './prepare-file';

/** A hypothesis is weighed only if its runs meet this share of the credits that are explained. */
const MET_SHARE_MIN = 0.5;
/**
 * The evidence of a hypothesis is less certain than that of a run, so a difference of one nat counts as this part.
 * Rules of the cards without support other than the sums count even less: the true rule may be none of them, but near
 * another.
 */
const NAT_OF_DIFFERENCE = 0.5;
const NAT_OF_GUESS = 0.25;
/** Less likely rivals change no answer. */
const PROBABILITY_MIN = 1e-6;
const LESS_MAX = -Math.log(PROBABILITY_MIN) / NAT_OF_GUESS;
/**
 * The evidence of a file grows with it, and so do differences by chance between two hypotheses, such as the width of
 * their cuts. So a rival that explains as many credits is outweighed by at most this, and by more for each credit that
 * it does not explain.
 */
const LESS_OF_AS_MANY = 4;
const LESS_OF_A_CREDIT = 6;
/** A rival with more evidence is challenged in its turn. */
const ROUNDS_MAX = 3;

/** Another hypothesis that the file does not rule out. */
export interface Rival {
  readonly answer: ModelAnswer;
  readonly probability: number;
}

/** What another hypothesis may differ in. */
export interface Open {
  readonly cardRules: readonly CardRule[];
  /** Whether another model may hold. False after payouts that one model settled. */
  readonly isModelOpen: boolean;
  /** Other streams of `sweep-by-group` that explain almost as many credits. */
  readonly near: readonly (readonly Stream[])[];
  /** Completes an answer before it is compared. */
  readonly finish: (answer: ModelAnswer) => ModelAnswer;
}

export interface Challenged {
  readonly answer: ModelAnswer;
  readonly rivals: readonly Rival[];
}

/** An answer and its evidence. */
interface Candidate {
  readonly answer: ModelAnswer;
  /** The log evidence of the answer. */
  readonly logEvidence: number;
  /** The answer before `finish`. */
  readonly plain: ModelAnswer;
}

/**
 * Compares a hypothesis with similar ones. They differ in the model, the rule of the cards or both, the fee of a
 * refund, whether refunds are taken back, or the learned cut rates. The one with the most evidence wins. The others stay
 * possible, with a probability that falls with the difference. If they pay other items, they add to the error of the
 * credit.
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
    // Of the answers with other rates, only the winner is completed.
    answer: near.includes(strongest) ? strongest.answer : open.finish(strongest.plain),
    rivals: rivalsOf(strongest, all, open.cardRules === GUESSED_CARD_RULES),
  };
}

/** Compares given answers: the one with the most evidence wins, the first of equals, and the others are its rivals. */
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

/** Returns the candidate with the most evidence; of equals the first. */
function mostSupported(first: Candidate, all: readonly Candidate[]): Candidate {
  return all.reduce((a, b) => (b.logEvidence > a.logEvidence ? b : a), first);
}

/**
 * Returns the same hypothesis with other cut rates, of each stream alone and of all together, if credits have other
 * runs of the same amount.
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

/** Returns by how many nats the best candidate outweighs another. One that pays the same items needs no guard. */
function lessThan(best: Candidate, { answer, logEvidence }: Candidate): number {
  if (paysTheSame(best.answer, answer)) return best.logEvidence - logEvidence;
  const unexplained = Math.max(0, cleanlyExplained(best.answer) - cleanlyExplained(answer));
  return Math.min(best.logEvidence - logEvidence, LESS_OF_AS_MANY + LESS_OF_A_CREDIT * unexplained);
}

function paysTheSame(one: ModelAnswer, other: ModelAnswer): boolean {
  return [...one.explanations].every(([credit, [best]]) => {
    const [otherBest] = other.explanations.get(credit) ?? [];
    return best !== undefined && otherBest !== undefined && areSameItems(best, otherBest);
  });
}

function areSameItems({ items }: Explanation, other: Explanation): boolean {
  return items.length === other.items.length && items.every((item, place) => item === other.items[place]);
}

/** Returns the approximate number of credits that clean runs explain. A repair is as rare as a credit without any run. */
function cleanlyExplained({ streams, explained }: ModelAnswer): number {
  const ofRepairs = streams.flatMap(({ weighed }) => weighed.repairs);
  const deviating = streams.flatMap(({ weighed }) => weighed.deviating);
  return (
    explained -
    ofRepairs.reduce((sum, { links, share }) => sum + links.length * share, 0) -
    deviating.reduce((sum, { share }) => sum + share, 0)
  );
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

/**
 * Returns, for each credit by its index, the probability that its likeliest explanation belongs to a false hypothesis.
 */
export function rivalErrors(answer: ModelAnswer, rivals: readonly Rival[]): Map<number, number> {
  const errors = new Map<number, number>();
  if (rivals.length === 0) return errors;
  for (const [credit, [best]] of answer.explanations) {
    if (best === undefined) continue;
    let error = 0;
    for (const { answer: rival, probability } of rivals) {
      const same = (rival.explanations.get(credit) ?? [])
        .filter((other) => areSameItems(best, other))
        .reduce((sum, { share }) => sum + share, 0);
      // The explanation's own uncertainty counts in its share already.
      error += probability * Math.max(0, best.share - same);
    }
    errors.set(credit, error);
  }
  return errors;
}

function nearTo(file: PreparedFile, from: Hypothesis, { cardRules, isModelOpen, near }: Open): Hypothesis[] {
  const channels = new Set<Channel>();
  for (const { channel } of file.request.items) channels.add(channel);
  const hasCards = channels.has('card');
  const models: Pick<Hypothesis, 'model' | 'groups'>[] =
    isModelOpen && channels.size > 1
      ? [
          ...SWEEP_MODELS.filter((model) => hasCards || model !== 'sweep-card-only').map((model) => ({
            model,
            groups: undefined,
          })),
          ...near.map((groups) => ({ model: 'sweep-by-group' as const, groups })),
        ]
      : [];
  const rules = hasCards ? cardRules : [];
  const { fees } = from;
  const isClawbackOpen = fees.rules.length > 0 && hasRefunds(file);
  return [
    ...models.map((model) => ({ ...from, ...model })),
    ...rules.map((cardRule) => ({ ...from, cardRule })),
    ...models.flatMap((model) => rules.map((cardRule) => ({ ...from, ...model, cardRule }))),
    ...(from.withoutRefunds === true ? [{ ...from, withoutRefunds: false }] : []),
    ...(isClawbackOpen
      ? [{ ...from, fees: { ...fees, clawback: fees.clawback === 'kept' ? ('returned' as const) : ('kept' as const) } }]
      : []),
  ];
}

function nameOf({ model, groups, cardRule, fees, withoutRefunds }: Hypothesis): string {
  return JSON.stringify([model, groups ?? null, cardRule ?? null, fees.clawback, withoutRefunds ?? false]);
}
