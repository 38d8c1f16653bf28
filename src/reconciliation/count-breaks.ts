import { comesBack, type DecidedBreak, type NewBreak } from '../breaks';
import { type Millimes, millimes } from '../kernel';
import type { Facts } from './facts';

/** A difference about which two people decided. */
export interface DecidedDifference {
  readonly breakId: string;
  readonly difference: NewBreak;
  /** `written_off` or `accepted`; undefined while only a part is written off. */
  readonly resolution: string | undefined;
  /** The written-off part, with the sign of the amount. */
  readonly writtenOff: Millimes;
}

/** The differences that a run counts, and those about which two people decided. */
export interface CountedBreaks {
  /** Of a partly written-off difference the rest. */
  readonly counted: readonly NewBreak[];
  readonly decided: readonly DecidedDifference[];
}

type DecisionFacts = Pick<Facts, 'through' | 'decided' | 'writtenOffLines'>;

/**
 * Separates the differences that wait for people from those that two people wrote off or accepted: these count only if
 * they changed since. Credits that were written off completely are not found again, and are named as well. Pure.
 */
export function countBreaks(
  found: readonly NewBreak[],
  { through, decided: known, writtenOffLines }: DecisionFacts,
): CountedBreaks {
  const knownOf = new Map(known.map((each) => [each.reconBreak.fingerprint, each]));
  const counted: NewBreak[] = [];
  const decided: DecidedDifference[] = [];
  for (const difference of found) {
    const before = knownOf.get(difference.fingerprint);
    if (before === undefined) counted.push(difference);
    else if (before.reconBreak.status !== 'resolved') {
      counted.push({ ...difference, amount: restOf(difference, before) });
      decided.push(decisionOn(difference, before));
    } else if (comesBack(before.reconBreak, difference)) counted.push(difference);
    else decided.push(decisionOn(difference, before));
  }
  const ofCredits = known.filter(({ reconBreak: { status, since, subject } }) => {
    return status === 'resolved' && since <= through && subject.lineIds.some((lineId) => writtenOffLines.has(lineId));
  });
  return { counted, decided: [...decided, ...ofCredits.map((each) => decisionOn(each.reconBreak, each))] };
}

function restOf({ amount }: NewBreak, { writtenOff }: DecidedBreak): Millimes | undefined {
  return amount === undefined ? undefined : millimes(amount - writtenOff);
}

function decisionOn(difference: NewBreak, { reconBreak, writtenOff }: DecidedBreak): DecidedDifference {
  const { id: breakId, resolution } = reconBreak;
  return { breakId, difference, resolution, writtenOff };
}
