import type { Random } from '../../support/random';
import type { BalancedFile } from './balanced-files';

/** A changed file, and how it was changed, for a message. */
export interface Mutation {
  readonly what: string;
  readonly text: string;
}

const SPAN_MAX = 200;
const RUNS_MAX = 20_000;
/** Pieces that several parts of one pattern may take. */
const RUNS = [
  ...Array.from('01aD \t,.-+";:/()=<>&_*{@\n'),
  ...['1.', '1,', ' 1', ': 1', '//', '@@', '?20', '<a>', '<!-- -->', '&amp;'],
];
const DIGITS = Array.from({ length: 10 }, (_, digit) => String(digit));

/** What happens to bytes on their way, by its name. `other` is another file. */
const DAMAGES: Readonly<Record<string, (bytes: Buffer, random: Random, other: Buffer) => Buffer>> = {
  'a flipped bit': (bytes, random) => {
    const at = random.below(bytes.length);
    return replaced(bytes, { from: at, to: at + 1 }, Buffer.of((bytes[at] ?? 0) ^ (1 << random.below(8))));
  },
  'a range deleted': (bytes, random) => replaced(bytes, rangeOf(bytes, random), Buffer.of()),
  'a range twice': (bytes, random) => {
    const range = rangeOf(bytes, random);
    return replaced(bytes, { from: range.to, to: range.to }, bytes.subarray(range.from, range.to));
  },
  'random bytes inserted': (bytes, random) => {
    const at = random.below(bytes.length + 1);
    return replaced(bytes, { from: at, to: at }, randomBytes(1 + random.below(SPAN_MAX), random));
  },
  'an end cut off': (bytes, random) => bytes.subarray(0, random.below(bytes.length)),
  'two lines swapped': (bytes, random) => {
    const lines = bytes.toString('latin1').split('\n');
    const [one, another] = [random.below(lines.length), random.below(lines.length)];
    const swapped = lines.map(
      (line, index) => lines[index === one ? another : index === another ? one : index] ?? line,
    );
    return Buffer.from(swapped.join('\n'), 'latin1');
  },
  'a long run inserted': (bytes, random) => {
    const at = random.below(bytes.length + 1);
    const run = random.oneOf(RUNS).repeat(random.below(RUNS_MAX));
    return replaced(bytes, { from: at, to: at }, Buffer.from(run));
  },
  'a changed digit': (bytes, random) => withChangedDigit(bytes, random),
  'two files spliced': (bytes, random, other) =>
    Buffer.concat([bytes.subarray(0, random.below(bytes.length)), other.subarray(random.below(other.length))]),
};

export const DAMAGE_NAMES: readonly string[] = Object.keys(DAMAGES);

/** Does one of DAMAGE_NAMES to a file that has at least one byte. */
export function damaged(name: string, bytes: Buffer, random: Random, other: Buffer): Buffer {
  const damage = DAMAGES[name];
  if (damage === undefined) throw new Error(`there is no damage ${name}`);
  return damage(bytes, random, other);
}

/** The file with another digit at the place of one; the same file where there is none behind the place of chance. */
export function withChangedDigit(bytes: Buffer, random: Random): Buffer {
  const start = random.below(bytes.length);
  const offset = bytes.subarray(start).findIndex(isDigit);
  if (offset === -1) return bytes;
  const at = start + offset;
  const digit = random.oneOf(DIGITS.filter((candidate) => candidate !== String.fromCharCode(bytes[at] ?? 0)));
  return replaced(bytes, { from: at, to: at + 1 }, Buffer.from(digit));
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

export function randomBytes(length: number, random: Random): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(256)));
}

/** Each amount and balance with each other digit at each place. */
export function changedDigits({ text, money }: BalancedFile): Mutation[] {
  return [...text.matchAll(money)].flatMap(({ 0: amount, index }) =>
    Array.from(amount).flatMap((digit, offset) =>
      DIGITS.includes(digit)
        ? DIGITS.filter((other) => other !== digit).map((other) => spliced(text, index + offset, digit, other))
        : [],
    ),
  );
}

/** Each amount and balance with its decimal sign left out, or a place further on either side, or with a digit lost. */
export function changedScales({ text, money }: BalancedFile): Mutation[] {
  return [...text.matchAll(money)].flatMap(({ 0: amount, index }) => {
    const [, head = '', sign = '', tail = ''] = /^(.*)([.,])(.*)$/.exec(amount) ?? [];
    const lost = Array.from(amount, (_, at) => amount.slice(0, at) + amount.slice(at + 1));
    const moved = [
      `${head.slice(0, -1)}${sign}${head.slice(-1)}${tail}`,
      `${head}${tail.slice(0, 1)}${sign}${tail.slice(1)}`,
    ];
    return [...lost, ...moved].map((other) => spliced(text, index, amount, other));
  });
}

/** Each mark of a credit or a debit turned round. */
export function turnedMarks({ text, mark, otherMarks }: BalancedFile): Mutation[] {
  return [...text.matchAll(mark)].flatMap(({ 0: found, index }) =>
    otherMarks(found).map((other) => spliced(text, index, found, other)),
  );
}

/** Each line of the account left out, and each there twice. */
export function lostAndDoubledEntries({ text, entry }: BalancedFile): Mutation[] {
  return [...text.matchAll(entry)].flatMap(({ 0: found, index }) => lostAndDoubled(text, index, found));
}

/** The same for each line of the file, whatever it says. */
export function lostAndDoubledLines({ text }: BalancedFile): Mutation[] {
  return [...text.matchAll(/[^\n]*\n/g)].flatMap(({ 0: found, index }) => lostAndDoubled(text, index, found));
}

function lostAndDoubled(text: string, at: number, part: string): Mutation[] {
  return [spliced(text, at, part, ''), spliced(text, at, part, part + part)];
}

function spliced(text: string, at: number, old: string, replacement: string): Mutation {
  const changed = text.slice(0, at) + replacement + text.slice(at + old.length);
  return { what: `${JSON.stringify(replacement)} for ${JSON.stringify(old)} at ${at}`, text: changed };
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function rangeOf(bytes: Buffer, random: Random): Range {
  const from = random.below(bytes.length);
  return { from, to: Math.min(bytes.length, from + 1 + random.below(SPAN_MAX)) };
}

function replaced(bytes: Buffer, { from, to }: Range, replacement: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, from), replacement, bytes.subarray(to)]);
}
