// Goal: the cells of a sheet are read like the lines of a text.
// Method: one table as text and as cells, through the proposal and the reader.
import { expect, test } from '@jest/globals';
import { proposeProfileOf } from '../../../../src/statements/reading/csv/propose-profile';
import { readRows } from '../../../../src/statements/reading/csv/read-csv-statement';
import { cellRows, textRows } from '../../../../src/statements/reading/csv/row-source';

const TABLE = [
  ['RIB', '08003000514000000123'],
  ['Devise', 'TND'],
  [],
  ['Date', 'Libellé', 'Débit', 'Crédit'],
  ['', 'Solde initial', '', '1000,500'],
  ['02/04/2026', 'FRAIS; TVA', '0,500', ''],
  ['', 'Solde final', '', '1000,000'],
];

function eventsOf(source: ReturnType<typeof textRows>): unknown[] {
  const { profile } = proposeProfileOf(source);
  return readRows(source, { profile }).map((event) =>
    event.kind === 'line' ? { ...event.line, raw: '' } : event.statement,
  );
}

test('reads the cells of a sheet as the same rows of a text', () => {
  const text = TABLE.map((cells) => cells.map((cell) => (cell.includes(';') ? `"${cell}"` : cell)).join(';')).join(
    '\n',
  );
  const events = eventsOf(cellRows(TABLE));
  expect(events).toEqual(eventsOf(textRows(text)));
  expect(events).toHaveLength(2);
  expect(events[0]).toMatchObject({ fileLine: 6, remittance: 'FRAIS; TVA', amount: { units: -500n } });
});

test('refuses a sheet without a filled cell', () => {
  expect(() => proposeProfileOf(cellRows([[], ['', ' ']]))).toThrow('the file is empty');
});
