import { at } from './at';
import { chanceOfState, type MovedRates } from './cut-states';
import { isPlain, linksNear, linksSwapped, nameOfLink, plainLink } from './deviating-links';
import { continuationOf, type CountedDeviations, deviationOf, deviationRates } from './deviation-rates';
import { findGaps, linksInARow, openEnds, stretchesToRepair } from './find-gaps';
import type { LearnedLinks, WeighRequest } from './learn-links';
import { linksAcross } from './links-across';
import { leftOvers } from './past-cuts';
import { type Beliefs, type Deviating, NOTHING_DEVIATES, type WeighedPaths } from './path-weigher';
import { refundsLeft } from './refunds-left';
import { nearestCredits, type Repair, repairGap } from './repair-gaps';
import type { PathWeights } from './weigh-paths';

const ROUNDS = 3;
/** Rates that change by a smaller part have settled. */
const SETTLED = 0.01;
const RATES = ['heldBack', 'takenEarly', 'refundLeft', 'merged', 'split'] as const;
/** A stream with fewer payouts shows nothing that something could deviate from. */
const PAYOUTS_MIN = 1;
/** Each pass searches from the cuts that the one before found. */
const PASSES = 3;
/** Payouts with moved items in a row are searched together up to this number. */
const CREDITS_ACROSS_MAX = 10;

interface Weighed {
  readonly beliefs: Beliefs;
  readonly weighed: WeighedPaths;
  readonly counted: CountedDeviations;
}

/**
 * Weighs what may deviate from the links: first where no link fits, then beside everything that is likely. How often it
 * happens is learned in both steps.
 */
export function weighDeviating(
  request: WeighRequest,
  learned: LearnedLinks,
): Weighed & { readonly deviating: Deviating } {
  const { sequence, finder } = request;
  const { links } = learned;
  const unchanged = {
    ...learned,
    counted: countDeviations(learned.weighed.paths, links.length, NOTHING_DEVIATES, learned.beliefs.rates),
  };
  if (request.past === undefined && learned.weighed.paths.links < PAYOUTS_MIN) {
    return { deviating: NOTHING_DEVIATES, ...unchanged };
  }
  const searched = new Set<string>();
  let found = NOTHING_DEVIATES;
  let first: Weighed = unchanged;
  for (let pass = 0; pass < PASSES; pass += 1) {
    const more = withMore(found, findDeviating(request, { ...learned, ...first }, searched));
    if (sizeOf(more) === sizeOf(found)) break;
    found = more;
    first = weighWith(request, learned, first, found);
  }
  const { paths } = first.weighed;
  const near = linksNear({ sequence, finder, cutRates: first.beliefs.cutRates }, [
    ...withShares(links, paths, 0).map((link) => ({ ...plainLink(link), share: link.share })),
    ...withShares(found.links, paths, links.length + found.repairs.length),
  ]);
  const deviating = withMore(found, { ...NOTHING_DEVIATES, links: near });
  return { deviating, ...weighWith(request, learned, first, deviating) };
}

export function withShares<T>(
  each: readonly T[],
  { shares }: PathWeights,
  from: number,
): (T & { readonly share: number })[] {
  return each.map((one, index) => ({ ...one, share: at(shares, from + index) }));
}

function weighWith(
  { pathsOfOthers }: WeighRequest,
  { links, weigh }: LearnedLinks,
  known: Weighed,
  deviating: Deviating,
): Weighed {
  if (sizeOf(deviating) === 0) return known;
  let { beliefs, weighed, counted } = known;
  for (let round = 0; round < ROUNDS; round += 1) {
    weighed = weigh(beliefs, deviating);
    const { paths } = weighed;
    counted = countDeviations(paths, links.length, deviating, beliefs.rates);
    const before = beliefs.rates;
    const rates = deviationRates([counted, ...pathsOfOthers.map((other) => other.counted)]);
    beliefs = {
      ...beliefs,
      rates,
      deviation: deviationOf(paths, pathsOfOthers),
      continuation: continuationOf(paths),
    };
    if (RATES.every((kind) => Math.abs(rates[kind] - before[kind]) < SETTLED * before[kind])) break;
  }
  return { beliefs, weighed, counted };
}

function sizeOf({ repairs, links }: Deviating): number {
  return repairs.length + links.length;
}

function countDeviations(
  paths: PathWeights,
  links: number,
  deviating: Deviating,
  rates: MovedRates,
): CountedDeviations {
  const repairs = withShares(deviating.repairs, paths, links);
  const others = withShares(deviating.links, paths, links + repairs.length);
  const total = (each: readonly { readonly share: number }[]): number =>
    each.reduce((sum, { share }) => sum + share, 0);
  const moved = others.filter(({ end }) => end.carried !== 0);
  const heldBack = moved.reduce((sum, { end, share }) => {
    const held = chanceOfState(end, { ...rates, takenEarly: 0 });
    return sum + (share * held) / chanceOfState(end, rates);
  }, 0);
  return {
    payouts: paths.links,
    heldBack,
    takenEarly: total(moved) - heldBack,
    refundLeft: total(others.filter(({ leftOut }) => leftOut.length > 0)),
    merged: total(repairs.filter(({ kind }) => kind === 'merged')),
    split: total(repairs.filter(({ kind }) => kind === 'split')),
  };
}

/** Finds what may have deviated where no link fits, in what earlier runs left over, and between two links in a row. */
function findDeviating(
  { sequence, priced, finder, grid, past }: WeighRequest,
  { links, weighed: { paths, states, weightOf }, beliefs: { cutRates }, free }: Omit<LearnedLinks, 'gaps'>,
  searched: Set<string>,
): Deviating {
  const hasFeePerPayout = priced.some(({ perPayout }) => perPayout !== undefined);
  const request = { sequence, priced, grid, weightOf, free };
  const gaps = findGaps(paths, states, sequence);
  const left = leftOvers(past, sequence).map((stretch) => ({ ...stretch, beside: [] }));
  const stretches = [...stretchesToRepair(gaps, links, paths), ...left]
    .map(({ from, to, beside }) => ({ from, to, request: { ...request, free: [...free, ...beside] } }))
    .filter(({ from, to, request: { free: tried } }) =>
      isNew(searched, [from, to, ...tried.map(({ index }) => index)]),
    );
  return {
    repairs: stretches.flatMap((stretch) => repairGap(stretch.request, stretch.from, stretch.to)),
    links: [
      ...stretches.flatMap((stretch) => [
        ...refundsLeft({ ...stretch.request, finder }, stretch),
        ...linksAcross(
          { sequence, finder, cutRates, grid, hasFeePerPayout },
          { ...stretch, credits: nearestCredits(stretch.request, stretch.from, stretch.to, CREDITS_ACROSS_MAX) },
        ),
      ]),
      ...(hasFeePerPayout
        ? []
        : linksInARow(links, paths)
            .filter(([one, other]) =>
              isNew(searched, ['swapped', one.from, one.to, other.to, one.credit.index, other.credit.index]),
            )
            .flatMap((pair) => linksSwapped({ sequence, finder, cutRates }, pair))),
      ...openEnds(paths, states, sequence, free).flatMap((end) => refundsLeft({ ...request, finder }, end)),
    ].filter((link) => !isPlain(link)),
  };
}

/** Adds what is not known yet: two gaps that begin with the same cut find some links twice. */
function withMore({ repairs, links }: Deviating, more: Deviating): Deviating {
  const nameOf = ({ kind, links: parts }: Repair): string =>
    [kind, ...parts.map(({ from, to, credit }) => `${from} ${to} ${credit.index}`)].join(';');
  const unlike = <T>(each: readonly T[], name: (one: T) => string): T[] => {
    const known = new Map<string, T>();
    for (const one of each) if (!known.has(name(one))) known.set(name(one), one);
    return [...known.values()];
  };
  return {
    repairs: unlike([...repairs, ...more.repairs], nameOf),
    links: unlike([...links, ...more.links], nameOfLink),
  };
}

/** Adds a stretch to those that are searched. Returns whether it was new. */
function isNew(searched: Set<string>, stretch: readonly (number | string)[]): boolean {
  const size = searched.size;
  return searched.add(stretch.join(' ')).size > size;
}
