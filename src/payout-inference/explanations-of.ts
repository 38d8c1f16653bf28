import { at } from './at';
import { type DeviationShares, deviationShares } from './deviation-rates';
import type { Explanation, StreamAnswer } from './model-answer';
import { type CheckedRun, type NearMiss, nearMissError } from './near-miss-error';
import { swapError } from './swap-error';

const NONE_LEFT_OUT: ReadonlySet<number> = new Set();
/** Links with a smaller weight count as none. */
const SHARE_MIN = 1e-7;
/** An explanation that is less likely than this is not resolved, so it needs no further check. */
const NEAR_MISS_SHARE_MIN = 0.01;

interface Candidate extends Explanation {
  /** The share of the likeliest single path, whose cut is reported. */
  readonly ofBest: number;
}

/** Gathers the links and repairs of all streams by credit. Those that pay the same items are one explanation. */
export function explanationsOf(streams: readonly StreamAnswer[]): Map<number, Explanation[]> {
  const byCredit = new Map<number, Map<string, Candidate>>();
  const shares = deviationShares(streams);
  for (const answer of streams) {
    const { sequence, weighed } = answer;
    const { stream } = sequence;
    const nearMissOf = nearMissesOf(answer, shares);
    const swapErrorOf = swapError(answer, shares.moved);
    for (const link of weighed.links) {
      if (link.share < SHARE_MIN) continue;
      const { share, cutFrom, cutTo, tracedFrom } = link;
      const { items, pairs } = itemsOfRun(sequence, link);
      const near = share > NEAR_MISS_SHARE_MIN ? nearMissOf(link) : undefined;
      const bounds = { cutFrom, cutTo, tracedFrom };
      const errors = { nearError: (near?.error ?? 0) + swapErrorOf(link), unsure: near?.unsure };
      const kind = link.lacks === undefined ? ('run' as const) : ('lacking' as const);
      const { lacks } = link;
      add(byCredit, link.credit.index, { stream, items, pairs, share, ...bounds, kind, lacks, ...errors });
    }
    for (const { parts, share, kind } of weighed.repairs) {
      if (share < SHARE_MIN) continue;
      for (const { link, without, withOthers } of parts) {
        const changed = new Set([...without, ...withOthers].map((position) => at(sequence.item, position)));
        const run = itemsOfRun(sequence, link, new Set(without));
        const items = [...run.items.filter((item) => !changed.has(item)), ...itemsAt(sequence, withOthers)];
        add(byCredit, link.credit.index, {
          stream,
          items: items.sort((a, b) => a - b),
          pairs: run.pairs.filter((item) => !changed.has(item)),
          share,
          nearError: share > NEAR_MISS_SHARE_MIN ? nearMissOf(link).error : 0,
          cutFrom: at(sequence.key, link.to - 1),
          cutTo: Math.min(at(sequence.key, link.to), link.credit.latest),
          kind: kind === 'split' ? 'part' : 'sum',
        });
      }
    }
  }
  return new Map(
    [...byCredit].map(([credit, known]) => [credit, [...known.values()].sort((a, b) => b.share - a.share)]),
  );
}

/**
 * Returns the near-miss error of both cuts of a run: an item that the payout before lost unnoticed would be in this
 * one.
 */
function nearMissesOf(answer: StreamAnswer, shares: DeviationShares): (run: CheckedRun) => NearMiss {
  const before = new Map<number, CheckedRun & { readonly share: number }>();
  for (const link of answer.weighed.links) {
    if (link.share > (before.get(link.to)?.share ?? NEAR_MISS_SHARE_MIN)) before.set(link.to, link);
  }
  const known = new Map<string, NearMiss>();
  const upper = (run: CheckedRun): NearMiss => {
    const key = `${run.from} ${run.to}`;
    const found = known.get(key) ?? nearMissError(answer, run, shares);
    known.set(key, found);
    return found;
  };
  return (run) => {
    const above = upper(run);
    if (run.from === 0) return above;
    // If no link leads to the cut, a run as long as this one is assumed before it.
    const guessed = { from: Math.max(0, run.from - (run.to - run.from)), to: run.from, credit: ANY_TIME };
    const below = upper(before.get(run.from) ?? guessed);
    return { error: above.error + below.error, unsure: above.unsure };
  };
}

const ANY_TIME = { earliest: -Infinity, latest: Infinity };

function add(byCredit: Map<number, Map<string, Candidate>>, credit: number, found: Explanation): void {
  const known = byCredit.get(credit) ?? new Map<string, Candidate>();
  const key = `${found.stream}:${found.kind === 'part' ? 'part' : ''}${found.lacks ?? ''}:${found.items.join()}`;
  const before = known.get(key);
  const best = before === undefined || found.share > before.ofBest ? found : before;
  known.set(key, {
    ...best,
    share: Math.min(1, (before?.share ?? 0) + found.share),
    ofBest: Math.max(found.share, before?.ofBest ?? 0),
  });
  byCredit.set(credit, known);
}

function itemsAt(sequence: StreamAnswer['sequence'], positions: readonly number[]): number[] {
  return positions.map((position) => at(sequence.item, position));
}

/**
 * Returns the items of a run without payments that were refunded inside it, and those pairs; indexes in ascending
 * order. A payment whose refund was left out is no pair: it was paid.
 */
export function itemsOfRun(
  sequence: StreamAnswer['sequence'],
  { from, to }: { readonly from: number; readonly to: number },
  leftOut: ReadonlySet<number> = NONE_LEFT_OUT,
): { readonly items: number[]; readonly pairs: number[] } {
  const gone = new Set<number>();
  for (let position = from; position < to; position += 1) {
    const payment = at(sequence.payment, position);
    if (payment >= from && !leftOut.has(position)) gone.add(position).add(payment);
  }
  const items: number[] = [];
  for (let position = from; position < to; position += 1) {
    if (!gone.has(position)) items.push(at(sequence.item, position));
  }
  return { items: items.sort((a, b) => a - b), pairs: itemsAt(sequence, [...gone]).sort((a, b) => a - b) };
}
