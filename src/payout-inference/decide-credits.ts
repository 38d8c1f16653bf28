import { millimes, ZERO_MILLIMES } from '../kernel';
import { at, elementAt } from './at';
import { inByteOrder } from './breaks/byte-order';
import { candidatesOf, type CreditErrors, unprovenCandidates } from './candidates';
import type { NotChosen } from './chosen-hypothesis';
import { explainGapCredits, type GapCredit } from './explain-gap-credits';
import { feesOfItems } from './fees-of-items';
import { gradeItem, weakestGrade } from './grade-items';
import type { BankLine } from './match-request';
import { type CreditCause, type CreditOutcome, type InferredCredit, PROPOSAL_ERROR_MAX } from './match-result';
import type { Explanation, ModelAnswer } from './model-answer';
import type { PreparedFile } from './prepare-file';
import { type Rival, rivalErrors } from './rival-hypotheses';

const ERROR_MIN = 1e-9;
/** A common core is reported only if the probability of anything else is at most this. */
const CORE_REST_MAX = 2e-4;
/** If all explanations together are less likely than this, the credit is unexplained. */
const AMBIGUOUS_MIN = 0.02;
const HELD_MIN = 1e-3;
const RESOLVED_TO_PROVE = 3;

interface Answered {
  readonly answer: ModelAnswer;
  readonly accidentError: number;
  readonly rivals: readonly Rival[];
}

/** The outcome of a credit, and the explanation behind it. */
export interface DecidedCredit {
  readonly credit: InferredCredit;
  readonly resolvedBy: Explanation | undefined;
}

/**
 * Decides each credit of the statement, in the order of its lines. `accidentError` is the probability that the whole
 * answer is an accident; `rivals` are other hypotheses that may hold.
 */
export function decideCredits(file: PreparedFile, { answer, accidentError, rivals }: Answered): DecidedCredit[] {
  const gapCredits = explainGapCredits(file, answer);
  const unclear = unclearReturns(file);
  const otherwise = rivalErrors(answer, rivals);
  const decideOne = ({ lineId }: BankLine, index: number, sharesItems: boolean): DecidedCredit =>
    decide(file, answer, index, gapCredits.get(index), {
      accident: accidentError,
      unclearReturn: unclear.get(lineId) ?? 0,
      rivals: otherwise.get(index) ?? 0,
      sharesItems,
    });
  const decided = file.lines.map((line, index) => decideOne(line, index, false));
  const contested = paidTwice(file, decided);
  // Two explanations that hardly any other contradicts cannot share an item. If they do, Millime resolves neither.
  const settled = decided.map((each, index) =>
    contested.has(index) ? decideOne(elementAt(file.lines, index), index, true) : each,
  );
  return isProven(file, answer, settled) ? settled : settled.map(withoutCore);
}

/**
 * Returns whether the model of the answer is proven by its resolved credits or by an earlier run. Otherwise an item
 * that all its explanations share is only true under this model.
 */
function isProven(
  { request: { history } }: PreparedFile,
  { hypothesis }: ModelAnswer,
  decided: readonly DecidedCredit[],
): boolean {
  if (history?.model === hypothesis.model) return true;
  return decided.filter(({ resolvedBy }) => resolvedBy !== undefined).length >= RESOLVED_TO_PROVE;
}

function withoutCore({ credit, resolvedBy }: DecidedCredit): DecidedCredit {
  return resolvedBy === undefined ? { credit: { ...credit, commonCore: [] }, resolvedBy } : { credit, resolvedBy };
}

/** Returns the outcome of each credit if no hypothesis has enough evidence. */
export function undecided(file: PreparedFile, { cutShort, unproven }: NotChosen): DecidedCredit[] {
  const candidates = unproven === undefined ? undefined : unprovenCandidates(file, unproven, cutShort);
  return file.lines.map(({ lineId, amount }, index) => ({
    credit: {
      lineId,
      outcome: cutShort.has(index) ? 'search_cut_short' : 'unexplained',
      itemIds: [],
      commonCore: [],
      proposal: [],
      mayHold: cutShort.has(index) ? undefined : [],
      gross: ZERO_MILLIMES,
      fee: ZERO_MILLIMES,
      tva: ZERO_MILLIMES,
      remainder: amount,
      evidence: undefined,
      claimedError: 1,
      cut: undefined,
      stream: undefined,
      cause: 'none',
      candidates: candidates?.(index) ?? [],
    },
    resolvedBy: undefined,
  }));
}

/**
 * Returns, by line, the probability that the debit gave back another of several equal credits. It covers those credits
 * and the credits that replaced them.
 */
function unclearReturns({ returned }: PreparedFile): Map<string, number> {
  const errors = new Map<string, number>();
  for (const { lineId, orElse } of returned) {
    if (orElse.length > 0) {
      for (const each of [lineId, ...orElse]) errors.set(each, orElse.length / (orElse.length + 1));
    }
  }
  for (const { lineId, paidAgainLineId } of returned) {
    const error = errors.get(lineId);
    if (error !== undefined && paidAgainLineId !== undefined) errors.set(paidAgainLineId, error);
  }
  return errors;
}

/** Returns the credits that were resolved by the same item. */
function paidTwice({ request }: PreparedFile, decided: readonly DecidedCredit[]): Set<number> {
  const paidBy = new Int32Array(request.items.length).fill(-1);
  const contested = new Set<number>();
  decided.forEach(({ resolvedBy }, credit) => {
    for (const item of resolvedBy?.items ?? []) {
      const other = at(paidBy, item);
      if (other >= 0) contested.add(other).add(credit);
      paidBy[item] = credit;
    }
  });
  return contested;
}

function decide(
  file: PreparedFile,
  answer: ModelAnswer,
  index: number,
  gapCredit: GapCredit | undefined,
  errors: CreditErrors,
): DecidedCredit {
  const explanations = answer.explanations.get(index) ?? [];
  const { lineId, amount } = elementAt(file.lines, index);
  const [best] = explanations;
  const total = explanations.reduce((sum, { share }) => sum + share, 0);
  const others = total - (best?.share ?? 0);
  const modelError = errors.sharesItems ? 1 : Math.max(errors.accident, errors.unclearReturn) + errors.rivals;
  const isCutShort = answer.cutShort.has(index);
  const error =
    best === undefined ? 1 : Math.min(1, Math.max(ERROR_MIN, 1 - best.share, others) + best.nearError + modelError);
  // A part of a payout does not prove the whole payout, and a credit that lacks an amount is not its items.
  const isSure = best !== undefined && best.kind !== 'part' && best.kind !== 'lacking';
  const isResolved = isSure && error <= file.request.maxError;
  const outcome = outcomeOf(isResolved, total, isCutShort, gapCredit);
  const base = {
    lineId,
    outcome,
    claimedError: error,
    cut: best === undefined ? undefined : { after: best.cutFrom, until: best.cutTo },
    stream: best?.stream ?? gapCredit?.stream,
  };
  if (best !== undefined && isResolved) {
    return { credit: resolvedCredit(file, answer, base, best, amount), resolvedBy: best };
  }
  const coreError = explanations.reduce((sum, { share, nearError }) => sum + share * nearError, 1 - total + modelError);
  const isClosed =
    outcome === 'ambiguous' && coreError <= CORE_REST_MAX && explanations.every(({ kind }) => kind === 'run');
  const credit: InferredCredit = {
    ...base,
    itemIds: [],
    mayHold: heldIds(file, outcome, explanations, gapCredit),
    commonCore: isClosed ? idsOf(file, coreOf(explanations)) : [],
    proposal: isSure && error <= PROPOSAL_ERROR_MAX ? idsOf(file, best.items) : [],
    gross: ZERO_MILLIMES,
    fee: ZERO_MILLIMES,
    tva: ZERO_MILLIMES,
    remainder: millimes(best?.lacks === undefined ? (gapCredit?.remainder ?? amount) : -best.lacks),
    evidence: undefined,
    cut: base.cut ?? gapCredit?.cut,
    cause: causeOf(outcome, best, gapCredit),
    candidates: candidatesOf(file, answer, { index, explanations, gapCredit, errors, claimedError: error, isCutShort }),
  };
  return { credit, resolvedBy: undefined };
}

function resolvedCredit(
  file: PreparedFile,
  answer: ModelAnswer,
  base: Pick<InferredCredit, 'lineId' | 'outcome' | 'claimedError' | 'cut' | 'stream'>,
  best: Explanation,
  amount: number,
): InferredCredit {
  const { gross, fee, tva } = feesOfItems(file, answer, best, amount);
  const ids = idsOf(file, best.items);
  return {
    ...base,
    itemIds: ids,
    commonCore: ids,
    proposal: [],
    gross: millimes(gross),
    fee: millimes(fee),
    tva: millimes(tva),
    remainder: ZERO_MILLIMES,
    evidence: weakestGrade(best.items.map((item) => gradeItem(file, answer.availability, best, item))),
    cause: 'none',
  };
}

function outcomeOf(
  isResolved: boolean,
  total: number,
  isCutShort: boolean,
  gapCredit: GapCredit | undefined,
): CreditOutcome {
  if (isResolved) return 'resolved';
  if (isCutShort) return 'search_cut_short';
  return total >= AMBIGUOUS_MIN || gapCredit !== undefined ? 'ambiguous' : 'unexplained';
}

function causeOf(outcome: CreditOutcome, best: Explanation | undefined, gapCredit: GapCredit | undefined): CreditCause {
  if (outcome !== 'ambiguous') return 'none';
  if (best?.kind === 'part' && best.share > 0.5) return 'split';
  if (best?.kind === 'lacking') return 'unknown_amount';
  if (gapCredit !== undefined && (best === undefined || best.share < 0.5)) {
    return gapCredit.lacksFee ? 'fee_unknown' : 'unknown_amount';
  }
  return 'competing';
}

/**
 * Returns the items of the explanations that are not negligible; undefined if no explanation is good enough to bound
 * them.
 */
function heldIds(
  file: PreparedFile,
  outcome: CreditOutcome,
  explanations: readonly Explanation[],
  gapCredit: GapCredit | undefined,
): string[] | undefined {
  if (outcome === 'search_cut_short') return undefined;
  const total = explanations.reduce((sum, { share }) => sum + share, 0);
  if (outcome === 'ambiguous' && gapCredit === undefined && total < 0.5) return undefined;
  const held = new Set<number>(gapCredit?.items);
  for (const { items, share } of explanations) if (share > HELD_MIN) for (const item of items) held.add(item);
  return idsOf(file, [...held]);
}

function coreOf(explanations: readonly Explanation[]): number[] {
  const [first, ...rest] = explanations;
  if (first === undefined) return [];
  let core = new Set(first.items);
  for (const { items } of rest) core = new Set(items.filter((item) => core.has(item)));
  return [...core];
}

function idsOf({ request }: PreparedFile, indexes: readonly number[]): string[] {
  return inByteOrder(indexes.map((index) => elementAt(request.items, index).itemId));
}
