import type { Instant } from '../kernel';
import { at, elementAt } from './at';
import { groupsBefore, streamOf } from './channel-groups';
import { chooseHypothesis } from './choose-hypothesis';
import { decideCredits, type DecidedCredit, undecided } from './decide-credits';
import { gradeItem } from './grade-items';
import { inferBesideAsserted, type InferredFile } from './infer-beside-asserted';
import { type Availability, itemAvailability } from './item-availability';
import { type CardRule, learnCardRules } from './learn-card-rule';
import type { History, MatchRequest, Stream } from './match-request';
import type { Evidence, Inference, InferredItem, InferredStream } from './match-result';
import type { Hypothesis } from './model-answer';
import { type PreparedFile, prepareFile } from './prepare-file';

/**
 * Infers which items each credit paid. Pure: the same content in any order gives the same answer.
 *
 * It puts the items of a stream in the order in which they became available. A payout is the run of items between two
 * cuts. A run whose payout is exactly the amount of a credit is a link. Links that form a chain through the file
 * support each other. All paths through the file are weighed, also those with deviations. A credit is resolved if
 * hardly any path disagrees.
 */
export function inferPayouts(request: MatchRequest): Inference {
  return inferBesideAsserted(request, inferFile);
}

function inferFile(request: MatchRequest): InferredFile {
  const file = prepareFile(request);
  const chosen = chooseHypothesis(file);
  const { answer } = chosen;
  const decided = answer === undefined ? undecided(file, chosen) : decideCredits(file, chosen);
  const { items } = request;
  const lineOf = new Array<string | undefined>(items.length);
  const evidenceOf = new Array<Evidence | undefined>(items.length);
  const cancelled = new Uint8Array(items.length);
  for (const { credit, resolvedBy } of decided) {
    if (answer === undefined || resolvedBy === undefined) continue;
    for (const index of resolvedBy.pairs ?? []) cancelled[index] = 1;
    for (const index of resolvedBy.items) {
      lineOf[index] = credit.lineId;
      evidenceOf[index] = gradeItem(file, answer.availability, resolvedBy, index);
    }
  }
  for (const index of answer?.cancelled ?? []) cancelled[index] = 1;
  // The model that earlier runs learned still holds if no new credit exists.
  const model = answer?.hypothesis ?? modelBefore(request.history);
  const availability = answer?.availability ?? itemAvailability(items, file.bounds, cardRuleOf(file), file.grid);
  for (const index of pairsBehindLastCut(file, model, availability)) cancelled[index] = 1;
  const inference = {
    model: model?.model,
    fees: answer?.hypothesis.fees.rules ?? request.fees ?? [],
    feesLearned: answer !== undefined && chosen.feesLearned,
    credits: decided.map(({ credit }) => credit),
    items: items.map(
      ({ itemId, channel }, index) =>
        new KnownItem(
          {
            itemId,
            lineId: lineOf[index],
            evidence: evidenceOf[index],
            stream: model === undefined ? channel : streamOf(model, channel),
            cancelled: cancelled[index] === 1,
          },
          at(availability.after, index),
          at(availability.until, index),
        ),
    ),
    returned: file.returned,
    streams: streamsOf(decided),
  };
  return { inference, explanationOf: (credit) => answer?.explanations.get(credit)?.[0] };
}

function cardRuleOf({ request, bounds, grid }: PreparedFile): CardRule | undefined {
  return learnCardRules(request.items, bounds, grid)[0];
}

function modelBefore(history: History | undefined): Pick<Hypothesis, 'model' | 'groups'> | undefined {
  return history === undefined ? undefined : { model: history.model, groups: groupsBefore(history) };
}

/** Returns payments with their refunds that both lie before the last settled cut: they left together in that payout. */
function pairsBehindLastCut(
  file: PreparedFile,
  model: Pick<Hypothesis, 'model' | 'groups'> | undefined,
  availability: Availability,
): number[] {
  const { items, history } = file.request;
  if (history === undefined || model === undefined || history.model !== model.model) return [];
  const lastCutOf = new Map<Stream, Instant>();
  for (const { stream, cut } of history.payouts) {
    lastCutOf.set(stream, Math.max(cut.after, lastCutOf.get(stream) ?? -Infinity));
  }
  return items.flatMap(({ channel, amount, refundOf }, refund) => {
    const payment = refundOf === undefined ? undefined : file.indexOf.get(refundOf);
    const lastCut = lastCutOf.get(streamOf(model, channel));
    if (payment === undefined || lastCut === undefined || elementAt(items, payment).amount + amount !== 0) return [];
    return Math.max(at(availability.until, refund), at(availability.until, payment)) <= lastCut
      ? [refund, payment]
      : [];
  });
}

/** One object for each of a million items, so the interval is created only when it is read. */
class KnownItem implements InferredItem {
  readonly itemId: string;
  readonly lineId: string | undefined;
  readonly evidence: Evidence | undefined;
  readonly stream: Stream;
  readonly cancelled: boolean;
  readonly #after: Instant;
  readonly #until: Instant;

  constructor(known: Omit<InferredItem, 'available'>, after: Instant, until: Instant) {
    this.itemId = known.itemId;
    this.lineId = known.lineId;
    this.evidence = known.evidence;
    this.stream = known.stream ?? 'all';
    this.cancelled = known.cancelled;
    this.#after = after;
    this.#until = until;
  }

  get available(): InferredItem['available'] {
    return { after: this.#after, until: this.#until };
  }
}

function streamsOf(decided: readonly DecidedCredit[]): InferredStream[] {
  const streams = new Map<Stream, InferredStream>();
  for (const { resolvedBy } of decided) {
    if (resolvedBy === undefined) continue;
    const { stream, cutFrom, cutTo } = resolvedBy;
    const before = streams.get(stream);
    const cut = { after: cutFrom, until: cutTo };
    const isLater = before?.lastCut === undefined || cut.after > before.lastCut.after;
    streams.set(stream, {
      stream,
      resolved: (before?.resolved ?? 0) + 1,
      lastCut: isLater ? cut : before.lastCut,
    });
  }
  return [...streams.values()].sort((a, b) => (a.stream < b.stream ? -1 : 1));
}
