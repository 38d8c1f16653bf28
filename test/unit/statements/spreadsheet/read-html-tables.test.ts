// Goal: HTML tables and tab-separated text with the name of a workbook are read like the bank's CSV.
// Method: pages as banks and Excel write them, small, each with one special feature.
import { describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { faultOf, readSheet } from './a-sheet';

const ROWS = [
  '<tr><td>RIB<td>08006012345678901231',
  '<tr><td>Devise<td>TND',
  '<tr><td>Solde initial<td>100,000',
  '<tr><th>Date<th>Libell&eacute;<th>D&eacute;bit<th>Cr&eacute;dit',
  '<tr><td>02/04/2026<td>VIREMENT<br>RECU &amp; CO<td>&nbsp;<td>1&nbsp;234,567',
  '<tr><td>13/04/2026<td>COMMISSION<td>5,950<td>',
  '<tr><td>Solde final<td>1&nbsp;328,617',
];
const SHAPES = ['2026-04-02|1234.567|VIREMENT RECU & CO|', '2026-04-13|-5.950|COMMISSION|'];

function page(...rows: readonly string[]): string {
  return `<html><head><title>x</title><style>td{color:red}</style></head><body><table>${rows.join('\n')}</table></body></html>`;
}

describe('an HTML statement', () => {
  test.each([
    ['with sloppy tags', page(...ROWS)],
    ['after a doctype', `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">\n${page(...ROWS)}`],
    ['in XHTML', `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${page(...ROWS).slice(6)}`],
    ['as a table alone', `\ufeff<table>${ROWS.join('')}</table>`],
    ['in capitals', page(...ROWS.map((row) => row.replace(/<(t[rdh])/g, (tag) => tag.toUpperCase())))],
    ['in two tables', page(...ROWS.slice(0, 3), '</table><p>Relev&eacute;</p><table>', ...ROWS.slice(3))],
    ['in a table of the page', page(`<tr><td>${page(...ROWS)}</td></tr>`)],
    ['with a script', page(...ROWS).replace('<body>', '<body><script>var a = "<table><tr><td>1"</script>')],
    ['with text around', page(...ROWS).replace('<body>', '<body><h1>BANQUE</h1>Page 1')],
  ])('is read %s', (_how, text) => {
    const { verdict, statement, shapes } = readSheet(Buffer.from(text));
    expect(verdict).toBe('ok');
    expect(statement).toMatchObject({ account: '08006012345678901231', currency: 'TND' });
    expect(shapes).toEqual(SHAPES);
  });

  test('is refused with both readings of a text, by its row, unless a person chooses', () => {
    const text = Buffer.from(page(...ROWS.map((row) => row.replace('1&nbsp;', ''))));
    expect(faultOf(text)).toContain('"100,000" (row 3) is 100,000 DT or 100 000,000 DT');
    expect(readSheet(text, { profile: 'proposed', decimalSign: ',' }).lines[0]?.amount.units).toBe(234_567n);
  });

  test.each([
    ['windows-1252 that it declares', `<meta charset="windows-1252">`, 'windows-1252'],
    ['windows-1252 without a word', '', 'windows-1252'],
    ['ISO 8859-15', `<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-15">`, 'iso-8859-15'],
  ])('is read in %s', (_what, meta, encoding) => {
    const text = page(...ROWS)
      .replace('<head>', `<head>${meta}`)
      .replaceAll('&eacute;', 'é');
    expect(readSheet(iconv.encode(text, encoding)).shapes).toEqual(SHAPES);
  });

  test('is read in UTF-16', () => {
    expect(readSheet(Buffer.from(`\ufeff${page(...ROWS)}`, 'utf16le')).shapes).toEqual(SHAPES);
  });

  test('has its cells in the columns of the header whatever cells span', () => {
    const rows = [...ROWS];
    rows[2] = '<tr><td rowspan=1 colspan=1>Solde initial<td colspan=3>100,000';
    rows[4] = '<tr><td rowspan="2">02/04/2026<td>VIREMENT RECU &amp; CO<td><td>1 234,567';
    rows[5] = '<tr><td>COMMISSION<td>5,950<td>';
    expect(readSheet(Buffer.from(page(...rows))).shapes).toEqual([SHAPES[0], '2026-04-02|-5.950|COMMISSION|']);
  });

  test('has a date or a text over several rows in each of them, and an amount once', () => {
    const rows = [
      '<tr><th>Date<th>Libell&eacute;<th>D&eacute;bit<th>Cr&eacute;dit<th>Devise',
      '<tr><td rowspan=2>02.04.2026<td>A<td><td rowspan=2>1 005,950<td rowspan=2>TND',
      '<tr><td>B<td>1,500',
      '<tr><td>14.04.2026<td>C<td><td>1,000<td>TND',
    ];
    expect(readSheet(Buffer.from(page(...rows))).shapes).toEqual([
      '2026-04-02|1005.950|A|',
      '2026-04-02|-1.500|B|',
      '2026-04-14|1.000|C|',
    ]);
  });

  test('has no row where only cells above are', () => {
    const rows = ROWS.map((row) => row.replace(/<t([dh])>/g, '<t$1 rowspan=2>'));
    expect(readSheet(Buffer.from(page(...rows.flatMap((row) => [row, '<tr></tr>'])))).shapes).toEqual(SHAPES);
  });

  test.each([
    ['<td x:num>1234,567', '1234.567'],
    ['<td x:num="1234.567">1 234,57', '1234.567'],
    ['<td x:num="1234.5">1 234,500', '1234.500'],
    ['<td x:num="1234">1 234,000', '1234.000'],
  ])('is read with the stored number of %s', (cell, amount) => {
    const rows = ROWS.slice(0, 6).map((row) =>
      row.replace('<td>1&nbsp;234,567', cell).replace('<td>02', '<td x:num="46114">02'),
    );
    expect(readSheet(Buffer.from(page(...rows))).shapes[0]).toBe(`2026-04-02|${amount}|VIREMENT RECU & CO|`);
  });

  test.each([
    '<td x:num="1234567">1234,567',
    '<td x:num="12500">12.500',
    '<td x:num="1234.567">1 234,50',
    '<td x:num="-1234.567">1 234,57',
    '<td x:num="1234.567">x',
  ])('is refused with a stored number that the shown one does not round: %s', (cell) => {
    const rows = ROWS.map((row) => row.replace('<td>1&nbsp;234,567', cell));
    expect(faultOf(Buffer.from(page(...rows)))).toContain(
      'cell D5: expected a shown number that is the rounding of the stored one',
    );
  });

  const HIDDEN = '12/04/2026<td>HIDDEN<td>9,000<td>';

  test.each([
    ['a row', `<tr style="DISPLAY: none"><td>${HIDDEN}`],
    ['a row with the attribute', `<tr hidden><td>${HIDDEN}`],
    ['a row that collapses', `<tr style="visibility:collapse;"><td>${HIDDEN}`],
    ['a row by its class', `<tr class="odd off"><td>${HIDDEN}`],
    ['rows', `<tbody style='color:red;display : none'><tr><td>${HIDDEN}<tr><td>${HIDDEN}</tbody>`],
    ['a table', `</table><div hidden><table><tr><td>${HIDDEN}</table>9,000</div><table>`],
    ['cells', '<tr><td style="visibility:hidden">12/04/2026<td class="blank">HIDDEN<td class=blank>9,000<td>'],
    ['a text by its id', '</table><p id="note">Solde final : 9,000</p><table>'],
    ['a text', '</table><p style="display:none">Solde final : 9,000</p><table>'],
  ])('is read without %s that a browser does not show', (_what, hidden) => {
    const text = page(...ROWS.slice(0, 5), hidden, ...ROWS.slice(5)).replace(
      '<style>',
      '<style><!-- .off, td.x {color:red; display:none} /* x */ .blank, #note { visibility: hidden } -->',
    );
    const { verdict, statement, shapes } = readSheet(Buffer.from(text));
    expect([verdict, statement.notes]).toEqual(['ok', ['hidden text is not read']]);
    expect(shapes).toEqual(SHAPES);
  });

  test('is read without the hidden part of a cell, hidden cells and hidden columns', () => {
    const rows = [
      '<col><col span=2 style="display:none"><col>',
      '<tr><th>Date<th>Interne<th>Montant<th>Libell&eacute;<th>D&eacute;bit<th>Cr&eacute;dit',
      '<tr><td>02/04/2026<td>7,000<td>8,000<td>A<td style="display:none">9,000<td><td>1 234,567<span hidden>9</span>',
      '<tr><td><i style="visibility:hidden">0</i>13/04/2026<td>7,000<td>8,000<td>B<td>5,950<td>',
    ];
    const { statement, shapes } = readSheet(Buffer.from(page('<tr><td>Devise<td><td><td>TND', ...rows)));
    expect(statement.notes).toEqual(['hidden text is not read']);
    expect(shapes).toEqual(['2026-04-02|1234.567|A|', '2026-04-13|-5.950|B|']);
  });

  test.each([
    ['for paper', '<style>@media print { .a { display:none } }</style>', '<tr class="a"><td>'],
    ['inside another element', '<style>.menu .a { display:none }</style>', '<tr class="a"><td>'],
    [
      'that its own style overrides',
      '<style>.a { display:none }</style>',
      '<tr class="a" style="display:table-row"><td>',
    ],
    ['of another name', '<style>.ab { display:none }</style>', '<tr class="a"><td>'],
    ['of another property', '', '<tr style="mso-display:none-of-it; background:none"><td>'],
  ])('is read with rows of a rule %s', (_what, style, row) => {
    const text = page(...ROWS.map((each) => each.replace('<tr><td>13', `${row}13`))).replace(
      '<body>',
      `${style}<body>`,
    );
    const { statement, shapes } = readSheet(Buffer.from(text));
    expect([statement.notes, shapes]).toEqual([[], SHAPES]);
  });

  test.each([
    ['without a table', '<html><body><p>Session expir&eacute;e</p></body></html>'],
    ['without a cell', '<html></html>'],
  ])('is refused %s', (_how, text) => {
    expect(faultOf(Buffer.from(text))).toMatch(/no profile matches this file|expected a sheet with a statement/);
  });

  test.each([
    ['tables', '<table><tr><td>', 'expected at most 1000 elements inside each other'],
    ['paragraphs', '<b><i>', 'expected at most 1000 elements inside each other'],
    ['cells over all rows', '<tr><td colspan=1000 rowspan=1000>x', 'expected at most 1000 columns'],
    ['spaces', '&nbsp;'.repeat(100), 'expected a sheet with a statement'],
  ])('is refused with %s without end', (_what, part, fault) => {
    expect(faultOf(Buffer.from(`<table>${part.repeat(20_000)}`))).toContain(fault);
  });
});

describe('tab-separated text with the name of a workbook', () => {
  const TEXT = ROWS.map((row) =>
    row
      .replace(/<tr><t[dh]>/, '')
      .replace(/<t[dh]>/g, '\t')
      .replace('<br>', ' ')
      .replaceAll('&eacute;', 'é')
      .replaceAll('&amp;', '&')
      .replaceAll('&nbsp;', ' '),
  ).join('\r\n');

  test.each([
    ['windows-1252', iconv.encode(TEXT, 'windows-1252')],
    ['UTF-16', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
  ])('is read in %s', (_encoding, bytes) => {
    expect(readSheet(bytes).shapes).toEqual(SHAPES);
  });
});
