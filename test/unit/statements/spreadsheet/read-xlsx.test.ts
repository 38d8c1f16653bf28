// Goal: a workbook is read as the bank's rows, exact to the millime, or refused with the cell and what to do.
// Method: workbooks written in code, as Excel, LibreOffice and libraries write them, each with one special feature.
import { describe, expect, test } from '@jest/globals';
import { readStoredNumber } from '../../../../src/statements/reading/spreadsheet/stored-number';
import { styled, xlsxFile } from '../../../support/xlsx-file';
import {
  AMOUNT,
  APRIL_2,
  CENTS,
  DAY,
  faultOf,
  FORMATS,
  LINES,
  readSheet,
  statementRows,
  TEXT,
  withAmount,
  workbook,
} from './a-sheet';

const SHAPES = [
  '2026-04-02|1234.567|VIREMENT; RECU|R1',
  '2026-04-03|-5.95|COMMISSION|00012',
  '2026-04-04|5.95|VERSEMENT ESPECES|R3',
];

describe('an .xlsx statement', () => {
  test('is proven with its account, balances and lines', () => {
    const { verdict, statement, shapes, lines } = readSheet(workbook());
    expect(verdict).toBe('ok');
    expect(statement).toMatchObject({ account: '08006012345678901231', currency: 'TND', notes: [] });
    expect(shapes).toEqual(SHAPES);
    expect(lines.map(({ fileLine }) => fileLine)).toEqual([6, 7, 8]);
    expect(lines[0]?.raw).toBe('2026-04-02;"VIREMENT; RECU";;1234.567;R1');
  });

  test.each([
    ['with texts inside the cells', { texts: 'inline' as const }],
    ['without places of cells and rows', { withoutPlaces: true }],
    ['with prefixes', { prefix: 'x' }],
    ['that is not compressed', { deflate: false }],
  ])('is read in a workbook %s', (_how, given) => {
    expect(readSheet(workbook(given)).shapes).toEqual(SHAPES);
  });

  test('is read with dates in the system of 1904', () => {
    const lines = LINES.map(([, ...cells], index) => [styled(APRIL_2 - 1462 + index, DAY), ...cells]);
    const bytes = workbook({ sheets: [{ rows: statementRows(lines) }], date1904: true });
    expect(readSheet(bytes).shapes).toEqual(SHAPES);
  });

  test.each(['2026-04-02T00:00:00', '2026-04-01T23:00:00.000Z', '2026-04-02'])(
    'is read with the ISO date %s, rich texts and formulas that have a value',
    (date) => {
      const lines = [
        [
          { attributes: ' t="d"', content: `<v>${date}</v>` },
          {
            attributes: ' t="inlineStr"',
            content: '<is><r><t>VIREMENT; </t></r><r><t>RECU</t></r><rPh sb="0" eb="1"><t>X</t></rPh></is>',
          },
          undefined,
          { attributes: ' s="1"', content: '<f>SUM(1234,0.567)</f><v>1234.567</v>' },
          { attributes: ' t="str"', content: '<f>"R"&amp;1</f><v>R1</v>' },
        ],
        ...LINES.slice(1),
      ];
      expect(readSheet(workbook({ sheets: [{ rows: statementRows(lines) }] })).shapes).toEqual(SHAPES);
    },
  );

  test('is read with texts in place of dates and amounts', () => {
    const lines = [
      ['02/04/2026', 'A', '', '1 234,567'],
      ['13/04/2026', 'B', '5,950', ''],
      ['14/04/2026', 'C', '', '5,950'],
    ];
    const rows = statementRows(lines.map((cells) => [...cells, 'R'])).map((cells) =>
      cells[0] === 'Solde initial'
        ? ['Solde initial', '100,000']
        : cells[0] === 'Solde final'
          ? ['Solde final', '1 334,567']
          : cells,
    );
    const { verdict, shapes } = readSheet(workbook({ sheets: [{ rows }] }));
    expect(verdict).toBe('ok');
    expect(shapes).toEqual(['2026-04-02|1234.567|A|R', '2026-04-13|-5.950|B|R', '2026-04-14|5.950|C|R']);
  });

  test('is read by a profile that was made for the CSV of the bank', () => {
    const rows = [
      ['RIB :', '11 222 3333333333333 44'],
      ['Devise :', 'TND'],
      ['Solde initial :', '', '', '', '', '', styled(1000, AMOUNT)],
      ['Date opération', 'Date valeur', 'Libellé', 'Référence', 'Débit', 'Crédit', 'Solde'],
      [
        styled(APRIL_2, DAY),
        styled(APRIL_2, DAY),
        'VIREMENT',
        'R1',
        '',
        styled('234.567', AMOUNT),
        styled('1234.567', AMOUNT),
      ],
      ['Solde final au 30/04/2026 :', '', '', '', '', '', styled('1234.567', AMOUNT)],
    ];
    const { verdict, shapes, lines } = readSheet(workbook({ sheets: [{ rows }] }));
    expect(verdict).toBe('ok');
    expect(shapes).toEqual(['2026-04-02|234.567|VIREMENT|R1']);
    expect(lines[0]?.raw).toBe('02/04/2026;02/04/2026;VIREMENT;R1;;234,567;1234,567');
  });

  test('is read if each amount might have thousands in place of decimals', () => {
    const rows = [
      ['RIB', '08006012345678901231'],
      ['Devise', 'TND'],
      ['Date', 'Libellé', 'Montant'],
      [styled(APRIL_2, DAY), 'A', styled('234.567', AMOUNT)],
      [styled(APRIL_2, DAY), 'B', styled('-12.345', AMOUNT)],
    ];
    expect(readSheet(workbook({ sheets: [{ rows }] })).shapes).toEqual([
      '2026-04-02|234.567|A|',
      '2026-04-02|-12.345|B|',
    ]);
  });
});

describe('a stored number', () => {
  test.each([
    ['1234.5670000000001', '#,##0.000', '1234.567'],
    ['1234.567', '#,##0.00', '1234.567'],
    ['5.954', '0.00', '5.954'],
    ['1.2345670000000001E3', 'General', '1234.567'],
    ['0.30000000000000004', 'General', '0.3'],
    ['9.9999999976716936E-2', '0.000', '0.1'],
    ['999999999999.123', '0.000', '999999999999.123'],
    ['-5.95', '#,##0.000_);[Red](#,##0.000)', '-5.95'],
    ['-5.95', '0.00;[Red]0.00', '-5.95'],
    ['5.95', '_-* #,##0.000 "DT"_-;-* #,##0.000 "DT"_-;_-* "-"??? "DT"_-;_-@_-', '5.95'],
    ['5.95', '#,##0.000\\ [$TND]', '5.95'],
    ['5', '0', '5'],
    ['500', '#,##0.00\\ [$€-40C]', '500'],
    ['12.5', '[$-40C]#,##0.000', '12.5'],
    ['1200500', '0","000', '1200.500'],
    ['1200500', '0\\.000', '1200.500'],
    ['500', '#"."000', '0.500'],
    ['12500', '0٫000', '12.500'],
    ['-5950', '# ##0\\,000;[Red]-# ##0\\,000', '-5.950'],
    ['1200500', '#"."##0","000_);(#"."##0","000)', '1200.500'],
    ['1200500', '0", "000', '1200.500'],
    ['120050', '0","00', '1200.50'],
    ['1200.5', '#" "##0.000', '1200.5'],
    ['1200.5', '0"."000.00', '1200.5'],
    ['1200500', '0\'000" D.T."', '1200500'],
    ['1200.5', '"N. "0.000" D.T."', '1200.5'],
  ])('%s in the format %s is %s', (stored, format, amount) => {
    const rows = statementRows([
      [styled(APRIL_2, DAY), 'A', '', styled(stored.startsWith('-') ? '0' : stored, 5), 'R1'],
      [styled(APRIL_2, DAY), 'B', styled('0', 5), styled(stored, 5), 'R2'],
    ]);
    const bytes = workbook({
      sheets: [
        {
          rows: rows.map((cells) =>
            cells[2] === 'Débit' ? ['Date', 'Libellé', 'Autre', 'Montant', 'Référence'] : cells,
          ),
        },
      ],
      formats: [...FORMATS, format],
    });
    expect(readSheet(bytes).shapes[1]).toBe(`2026-04-02|${amount}|B|R2`);
  });

  test.each([
    ['5.9504', '0.00', 'cell D6: expected a number that is exact to 3 decimals, got 5.95, stored 5.9504'],
    [
      '5950',
      '#,##0.000,',
      'cell D6: expected a shown number that is the rounding of the stored one, got 5.950, stored 5950',
    ],
    ['5.95', ';;;', 'cell D6: expected a number that is shown, got , stored 5.95'],
    ['-5.95', '0.00;0.00', 'cell D6: expected a negative number that shows its sign, got 5.95, stored -5.95'],
    ['8.00601234567890E+18', '0', 'cell D6: expected at most 15 digits, because a spreadsheet loses the others'],
    ['1234567890123.4561', '0.000', 'cell D6: expected at most 15 digits, because a spreadsheet loses the others'],
    ['1,5', '0.00', 'cell D6: expected a number, got 1,5'],
    ['1200.5', '0","000', 'cell D6: expected a whole number, got 1,201, stored 1200.5'],
    ['-5950', '0","000;0","000', 'cell D6: expected a negative number that shows its sign, got 5,950, stored -5950'],
    ['500', '#"."##0', 'row 6, column "Crédit": expected an amount, got ".500"'],
    ['1e999', '0.00', 'cell D6: expected a number, got 1e999'],
    ['5.95', 'bad[[', 'cell D6: expected a number format such as 0.000, got bad[['],
  ])('%s in the format %s is refused by its cell', (stored, format, fault) => {
    expect(faultOf(withAmount(styled(stored, 5), [...FORMATS, format]))).toContain(fault);
  });

  test.each([
    ['1200500', '#"."##0', '1200.500'],
    ['12500', '#"."##0', '12.500'],
    ['1200500', '0"."000"."000', '1.200.500'],
  ])('%s in the format %s, whose sign may group, is the text %s, as in a CSV file', (stored, format, text) => {
    expect(readStoredNumber(stored, format, 1900)).toEqual({ ok: true, value: { kind: 'text', text } });
  });

  test('with more decimals than its currency has is refused by its line', () => {
    expect(faultOf(withAmount(styled('1234.5678', 0)))).toContain(
      'line 6: expected at most 3 decimals, as TND has, got 1 234,5678 DT',
    );
  });

  test('keeps the zeros that its format shows, and those of a text', () => {
    const [first = [], ...others] = LINES;
    const rows = statementRows([[...first.slice(0, 4), styled(42, 5)], ...others]);
    const { shapes } = readSheet(workbook({ sheets: [{ rows }], formats: [...FORMATS, '00000'] }));
    expect(shapes.map((shape) => shape.split('|').at(-1))).toEqual(['00042', '00012', 'R3']);
  });

  test('that lost digits is read above the heading alone, as a name that an import refuses without --account', () => {
    const rows = statementRows();
    rows[0] = ['RIB', styled('8.0060123456789012E+18', 0)];
    const { verdict, statement } = readSheet(workbook({ sheets: [{ rows }] }));
    expect([verdict, statement.account]).toEqual(['ok', '8.006012345678901e+18']);
    const below = [...statementRows(), ['RIB', styled('8.0060123456789012E+18', 0)]];
    expect(faultOf(workbook({ sheets: [{ rows: below }] }))).toContain('cell B10: expected at most 15 digits');
    rows[2] = ['Solde initial', styled('1E+18', 0)];
    expect(faultOf(workbook({ sheets: [{ rows }] }))).toMatch(/row 3: expected an amount, got "1e\+18"/);
  });
});

describe('a date', () => {
  const withDate = (serial: number | string, format: string | number): Buffer => {
    const [[, ...first] = [], ...others] = LINES;
    const rows = statementRows([[styled(serial, 5), ...first], ...others]);
    return workbook({ sheets: [{ rows }], formats: [...FORMATS, format] });
  };

  test.each([
    ['dd/mm/yyyy', APRIL_2],
    [14, APRIL_2],
    [22, `${APRIL_2}.75`],
    ['[$-40C]d mmmm yyyy;@', APRIL_2],
    ['yyyy\\-mm\\-dd', APRIL_2],
  ])('in the format %s is the day of its number', (format, serial) => {
    expect(readSheet(withDate(serial, format)).shapes[0]).toBe(SHAPES[0]);
  });

  test.each([
    [0, 'dd/mm/yyyy', 'cell A6: expected the number of a day, got 0'],
    [60, 'dd/mm/yyyy', 'cell A6: expected the number of a day, got 60'],
    [-1, 'dd/mm/yyyy', 'cell A6: expected the number of a day, got -1'],
    [2_958_466, 'dd/mm/yyyy', 'cell A6: expected the number of a day, got 2958466'],
    [APRIL_2, 'd-mmm', 'row 6, column "Date": expected a date, got "2-Apr"'],
    [APRIL_2, 'General', 'row 6, column "Date": expected a date, got "46114"'],
  ])('%s in the format %s is refused', (serial, format, fault) => {
    expect(faultOf(withDate(serial, format))).toContain(fault);
  });

  test('is refused beside a text that the program did not read as a date', () => {
    const [first = [], [, ...second] = [], third = []] = LINES;
    const rows = statementRows([first, ['13/04/2026', ...second], third]);
    expect(faultOf(workbook({ sheets: [{ rows }] }))).toContain(
      'cell A7: expected a date, as in A6, got the text "13/04/2026"; a spreadsheet program read only a part of the column',
    );
  });
});

describe('a cell', () => {
  test.each([
    [
      'a truth value',
      { attributes: ' t="b"', content: '<v>1</v>' },
      'cell D6: expected a text, a number or a date, got TRUE',
    ],
    [
      'an error',
      { attributes: ' t="e"', content: '<v>#REF!</v>' },
      'cell D6: expected a text, a number or a date, got the error #REF!',
    ],
    [
      'a formula without a value',
      { content: '<f>A1+1</f>' },
      'cell D6: expected the value of its formula, got none; open the workbook, calculate it and save it again',
    ],
    ['a formula with an empty value', { content: '<f>A1+1</f><v></v>' }, 'cell D6: expected the value of its formula'],
    [
      'a text that does not exist',
      { attributes: ' t="s"', content: '<v>999</v>' },
      'cell D6: expected a shared text, got the number "999"',
    ],
    [
      'an unknown type',
      { attributes: ' t="z"', content: '<v>1</v>' },
      'cell D6: expected a known type of cell, got "z"',
    ],
    ['a text among numbers', '1 234,567', 'cell D8: expected a text, as in D6, got a number'],
  ])('with %s is refused by its place', (_what, cell, fault) => {
    expect(faultOf(withAmount(cell))).toContain(fault);
  });

  test('with a shown number of two decimals keeps the third', () => {
    const bytes = withAmount(styled('1234.567', CENTS));
    expect(readSheet(bytes).shapes[0]).toContain('|1234.567|');
    expect(readSheet(withAmount(styled('1234.567', TEXT))).shapes[0]).toContain('|1234.567|');
  });

  test.each([
    [
      'twice',
      '<row r="1"><c r="A1"><v>1</v></c><c r="A1"><v>2</v></c></row>',
      'cell A1: expected one value, got a second',
    ],
    ['in another row', '<row r="1"><c r="A2"><v>1</v></c></row>', 'row 1: expected a cell of this row, got "A2"'],
    [
      'in a row that repeats',
      '<row r="2"><c><v>1</v></c></row><row r="2"><c><v>1</v></c></row>',
      'row 2: expected a row below row 2',
    ],
    [
      'too far on the right',
      '<row r="1"><c r="ZZZ1"><v>1</v></c></row>',
      'cell ZZZ1: expected at most 1000 columns, got more',
    ],
    ['too far below', '<row r="9999999"><c><v>1</v></c></row>', 'row 9999999: expected at most 1048576 rows, got more'],
  ])('is refused %s', (_where, rows, fault) => {
    const xml = `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
    expect(faultOf(workbook({ sheets: [{ xml }] }))).toContain(fault);
  });
});

describe('the sheets of a workbook', () => {
  const STATEMENT = { name: 'Relevé', rows: statementRows() };
  const OTHER = { name: 'Notes', rows: [['Ne pas diffuser', 'x']] };

  test('have one with a statement, which a note names', () => {
    const { statement, shapes } = readSheet(workbook({ sheets: [OTHER, STATEMENT, { name: 'Vide' }] }));
    expect(shapes).toEqual(SHAPES);
    expect(statement.notes).toEqual(['the sheet "Relevé" is read']);
  });

  test('are refused by their names if several have a statement', () => {
    expect(faultOf(workbook({ sheets: [STATEMENT, { ...STATEMENT, name: 'Mai' }] }))).toBe(
      'file.xlsx: expected one sheet with a statement, got 2; nothing was stored; save each of them as a file of its own\n' +
        'sheet "Relevé" has a statement\nsheet "Mai" has a statement',
    );
  });

  test('are refused with the fault of each if none has a statement', () => {
    const rows = statementRows().slice(0, 4);
    expect(faultOf(workbook({ sheets: [OTHER, { name: 'Mai', rows }] }))).toMatch(
      /expected a sheet with a statement, got none.*\nsheet "Notes": .*\nsheet "Mai": /,
    );
  });

  test('that are hidden are not read, and a note says so', () => {
    const hidden = { ...STATEMENT, name: 'Avril', state: 'hidden' as const };
    expect(readSheet(workbook({ sheets: [hidden, STATEMENT] })).statement.notes).toEqual([
      'the hidden sheet "Avril" is not read',
    ]);
    expect(faultOf(workbook({ sheets: [hidden] }))).toContain('the hidden sheet "Avril" is not read');
  });

  test('have notes about hidden rows, hidden columns and merged cells', () => {
    const sheet = {
      rows: statementRows(),
      hiddenRows: [7],
      before: '<cols><col min="5" max="5" hidden="1"/></cols>',
      after: '<mergeCells><mergeCell ref="A4:E4"/></mergeCells>',
    };
    const { statement, shapes } = readSheet(workbook({ sheets: [sheet] }));
    expect(shapes).toEqual(SHAPES);
    expect(statement.notes).toEqual([
      'hidden rows are read: 7',
      'hidden columns are read',
      'merged cells have their value in the first cell only: A4:E4',
    ]);
  });

  test('with a date or a text merged over several lines have it in each of them, and an amount once', () => {
    const [first = [], [, ...second] = [], third = []] = LINES;
    const rows = statementRows([first, ['', ...second.slice(0, -1), ''], third]);
    const merged = ['A6:A7', 'E6:E7', 'D6:D7', 'A4:E4', 'B7:B8', 'Z1:Z9', 'x'];
    const after = `<mergeCells>${merged.map((range) => `<mergeCell ref="${range}"/>`).join('')}</mergeCells>`;
    const { verdict, statement, shapes } = readSheet(workbook({ sheets: [{ rows, after }] }));
    expect(verdict).toBe('ok');
    expect(shapes).toEqual([SHAPES[0], '2026-04-02|-5.95|COMMISSION|R1', SHAPES[2]]);
    expect(statement.notes).toEqual([
      'merged cells have their value in each of their rows: A6:A7, E6:E7, B7:B8',
      'merged cells have their value in the first cell only: D6:D7, A4:E4, Z1:Z9, x',
    ]);
  });

  test('are refused if merged cells fill more cells than a sheet may have', () => {
    const rows = Array.from({ length: 2_100 }, () => ['a', 'b']);
    const after = `<mergeCells>${'<mergeCell ref="A1:A2100"/>'.repeat(1_000)}</mergeCells>`;
    expect(faultOf(workbook({ sheets: [{ rows, after }] }))).toContain('expected at most 2000000 cells, got more');
  });

  test('are read without styles, where a date is only a number', () => {
    const bytes = xlsxFile({ sheets: [{ rows: statementRows() }], withoutStyles: true });
    expect(faultOf(bytes)).toContain('row 6, column "Date": expected a date');
  });
});
