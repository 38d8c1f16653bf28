import type { Instant } from '../kernel';
import { chooseSupposition } from './choose-supposition';
import { decideCredits, type DecidedCredit } from './decide-credits';
import { gradeItem } from './grade-items';
import type { Channel, MatchRequest, PayoutModel, Stream } from './match-request';
import type { Evidence, Inference, InferredItem, InferredStream } from './match-result';
import { prepareFile } from './prepare-file';

/**
 * Infers which items each credit paid. Pure: the same content in any order gives the same answer.
 *
 * It puts the items of a stream in the order in which they became available. A payout is the run of items between two
 * cuts; a run that weighs exactly what a credit says is a link. Links that chain through the file speak for each other;
 * all ways through it, those past deviations too, are weighed, and a credit is resolved when hardly any way says else.
 */
export function inferPayouts(request: MatchRequest): Inference {
  const file = prepareFile(request);
  const chosen = chooseSupposition(file);
  const answer = chosen?.answer;
  const decided = decideCredits(file, answer);
  const { items } = request;
  const lineOf = new Array<string | undefined>(items.length);
  const evidenceOf = new Array<Evidence | undefined>(items.length);
  const cancelled = new Uint8Array(items.length);
  for (const { credit, resolvedBy } of decided) {
    if (answer === undefined || resolvedBy === undefined) continue;
    for (const index of resolvedBy.pairs ?? []) cancelled[index] = 1;
    for (const index of resolvedBy.items) {
      lineOf[index] = credit.lineId;
      evidenceOf[index] = gradeItem(file, answer.places, resolvedBy, index);
    }
  }
  for (const index of answer?.cancelled ?? []) cancelled[index] = 1;
  const model = answer?.supposition.model;
  return {
    model,
    fees: answer?.supposition.fees.rules ?? request.fees ?? [],
    feesLearned: chosen?.feesLearned ?? false,
    credits: decided.map(({ credit }) => credit),
    items: items.map(
      ({ itemId, succeededAt, channel }, index) =>
        new KnownItem(
          {
            itemId,
            lineId: lineOf[index],
            evidence: evidenceOf[index],
            stream: streamOf(model, channel),
            cancelled: cancelled[index] === 1,
          },
          answer?.places.after[index] ?? succeededAt - 1,
          answer?.places.until[index] ?? succeededAt,
        ),
    ),
    returned: file.returned,
    streams: streamsOf(decided),
  };
}

function streamOf(model: PayoutModel | undefined, channel: Channel): Stream {
  if (model === 'sweep-all') return 'all';
  return model === 'per-item' ? 'item' : channel;
}

/** One object for each of a million items: its interval is made when somebody asks. */
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
