// Goal: equal texts get one number and different texts never do, for any number of texts, even from an attacker.
// Method: the same texts in a Map, and many texts that collide in the table.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ByteTable } from '../../../../src/payout-inference/files/byte-table';

/** Places all texts, each behind the other in one file, and gives their numbers. */
function placed(texts: readonly string[]): { readonly table: ByteTable; readonly numbers: readonly number[] } {
  const bytes = Buffer.from(texts.join(''), 'latin1');
  const table = new ByteTable(bytes, { few: true });
  let start = 0;
  const numbers = texts.map((text) => {
    start += text.length;
    return table.place(start - text.length, start);
  });
  return { table, numbers };
}

function numbersOf(texts: readonly string[]): number[] {
  const known = new Map<string, number>();
  return texts.map((text) => {
    const number = known.get(text) ?? known.size;
    known.set(text, number);
    return number;
  });
}

test('numbers texts in the order of their first occurrence', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\u00ff', '\0') })), (texts) => {
      expect(placed(texts).numbers).toEqual(numbersOf(texts));
    }),
  );
});

test('finds a hundred thousand texts in the bytes of another file, and no others', () => {
  const texts = Array.from({ length: 100_000 }, (_, index) => `service:${index * 7}`);
  const { table, numbers } = placed(texts);
  expect(numbers).toEqual(texts.map((_, index) => index));
  const other = Buffer.from(texts.join(''), 'latin1');
  let start = 0;
  const found = texts.map((text) => {
    start += text.length;
    return table.indexOf(other, start - text.length, start);
  });
  expect(found).toEqual(numbers);
  const missing = Buffer.from('service:1');
  expect(table.indexOf(missing, 0, missing.length)).toBe(-1);
});

test('finds texts in any order, with repeats and unknown ones between them', () => {
  const texts = Array.from({ length: 8 }, (_, index) => `P-${index}`);
  const asked = fc.array(fc.constantFrom(...texts, 'P-', 'P-8', 'x'), { maxLength: 40 });
  fc.assert(
    fc.property(asked, (names) => {
      const { table } = placed(texts);
      const found = names.map((name) => table.indexOf(Buffer.from(name), 0, name.length));
      expect(found).toEqual(names.map((name) => texts.indexOf(name)));
    }),
  );
});

test('tells texts with the same hash apart', () => {
  const texts = collidingTexts(10);
  expect(new Set(texts.map((text) => hashFrom(HASH_START, text))).size).toBe(1);
  const twice = [...texts, ...texts];
  expect(placed(twice).numbers).toEqual(numbersOf(twice));
});

/** The first step of the table's hash (FNV-1a): texts that it does not tell apart, nothing behind it does. */
const HASH_START = 0x811c9dc5 | 0;

function hashFrom(hash: number, text: string): number {
  let mixed = hash;
  for (let at = 0; at < text.length; at += 1) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193);
  return mixed;
}

/** Two blocks that lead from one hash to one hash, again and again: two to the power of `stages` texts. */
function collidingTexts(stages: number): string[] {
  let texts = [''];
  let hash = HASH_START;
  for (let stage = 0; stage < stages; stage += 1) {
    const [one, other] = collidingBlocks(hash);
    hash = hashFrom(hash, one);
    texts = texts.flatMap((text) => [text + one, text + other]);
  }
  return texts;
}

function collidingBlocks(hash: number): readonly [string, string] {
  const seen = new Map<number, string>();
  for (let count = 0; ; count += 1) {
    const block = (Math.imul(count, 0x9e3779b1) >>> 0).toString(36).padStart(7, '0');
    const reached = hashFrom(hash, block);
    const other = seen.get(reached);
    if (other !== undefined) return [other, block];
    seen.set(reached, block);
  }
}
