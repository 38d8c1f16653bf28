// Goal: a CSV file is read by RFC 4180, or its faults are named by line; nothing crashes and nothing is guessed.
// Method: small files for each form, and random tables that must be read back as written.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CsvRows } from '../../../../src/payout-inference/files/csv-rows';
import { FaultList } from '../../../../src/payout-inference/files/fault-list';
import { faultsOf } from './faults-of';

const COLUMNS = { required: ['a', 'b'], optional: ['c'] };

interface Read {
  readonly rows: readonly (readonly [string, string, string])[];
  readonly lines: readonly number[];
  readonly faults: readonly string[];
}

function read(content: string | Uint8Array): Read {
  const faults = new FaultList();
  const rows = new CsvRows({ name: 'f.csv', bytes: Buffer.from(content) }, COLUMNS, faults);
  const found: [string, string, string][] = [];
  const lines: number[] = [];
  const text = (name: string): string => rows.text(rows.column(name));
  while (rows.next()) {
    found.push([text('a'), text('b'), text('c')]);
    lines.push(rows.line);
  }
  return { rows: found, lines, faults: faultsOf(faults) };
}

describe('reading rows', () => {
  test.each<[string, string, Read['rows'], number[]]>([
    [
      'lines ending with LF',
      'a,b\n1,2\n3,4\n',
      [
        ['1', '2', ''],
        ['3', '4', ''],
      ],
      [2, 3],
    ],
    [
      'lines ending with CRLF, the last without',
      'a,b\r\n1,2\r\n3,4',
      [
        ['1', '2', ''],
        ['3', '4', ''],
      ],
      [2, 3],
    ],
    ['a byte order mark', '\uFEFFa,b\n1,2\n', [['1', '2', '']], [2]],
    ['columns in another order, and the optional one', 'c,b,a\n3,2,1\n', [['1', '2', '3']], [2]],
    ['empty fields', 'a,b\n,\n', [['', '', '']], [2]],
    ['empty lines, which are passed over', 'a,b\n\n1,2\r\n\r\n\n', [['1', '2', '']], [3]],
    ['quotes around everything', '"a","b"\r\n"1","2"\r\n', [['1', '2', '']], [2]],
    ['an empty field in quotes at the end of the file', 'a,b\n1,""', [['1', '', '']], [2]],
    [
      'separators, quotes and line ends in quotes',
      'a,b\n"1,""x""\r\n2",y\n3,4\n',
      [
        ['1,"x"\r\n2', 'y', ''],
        ['3', '4', ''],
      ],
      [2, 4],
    ],
    ['nothing but escaped quotes', 'a,b\n"""""",""""\n', [['""', '"', '']], [2]],
    ['French, Arabic and emoji', 'a,b\nDépôt,"خالد, 🙂"\n', [['Dépôt', 'خالد, 🙂', '']], [2]],
    ['a header alone', 'a,b\n', [], []],
  ])('reads %s', (_, content, rows, lines) => {
    expect(read(content)).toEqual({ rows, lines, faults: [] });
  });

  test('reads any table that is written with quotes where they are needed', () => {
    const field = fc.oneof(fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'é', 'x', ' ') }), fc.string());
    fc.assert(
      fc.property(fc.array(fc.tuple(field, field, field)), fc.constantFrom('\n', '\r\n'), (table, end) => {
        const quoted = (text: string): string => (/^[ a-z]+$/.test(text) ? text : `"${text.replaceAll('"', '""')}"`);
        const content = [['a', 'b', 'c'], ...table].map((row) => row.map(quoted).join(',') + end).join('');
        expect(read(content)).toMatchObject({ rows: table, faults: [] });
      }),
    );
  });
});

describe('refusing rows', () => {
  const HEADER = 'the header must be a,b[,c]';

  test.each<[string, string | Uint8Array, string]>([
    ['an empty file', '', 'line 1: the file is empty'],
    ['a file of empty lines', '\n\r\n', 'line 2: the file is empty'],
    ['a missing column', 'a,c\n1,2\n', `line 1: ${HEADER}; missing: b`],
    ['an unknown column', 'a,b,"d\n"\n1,2,3\n', `line 1: ${HEADER}; unknown: "d"`],
    ['a column twice', 'a,b,a\n1,2,3\n', `line 1: ${HEADER}; a column stands twice`],
    [
      'a name that never ends, of which the beginning is shown with all that cannot be seen',
      `a,b,\u200b${'x'.repeat(5_000)}\n1,2,3\n`,
      `line 1: ${HEADER}; unknown: "\\u200b${'x'.repeat(79)}…"`,
    ],
    ['a header of a thousand columns', `${'a,'.repeat(1_000)}b\n1\n`, `line 1: ${HEADER}`],
    ['another separator', 'a;b\n1;2\n', `line 1: ${HEADER}; missing: a, b`],
    [
      'the line ends of forty years ago',
      'a,b\r1,2\r',
      'line 1: a carriage return stands inside a field that is not quoted',
    ],
    ['a row that is too short', 'a,b\n1\n', 'line 2: has 1 column, the header has 2'],
    ['a row that is too long', 'a,b\n1,2\n1,2,3\n', 'line 3: has 3 columns, the header has 2'],
    ['a row of a hundred columns', `a,b\n${',1'.repeat(99)}\n`, 'line 2: has 100 columns, the header has 2'],
    ['a quote inside a field', 'a,b\n1,2"3"\n', 'line 2: a quotation mark stands inside a field that is not quoted'],
    ['a quote that is never closed', 'a,b\n1,2\n1,"2\n3,4\n', 'line 3: a quoted field is not closed'],
    ['text behind a quoted field', 'a,b\n"1"2,3\n', 'line 2: text stands behind a quoted field'],
    ['a carriage return behind a quoted field', 'a,b\n"1"\r,3\n', 'line 2: text stands behind a quoted field'],
    ['Latin 1', Buffer.from('a,b\n1,2\n1,Dépôt\n', 'latin1'), 'line 3: is not UTF-8'],
    ['two byte order marks', '\uFEFF\uFEFFa,b\n1,2\n', 'line 1: begins with two byte order marks'],
    ['UTF-16', Buffer.from('\uFEFFa,b\n1,2\n', 'utf16le'), 'line 1: is not UTF-8'],
  ])('refuses %s', (_, content, fault) => {
    expect(read(content).faults[0]).toBe(`f.csv, ${fault}`);
  });

  test('counts the lines inside the quotes of a bad row, and reads on behind its last line', () => {
    expect(read('a,b\n1"2,"\n\n"\n5,6\n')).toEqual({
      rows: [['5', '6', '']],
      lines: [5],
      faults: ['f.csv, line 2: a quotation mark stands inside a field that is not quoted'],
    });
  });

  test('refuses only the bad row and reads those behind it', () => {
    expect(read('a,b\n1\n"1"x,2\n5,6\n')).toEqual({
      rows: [['5', '6', '']],
      lines: [4],
      faults: ['f.csv, line 2: has 1 column, the header has 2', 'f.csv, line 3: text stands behind a quoted field'],
    });
  });

  test('ends on any content, with rows or with faults', () => {
    const piece = fc.constantFrom('"', ',', '\n', '\r', '\r\n', 'a', 'b', '\uFEFF', '\0', 'é');
    fc.assert(fc.property(fc.array(piece), (pieces) => void read(`a,b\n${pieces.join('')}`)));
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void read(bytes)));
  });
});
