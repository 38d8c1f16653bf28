import { addDays, millimes } from '../kernel';
import { inferModel, WINDOW_MS, type ModelAnswer, type StreamAnswer, type Supposition } from './infer-model';
import { hasFringeAtCuts, mayHaveFringe } from './fringe/has-fringe';
import { solveFringes } from './fringe/solve-fringes';
import { learnCardRules, type CardRule } from './learn-card-rule';
import { learnBudget, learnFees, type LearnBudget, type LearnedTerms } from './learn-fees';
import { CHANNELS, type Channel, type FeeRule } from './match-request';
import { inferPerItem } from './per-item/infer-per-item';
import type { PreparedFile } from './prepare-file';

const MODELS = ['sweep-all', 'sweep-per-channel', 'sweep-card-only'] as const;
/** What chance reaches among the suppositions that are always tried, and among all fees of the grid. */
const EVIDENCE_MIN = 8;
const EVIDENCE_OF_LEARNED_MIN = 25;
const EVIDENCE_OF_CHANCE = 11;
const EVIDENCE_OF_CHANCE_LEARNED = 20;
/** Payouts that were settled before, and what the same model must explain to go on. */
const PAYOUTS_BEFORE_MIN = 3;
const EVIDENCE_AS_BEFORE_MIN = 1;
/** So large a share of the credits explained leaves no question open. */
const CLEAR_SHARE = 0.9;
/** Stretches of the file with fees of their own. */
const FEE_CHANGES_MAX = 1;
const STARTS_TRIED = 120;
/** With fewer credits for each item, payouts are not of single items. */
const PER_ITEM_CREDITS_MIN = 0.3;
const MOST_CREDITS = 0.6;
/** Two cuts a day for each channel. */
const SWEEPS_PER_DAY_MAX = 2 * CHANNELS.length;

export interface Chosen {
  readonly answer: ModelAnswer;
  /** The chance that the credits fit by accident, among all that was tried. */
  readonly doubt: number;
  readonly feesLearned: boolean;
}

/** The supposition for which the file speaks loudest; undefined when it speaks for none. */
export function chooseSupposition(file: PreparedFile): Chosen | undefined {
  const cardRules = learnCardRules(file.request.items, file.polls, file.grid);
  const perItem = bestPerItem(file, cardRules);
  if (perItem !== undefined && isClear(file, perItem) && hasCrowdedDays(file)) return chosenOf(file, perItem);
  const sweep = chooseSweep(file, cardRules);
  return isBetterThanSweep(file, perItem, sweep?.answer) ? chosenOf(file, perItem) : sweep;
}

/** Many credits for few items are worth a look at them one by one. */
function bestPerItem(file: PreparedFile, cardRules: readonly CardRule[]): ModelAnswer | undefined {
  if (file.credits.length < PER_ITEM_CREDITS_MIN * file.request.items.length) return undefined;
  let best: ModelAnswer | undefined;
  for (const cardRule of cardRules) {
    best = betterOf(best, inferPerItem(file, file.request.fees, cardRule));
    if (isClear(file, best)) return best;
  }
  return best;
}

/** More credits on a day than any sweep makes. */
function hasCrowdedDays(file: PreparedFile): boolean {
  const days = new Set(file.credits.map(({ bookingDay }) => bookingDay));
  return file.credits.length > SWEEPS_PER_DAY_MAX * days.size;
}

/**
 * Where both explain the same, a sweep of one item is still a sweep. But credits of which most are one item each are no
 * sweeps, whatever sums beside them fit.
 */
function isBetterThanSweep(
  { credits }: PreparedFile,
  perItem: ModelAnswer | undefined,
  sweep: ModelAnswer | undefined,
): perItem is ModelAnswer {
  if (perItem === undefined || perItem.evidence < EVIDENCE_OF_LEARNED_MIN) return false;
  if (sweep === undefined) return true;
  if (perItem.explained <= sweep.explained) return false;
  return perItem.evidence > sweep.evidence || perItem.explained >= MOST_CREDITS * credits.length;
}

function chosenOf({ request }: PreparedFile, answer: ModelAnswer): Chosen {
  const feesLearned = request.fees === undefined && answer.supposition.fees.rules.length > 0;
  return { answer, feesLearned, doubt: doubtOf(answer, feesLearned) };
}

function chooseSweep(file: PreparedFile, cardRules: readonly CardRule[]): Chosen | undefined {
  const given = file.request.fees;
  const asBefore = bestAsBefore(file, cardRules);
  if (asBefore !== undefined) return { answer: withFringes(file, asBefore), feesLearned: false, doubt: 0 };
  const plain = bestOf(
    file,
    MODELS.flatMap((model) =>
      cardRules.map((cardRule): Supposition => ({
        model,
        cardRule,
        fees: { rules: given ?? [], clawback: 'kept' },
      })),
    ),
  );
  let best = plain;
  if (given !== undefined && given.length > 0 && hasRefunds(file) && best !== undefined) {
    best = betterOf(
      best,
      bestOf(
        file,
        MODELS.map((model): Supposition => ({
          model,
          cardRule: plain?.supposition.cardRule,
          fees: { rules: given, clawback: 'returned' },
        })),
      ),
    );
  }
  if (!isClear(file, best)) best = betterOf(best, bestChain(file, cardRules[0], given ?? []));
  if (given === undefined && !isClear(file, best)) {
    const learned = learnSupposition(file, best);
    if (learned !== undefined && learned.evidence > Math.max(EVIDENCE_OF_LEARNED_MIN, best?.evidence ?? 0)) {
      return { answer: withFringes(file, learned), feesLearned: true, doubt: doubtOf(learned, true) };
    }
  }
  if (best === undefined || best.evidence < EVIDENCE_MIN) return undefined;
  if (isOnlyCards(best)) best = inferModel(file, { ...best.supposition, model: 'sweep-card-only' });
  return { answer: withFringes(file, best), feesLearned: false, doubt: doubtOf(best, false) };
}

/** What earlier runs settled needs no proof again: a single credit goes on where the last one ended. */
function bestAsBefore(file: PreparedFile, cardRules: readonly CardRule[]): ModelAnswer | undefined {
  const { history, fees } = file.request;
  const model = MODELS.find((name) => name === history?.model);
  if (model === undefined || (history?.payouts.length ?? 0) < PAYOUTS_BEFORE_MIN) return undefined;
  const clawbacks = hasRefunds(file) && (fees ?? []).length > 0 ? (['kept', 'returned'] as const) : (['kept'] as const);
  const best = bestOf(
    file,
    cardRules.flatMap((cardRule) =>
      clawbacks.map((clawback): Supposition => ({ model, cardRule, fees: { rules: fees ?? [], clawback } })),
    ),
  );
  return best !== undefined && best.evidence >= EVIDENCE_AS_BEFORE_MIN ? best : undefined;
}

/** Where cuts may lie inside the intervals of many items, no run between two of them is exact. */
function bestChain(
  file: PreparedFile,
  cardRule: CardRule | undefined,
  rules: readonly FeeRule[],
): ModelAnswer | undefined {
  let best: ModelAnswer | undefined;
  for (const model of MODELS) {
    const supposition: Supposition = { model, cardRule, fees: { rules, clawback: 'kept' } };
    if (!mayHaveFringe(file, supposition)) return undefined;
    const solved = solveFringes(file, inferModel(file, supposition));
    if (solved.evidence >= EVIDENCE_OF_LEARNED_MIN) best = betterOf(best, solved);
    if (isClear(file, best)) break;
  }
  return best;
}

/** Items that may stand on either side of a cut compete with the runs. */
function withFringes(file: PreparedFile, answer: ModelAnswer): ModelAnswer {
  return hasFringeAtCuts(file, answer) ? solveFringes(file, answer) : answer;
}

/** Without it an account that was never paid resolves a credit now and then: so much evidence chance alone makes. */
function doubtOf({ evidence }: ModelAnswer, feesLearned: boolean): number {
  return Math.exp(Math.min(0, (feesLearned ? EVIDENCE_OF_CHANCE_LEARNED : EVIDENCE_OF_CHANCE) - evidence));
}

/** Channels that nothing pays are not paid by a model that pays them all. */
function isOnlyCards({ supposition, streams }: ModelAnswer): boolean {
  if (supposition.model !== 'sweep-per-channel') return false;
  const paid = streams.filter(({ weighed }) => weighed.evidence >= EVIDENCE_MIN).map(({ line }) => line.stream);
  return paid.length === 1 && paid[0] === 'card' && streams.length > 1;
}

function isClear(file: PreparedFile, answer: ModelAnswer | undefined): boolean {
  return answer !== undefined && answer.explained >= CLEAR_SHARE * file.credits.length;
}

/** Stops at the first that leaves no question open. */
function bestOf(file: PreparedFile, suppositions: readonly Supposition[]): ModelAnswer | undefined {
  let best: ModelAnswer | undefined;
  for (const supposition of suppositions) {
    best = betterOf(best, inferModel(file, supposition));
    if (isClear(file, best)) return best;
  }
  return best;
}

function betterOf(a: ModelAnswer | undefined, b: ModelAnswer | undefined): ModelAnswer | undefined {
  if (a === undefined) return b;
  return b !== undefined && b.evidence > a.evidence ? b : a;
}

/** Learns the fees of each stream by itself, then those after a change. */
function learnSupposition(file: PreparedFile, plain: ModelAnswer | undefined): ModelAnswer | undefined {
  const budget = learnBudget();
  let best: ModelAnswer | undefined;
  for (const model of MODELS) {
    const cardRule = plain?.supposition.cardRule ?? learnCardRules(file.request.items, file.polls, file.grid)[0];
    const base: Supposition = { model, cardRule, fees: { rules: [], clawback: 'kept' } };
    const bare = plain !== undefined && plain.supposition.model === model ? plain : inferModel(file, base);
    const answer = learnStreams(file, budget, bare);
    if (answer === undefined) continue;
    best = betterOf(best, answer);
    if (isClear(file, best)) break;
  }
  for (let change = 0; change < FEE_CHANGES_MAX && best !== undefined && !isClear(file, best); change += 1) {
    best = betterOf(best, learnChange(file, budget, best));
  }
  return best;
}

function learnStreams(file: PreparedFile, budget: LearnBudget, bare: ModelAnswer): ModelAnswer | undefined {
  let best: ModelAnswer | undefined;
  let rules: FeeRule[] = [];
  let clawback = bare.supposition.fees.clawback;
  for (const stream of bare.streams) {
    // A stream whose credits are explained without a fee has none.
    if (stream.weighed.evidence > EVIDENCE_OF_LEARNED_MIN) continue;
    const candidates =
      learnFrom(file, budget, stream, [0]) ?? learnFrom(file, budget, stream, spreadStarts(stream)) ?? [];
    let ofStream: ModelAnswer | undefined;
    for (const candidate of candidates) {
      const tried = inferModel(file, {
        ...bare.supposition,
        fees: { rules: [...rules, ...rulesOf(candidate)], clawback: candidate.clawback },
      });
      ofStream = betterOf(ofStream, tried);
    }
    if (ofStream === undefined || ofStream.evidence <= (best ?? bare).evidence) continue;
    best = ofStream;
    rules = [...ofStream.supposition.fees.rules];
    clawback = ofStream.supposition.fees.clawback;
  }
  if (best !== undefined && clawback === 'kept' && hasRefunds(file)) {
    best = betterOf(best, inferModel(file, { ...best.supposition, fees: { rules, clawback: 'returned' } }));
  }
  return best;
}

function learnFrom(
  file: PreparedFile,
  budget: LearnBudget,
  stream: StreamAnswer,
  starts: readonly number[],
  after = -Infinity,
): LearnedTerms[] | undefined {
  const present = [...new Set(stream.line.channel)]
    .map((channel) => CHANNELS[channel])
    .filter((channel) => channel !== undefined);
  const learned = learnFees({
    line: stream.line,
    credits: file.credits.filter(({ latest }) => latest > after),
    grid: file.grid,
    windowMs: WINDOW_MS,
    budget,
    starts,
    channelSets: channelSets(present),
    clawbacks: hasRefunds(file) ? ['kept', 'returned'] : ['kept'],
  });
  return learned.length > 0 ? learned : undefined;
}

/** All channels alike, one alone, or all but one. */
function channelSets(present: readonly Channel[]): Channel[][] {
  if (present.length <= 1) return [[...present]];
  const ordered = CHANNELS.filter((channel) => present.includes(channel));
  return [
    ordered,
    ...ordered.map((channel) => [channel]),
    ...(ordered.length > 2 ? ordered.map((channel) => ordered.filter((other) => other !== channel)) : []),
  ];
}

/** Where a first payout may begin when the file begins in the middle of one. */
function spreadStarts({ line }: StreamAnswer): number[] {
  const starts: number[] = [];
  for (let position = 0; position < line.size && starts.length < STARTS_TRIED; position += 1) {
    if (line.isBoundary[position] === 1) starts.push(position);
  }
  return starts;
}

/** Behind the last cut that is sure the fees may be others: each later day is tried as the first with new terms. */
function learnChange(file: PreparedFile, budget: LearnBudget, before: ModelAnswer): ModelAnswer | undefined {
  let best: ModelAnswer | undefined;
  for (const stream of before.streams) {
    const sure = stream.weighed.links.filter(({ share }) => share > 0.9);
    const last = sure.reduce<(typeof sure)[number] | undefined>(
      (l, link) => (l === undefined || link.to > l.to ? link : l),
      undefined,
    );
    const first = sure.reduce<(typeof sure)[number] | undefined>(
      (l, link) => (l === undefined || link.to < l.to ? link : l),
      undefined,
    );
    if (last === undefined || first === undefined) continue;
    const candidates = learnFrom(file, budget, stream, [last.to], last.cutFrom) ?? [];
    for (const candidate of candidates) {
      const from = addDays(file.grid.dateOf(file.grid.dayOf(last.cutFrom)), 1);
      const tried = inferModel(file, {
        ...before.supposition,
        fees: {
          ...before.supposition.fees,
          rules: [...before.supposition.fees.rules, ...rulesOf(candidate).map((rule) => ({ ...rule, from }))],
        },
      });
      best = betterOf(best, tried);
    }
  }
  return best;
}

function rulesOf({ terms, basis, channels }: LearnedTerms): FeeRule[] {
  return channels.map((channel) => ({
    channel,
    ratePpm: terms.ratePpm,
    fixedMillimes: millimes(terms.fixedMillimes),
    tvaPpm: terms.tvaPpm,
    rounding: terms.rounding,
    basis,
  }));
}

function hasRefunds({ request }: PreparedFile): boolean {
  return request.items.some(({ refundOf }) => refundOf !== undefined);
}
