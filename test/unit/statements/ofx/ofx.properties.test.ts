// Goal: the reader throws only bad_input for any bytes, and the chunks of a file never matter.
// Method: fast-check with random bytes, tags in any order and files with a few changed bytes; then large hostile files.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isAppError } from '../../../../src/kernel';
import { createOfxReader, WHOLE_FILE_BYTES_MAX } from '../../../../src/statements/testing';
import { ofxFile } from '../../../fixtures/statements/ofx-given';
import { type ReadStatement, readStatements } from '../../../support/read-events';

const TRANSACTIONS =
  '<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260302<TRNAMT>12.500<FITID>F1<NAME>caf\u00e9 &amp; co</STMTTRN>\n' +
  '<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260303<TRNAMT>-1.250<FITID>F2<MEMO>a < b</STMTTRN>';
const FILE = Buffer.from(ofxFile({ transactions: TRANSACTIONS }));

const PIECES = [
  ...['<OFX>', '</OFX>', '<BANKMSGSRSV1>', '</BANKMSGSRSV1>', '<STMTTRNRS>', '<STMTRS>', '</STMTRS>', '<BANKTRANLIST>'],
  ...[
    '<STMTTRN>',
    '</STMTTRN>',
    '<TRNAMT>',
    '<DTPOSTED>20260101',
    '<CURRENCY>',
    '</CURRENCY>',
    '<MEMO/>',
    '<CURDEF>EUR',
  ],
  ...[
    '<__proto__>',
    '<constructor>x',
    '<toString>',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '<?',
    '?>',
    '<',
    '>',
    '&#0;',
    '&#x110000;',
  ],
  ...['1.5', ' ', '\n', '\u00e9', 'x'],
];

/** What the bytes give: statements, or undefined when they are refused. Anything else is thrown on. */
function outcomeOf(bytes: Buffer, pieceBytes?: number): readonly ReadStatement[] | undefined {
  try {
    return readStatements(createOfxReader(), bytes, pieceBytes);
  } catch (error) {
    if (isAppError(error, 'bad_input') && error.details.length > 0) return undefined;
    throw error;
  }
}

describe('the OFX reader', () => {
  test('reads or refuses any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(outcomeOf(Buffer.from(bytes))).toBeUndefined();
      }),
    );
  });

  test('reads or refuses tags in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), (pieces) => {
        outcomeOf(Buffer.from(`<OFX>${pieces.join('')}`));
      }),
    );
  });

  test('reads or refuses a file with changed, missing or repeated bytes', () => {
    const change = fc.record({
      at: fc.nat(FILE.length - 1),
      drop: fc.nat(20),
      put: fc.oneof(
        fc.constantFrom(...PIECES).map((piece) => Buffer.from(piece)),
        fc.uint8Array({ maxLength: 3 }),
      ),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const changed = changes.reduce(
          (bytes, { at, drop, put }) => Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + drop)]),
          FILE,
        );
        outcomeOf(changed);
      }),
      { numRuns: 500 },
    );
  });

  test('emits the same events for any pieces of a file', () => {
    const whole = outcomeOf(FILE);
    expect(whole?.[0]?.lines).toHaveLength(2);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: FILE.length }), (pieceBytes) => {
        expect(outcomeOf(FILE, pieceBytes)).toEqual(whole);
      }),
    );
  });

  test('never reads another amount if one tag of a line is missing', () => {
    const amounts = new Set(['12500/3', '-1250/3']);
    for (const { index, 0: tag } of FILE.toString().matchAll(/<\/?[A-Z]+>/g)) {
      const text = FILE.toString();
      const read = outcomeOf(Buffer.from(text.slice(0, index) + text.slice(index + tag.length)));
      const lines = read?.flatMap((statement) => statement.lines) ?? [];
      expect(lines.every(({ amount }) => amounts.has(`${amount.units}/${amount.scale}`))).toBe(true);
      expect([0, 2]).toContain(lines.length);
    }
  });
});

describe('an OFX file of the largest size', () => {
  const STATUS = '<OFX><SIGNONMSGSRSV1><SONRS><STATUS><MESSAGE>';
  const LIST = '<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><BANKTRANLIST>';

  // Each of these took a reader somewhere quadratic time, the stack or all memory. A hang is what jest's own limit ends.
  test.each([
    ['elements in each other', '<OFX>', '<A>'],
    ['signs that start nothing', '<OFX>', '<'],
    ['names that never end', '<OFX><', 'A'],
    ['attributes that never end', '<OFX><A ', 'a '],
    ['comments that never end', '<OFX>', '<!--'],
    ['blanks', '<OFX>', ' '],
    ['line ends', '<OFX>', '\n'],
    ['entities', STATUS, '&amp;'],
    ['a text in many pieces', STATUS, '<MESSAGE>a'],
    ['lines that hold nothing', LIST, '<STMTTRN></STMTTRN>'],
    ['digits', `${LIST}<STMTTRN><TRNAMT>`, '1'],
    ['one line after another that is never closed', LIST, '<STMTTRN>'],
    ['answers that are no statements', '<OFX>', '<X></X>'],
  ])('is refused if it consists of %s', (_, start, piece) => {
    const bytes = Buffer.from(start + piece.repeat(Math.floor((WHOLE_FILE_BYTES_MAX - start.length) / piece.length)));
    expect(outcomeOf(bytes)).toBeUndefined();
  });
});
