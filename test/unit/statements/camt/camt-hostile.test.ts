import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isAppError } from '../../../../src/kernel';
import { createCamtReader, type StatementEvent } from '../../../../src/statements/testing';
import { aMessage, anEntry } from './a-camt-message';

// Goal: no file crashes the reader, and the chunks of a file never matter.
// Method: random chunks, bytes and changes of a valid file, from a fixed seed so that a failure is reproducible.

const SEED = 20260202;
const RUNS = 300;
const GOOD = Buffer.from(
  aMessage({ entries: `${anEntry({ rest: '<NtryRef>Échéance 😀 &amp;</NtryRef>' })}\r\n${anEntry()}` }),
);
const WORDS = [
  '<',
  '>',
  '</Ntry>',
  '<Ntry>',
  '&',
  ']]>',
  '<!--',
  '<![CDATA[',
  '<?x',
  '"',
  '\0',
  '-1',
  'é',
  '<!DOCTYPE',
];

type Outcome = { readonly events: readonly StatementEvent[] } | { readonly refused: readonly string[] };

/** What becomes of a file; anything but a refusal of our own passes through and fails the test. */
function outcomeOf(pieces: readonly Buffer[]): Outcome {
  const reader = createCamtReader();
  try {
    const events = pieces.flatMap((piece) => reader.push(piece));
    return { events: [...events, ...reader.end()] };
  } catch (error) {
    if (isAppError(error, 'bad_input')) return { refused: error.details };
    throw error;
  }
}

function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
}

const places = fc.array(fc.nat(), { maxLength: 20 });

const changed = fc
  .array(fc.tuple(fc.nat(), fc.nat({ max: 30 }), fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 5 }))), {
    minLength: 1,
    maxLength: 4,
  })
  .map((edits) =>
    edits.reduce((bytes, [place, removed, added]) => {
      const at = place % (bytes.length + 1);
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(added), bytes.subarray(at + removed)]);
    }, GOOD),
  );

describe('the camt reader', () => {
  test('emits the same events for any pieces of a file', () => {
    const whole = outcomeOf([GOOD]);
    expect(whole).toHaveProperty('events');
    expect(outcomeOf([...GOOD].map((byte) => Buffer.from([byte])))).toEqual(whole);
    fc.assert(
      fc.property(places, (cuts) => expect(outcomeOf(cutAt(GOOD, cuts))).toEqual(whole)),
      { seed: SEED, numRuns: RUNS },
    );
  });

  test('reads or refuses a changed file in the same way for any pieces', () => {
    fc.assert(
      fc.property(changed, places, (bytes, cuts) => expect(outcomeOf(cutAt(bytes, cuts))).toEqual(outcomeOf([bytes]))),
      { seed: SEED, numRuns: RUNS },
    );
  });

  test('refuses random bytes with bad_input', () => {
    const tail = fc.uint8Array({ maxLength: 200 });
    fc.assert(
      fc.property(tail, fc.nat({ max: GOOD.length - 1 }), (bytes, kept) => {
        expect(outcomeOf([Buffer.from(bytes)])).toHaveProperty('refused');
        expect(outcomeOf([GOOD.subarray(0, kept - (kept % 2)), Buffer.from(bytes)])).toBeDefined();
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });
});
