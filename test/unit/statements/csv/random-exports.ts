import iconv from 'iconv-lite';
import { accountKey } from '../../../../src/kernel';
import { type Random, randomFrom } from '../../../support/random';
import { ordinaryDraft, textOf } from './random-exports-draft';
import { ODDITIES, type Oddity } from './random-exports-oddities';

/** What a file says: `account|currency` to its booked lines, each `day minor units`, sorted. */
export type Truth = Readonly<Record<string, readonly string[]>>;

/** A CSV export of a bank, and what it says. */
export interface RandomExport {
  /** What differs from an ordinary export; empty: nothing. */
  readonly oddities: readonly string[];
  /** Whether it can be understood without a question. */
  readonly isPlain: boolean;
  readonly text: string;
  readonly bytes: Buffer;
  /** What a person gives because the file does not state it, or in spite of what it states. */
  readonly options: { readonly account?: string | undefined; readonly currency?: string | undefined };
  readonly truth: Truth;
}

/** Builds the export of a seed. */
export function randomExport(...seeds: readonly number[]): RandomExport {
  const random = randomFrom(...seeds);
  const draft = ordinaryDraft(random);
  const oddities = chosenOddities(random);
  for (const { apply } of oddities) apply(draft);
  const text = textOf(draft);
  const bytes = iconv.encode(text, draft.encoding);
  const isWritten = iconv.decode(bytes, draft.encoding) === text;
  return {
    oddities: oddities.map(({ name }) => name),
    isPlain: oddities.every(({ isPlain }) => isPlain === true),
    text,
    bytes: isWritten ? bytes : Buffer.from(text),
    options: draft.options,
    truth: truthOf(draft.movements.filter(({ isBooked }) => isBooked)),
  };
}

/** Returns lines as a truth; `minor` may be anything that is printed alike. */
export function truthOf(
  lines: readonly {
    readonly account: string;
    readonly currency: string;
    readonly day: string;
    readonly minor: unknown;
  }[],
): Truth {
  const truth: Record<string, string[]> = {};
  for (const { account, currency, day, minor } of lines) {
    (truth[`${accountKey(account)}|${currency}`] ??= []).push(`${day} ${String(minor)}`);
  }
  for (const each of Object.values(truth)) each.sort();
  return truth;
}

/** None in a fifth of the files, one in nearly half of them, so that each is seen alone, and two or three in the rest. */
function chosenOddities(random: Random): Oddity[] {
  const count = random.oneOf([0, 0, 1, 1, 1, 1, 1, 2, 2, 3]);
  const chosen: Oddity[] = [];
  for (let tries = 0; chosen.length < count && tries < 50; tries += 1) {
    const candidate = random.oneOf(ODDITIES);
    const isFree = chosen.every(({ of }) => !of.some((part) => candidate.of.includes(part)));
    if (isFree) chosen.push(candidate);
  }
  // What rewrites the columns of amounts stands before what changes them.
  return ODDITIES.filter((each) => chosen.includes(each));
}
