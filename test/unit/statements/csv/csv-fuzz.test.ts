// Goal: the chunks of a file never matter, and the reader reads or refuses any bytes.
// Method: fast-check splits, mutates and generates files for the reader and the proposal.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isAppError } from '../../../../src/kernel';
import { createCsvReader, type StatementEvent } from '../../../../src/statements/testing';
import { shippedProfile, statementBytes } from '../../../fixtures/statements/statement-bytes';
import { decidedProfile } from './a-profile';

const SHIPPED = shippedProfile();
const ENGLISH = Buffer.from('Date,Description,Amount,Currency\n2026-04-02,in,1250.50,EUR\n2026-04-03,out,-20.05,EUR\n');

function eventsOf(pieces: readonly Buffer[]): StatementEvent[] {
  const reader = createCsvReader({ profile: SHIPPED });
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
}

function expectReadOrRefused(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!isAppError(error, 'bad_input')) throw error;
  }
}

function tryAll(bytes: Buffer): void {
  expectReadOrRefused(() => eventsOf([bytes]));
  expectReadOrRefused(() => {
    const reader = createCsvReader({ profile: decidedProfile(bytes) });
    reader.push(bytes);
    return reader.end();
  });
}

describe('the CSV reader', () => {
  test('emits the same events for any pieces of a file', () => {
    const bytes = statementBytes();
    const whole = eventsOf([bytes]);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 20 }), (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        expect(eventsOf(pieces)).toEqual(whole);
      }),
    );
  });

  test('refuses random bytes with bad_input', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => tryAll(Buffer.from(bytes))));
  });

  test('reads or refuses random characters below a valid header', () => {
    const marks = fc.constantFrom('"', ',', ';', '\n', '\r', ' ', '-', '.', '0', '1', '2026-04-02', 'EUR', 'D', 'é');
    fc.assert(
      fc.property(fc.array(marks, { maxLength: 60 }), (parts) =>
        tryAll(Buffer.concat([ENGLISH, Buffer.from(parts.join(''))])),
      ),
    );
  });

  test('reads or refuses a file with changed bytes', () => {
    const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(
        fc.constantFrom(statementBytes(), ENGLISH),
        fc.array(change, { minLength: 1, maxLength: 5 }),
        (bytes, changes) => {
          const changed = Buffer.from(bytes);
          for (const [at, byte] of changes) changed[at % changed.length] = byte;
          tryAll(changed);
        },
      ),
    );
  });

  test('refuses a file at the first byte beyond 16 MiB', () => {
    const reader = createCsvReader({ profile: SHIPPED });
    reader.push(Buffer.alloc(16 * 1024 * 1024, 'a'));
    expect(() => reader.push(Buffer.from('a'))).toThrow('expected at most 16 MiB');
  });
});
