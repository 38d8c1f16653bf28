// Goal: the chunks of a file change nothing, and the reader reads or refuses any bytes.
// Method: random chunks, random bytes, and one valid file with random damage.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isAppError } from '../../../../src/kernel';
import { decimalText } from '../../../../src/statements';
import { createMt940Reader, type StatementEvent } from '../../../../src/statements/testing';
import { mt940 } from './mt940-text';

const GOOD = Buffer.from(
  [
    '{1:F01BANKTNTTAXXX0000000000}{2:I940BANKTNTTXXXXN}{4:\r\n',
    mt940(
      ':61:2603020302CD12,500NTRFA//B',
      'ÉÀ',
      ':86:166?20EREF+É1?32CAFÉ',
      ':61:260302RD0,1NMSC',
      ':86:/NAME/€/REMI/X',
    ),
    '-}{5:}\r\n',
    mt940(':61:260230C,5NTRF', ':86:A', '-', 'B@@C'),
  ].join(''),
);

function eventsOf(pieces: readonly Buffer[], utf8 = true): StatementEvent[] {
  const reader = createMt940Reader({ utf8 });
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
}

/** Undefined when the file is refused; any other error fails the test. */
function eventsOrRefusal(bytes: Buffer, utf8: boolean): StatementEvent[] | undefined {
  try {
    return eventsOf([bytes], utf8);
  } catch (error) {
    if (isAppError(error, 'bad_input') && error.details.length > 0) return undefined;
    throw error;
  }
}

function piecesOf(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return places.slice(1).map((place, index) => bytes.subarray(places[index], place));
}

describe('the MT940 reader', () => {
  test('emits the same events for any pieces of a file', () => {
    const whole = eventsOf([GOOD]);
    expect(whole.filter(({ kind }) => kind === 'line')).toHaveLength(3);
    fc.assert(
      fc.property(fc.array(fc.nat(GOOD.length)), (cuts) => {
        expect(eventsOf(piecesOf(GOOD, cuts))).toEqual(whole);
      }),
    );
  });

  test('reads or refuses a file with changed, missing or repeated bytes', () => {
    const damage = fc.array(
      fc.record({ at: fc.nat(GOOD.length), lost: fc.nat(8), put: fc.uint8Array({ maxLength: 8 }) }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(damage, fc.boolean(), (damages, utf8) => {
        let bytes = GOOD;
        for (const { at, lost, put } of damages) {
          bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + lost)]);
        }
        eventsOrRefusal(bytes, utf8);
      }),
      { numRuns: 500 },
    );
  });

  test('reads or refuses random bytes, and tags with random text', () => {
    const tag = fc.constantFrom(
      ':20:',
      ':25:',
      ':60F:',
      ':61:',
      ':86:',
      ':62F:',
      ':90C:',
      ':34F:',
      ':64:',
      '@@:61:',
      '@@',
      '-',
      '-}',
      '{4:',
    );
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('260302D1,NTRF', 'C260302TND1,000', '1TND1,', '166?20?', '/REMI/'),
    );
    const tagged = fc
      .array(fc.tuple(tag, text), { maxLength: 12 })
      .map((fields) => Buffer.from(fields.map(([name, value]) => `${name}${value}\n`).join('')));
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((random) => Buffer.from(random)),
      tagged,
    );
    fc.assert(
      fc.property(bytes, fc.boolean(), (random, utf8) => {
        eventsOrRefusal(random, utf8);
      }),
      { numRuns: 500 },
    );
  });

  test('never reads from the start of a file a line that the whole file lacks', () => {
    const amounts = (events: readonly StatementEvent[]): string[] =>
      events.flatMap((event) => (event.kind === 'line' ? [decimalText(event.line.amount)] : []));
    const whole = amounts(eventsOf([GOOD]));
    for (let length = 0; length < GOOD.length; length += 1) {
      const cut = amounts(eventsOrRefusal(GOOD.subarray(0, length), true) ?? []);
      expect(cut).toEqual(whole.slice(0, cut.length));
    }
  });
});
