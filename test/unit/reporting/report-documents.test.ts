// Goal: one report says the same in every form, and no form runs or hides what stands in its text.
import { describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import {
  documentToCsv,
  documentToHtml,
  documentToJson,
  documentToText,
  type ReportDocument,
} from '../../../src/reporting';
import { barChartSvg } from '../../../src/reporting/bar-chart-svg';

const EVIL = `<script>alert("1")</script>`;
const HUGE = 9_007_199_254_740_993n;

const DOCUMENT: ReportDocument = {
  key: 'clearing',
  title: 'Clearing, 2026-03-01',
  facts: [{ key: 'ledgerFeeMillimes', label: 'fee', value: 1_234_567n }],
  proven: false,
  tables: [
    {
      key: 'openItems',
      title: 'Open items',
      columns: [
        { key: 'itemId', label: 'item' },
        { key: 'short', label: 'short', terminalOnly: true },
        { key: 'memo', label: 'memo', mayBeCut: true },
        { key: 'holds', label: 'holds', wideOnly: true },
        { key: 'count', label: 'count' },
        { key: 'amountMillimes', label: 'amount' },
      ],
      rows: [
        ['004711', 's1', EVIL, true, 12, HUGE],
        ['=1+1', undefined, `a\u001b[2Jb\u202e${'x'.repeat(200)}`, false, 3, -5n],
        ['third', undefined, '', undefined, undefined, 0n],
      ],
      rowsShownMax: 2,
      plot: {
        title: 'By day & night',
        description: 'The table has the figures.',
        categories: ['2026-03-01', '2026-03-02'],
        series: [{ name: EVIL, amounts: [1_000n, HUGE] }],
      },
    },
    { key: 'others', title: 'Others', columns: [{ key: 'itemId', label: 'item' }], rows: [] },
  ],
};

describe('text', () => {
  const text = documentToText(DOCUMENT);

  test('is aligned, at most 100 characters wide, with amounts in dinars on the right', () => {
    const lines = text.split('\n');
    expect(Math.max(...lines.map((line) => Array.from(line).length))).toBe(100);
    const amounts = ['9 007 199 254 740,993 DT', '-0,005 DT'];
    const ends = amounts.map((amount) => {
      const line = lines.find((each) => each.includes(amount)) ?? '';
      return line.indexOf(amount) + amount.length;
    });
    expect(new Set(ends).size).toBe(1);
  });

  test('leaves out wide columns, cuts long lists and says so, and says what does not add up', () => {
    expect(text).toContain('s1');
    expect(text).not.toContain('holds');
    expect(text).toContain('and 1 more; the JSON and the CSV have them all');
    expect(text).toContain('DOES NOT ADD UP');
    expect(text).toContain('Others\n  none');
  });

  test('shows what a terminal would obey, and obeys nothing', () => {
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(text).toContain('a\\u001b[2Jb\\u202e');
  });
});

test('CSV has every row with amounts in millimes, and no cell is a formula', () => {
  const rows = parse<Record<string, string>>(documentToCsv(DOCUMENT), { columns: true });
  expect(rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== '')))).toEqual([
    { section: 'report', item: 'ledger_fee_millimes', value: '1234567' },
    { section: 'report', item: 'proof', value: 'does_not_add_up' },
    { section: 'open_items', item_id: '004711', memo: EVIL, holds: 'true', count: '12', amount_millimes: `${HUGE}` },
    expect.objectContaining({ item_id: "'=1+1", holds: 'false', amount_millimes: '-5' }),
    { section: 'open_items', item_id: 'third', amount_millimes: '0' },
  ]);
});

test('JSON has every row under its names, exact also beyond what a number holds', () => {
  const json = documentToJson(DOCUMENT);
  expect(json).toMatchObject({ report: 'clearing', ledgerFeeMillimes: 1_234_567, proven: false, others: [] });
  expect(json['openItems']).toEqual([
    { itemId: '004711', memo: EVIL, holds: true, count: 12, amountMillimes: '9007199254740993' },
    expect.objectContaining({ itemId: '=1+1', amountMillimes: -5 }),
    { itemId: 'third', memo: '', holds: null, count: null, amountMillimes: 0 },
  ]);
});

describe('the page', () => {
  const page = documentToHtml(DOCUMENT);

  test('escapes every text, loads nothing and runs nothing', () => {
    expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;');
    expect(page).not.toMatch(/<script|<link|<img|<iframe|javascript:|\son\w+=|https?:|url\(|@import/i);
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });

  test('has a title and a description for each plot and its figures as a table, for light, dark and paper', () => {
    expect(page).toMatch(
      /<svg [^>]*role="img" aria-labelledby="(\S+) (\S+)">\n<title id="\1">By day &amp; night<.*\n<desc id="\2">/,
    );
    expect(page).toContain('9 007 199 254 740,993 DT</td>');
    expect(page).toContain('prefers-color-scheme: dark');
    expect(page).toContain('@media print');
    expect(page).toContain('<th scope="col" class="number">amount</th>');
  });
});

describe('a plot', () => {
  const heights = (amounts: readonly bigint[]): number[] => {
    const categories = amounts.map((_, at) => `day ${at}`);
    const svg = barChartSvg({ title: 't', description: 'd', categories, series: [{ name: 's', amounts }] }, 'id');
    return [...svg.matchAll(/height="([\d.]+)"><title>/g)].map((match) => Number(match[1]));
  };

  test('draws amounts in proportion, and nothing for nothing', () => {
    expect(heights([1_000_000n, 500_000n, 0n])).toEqual([200, 100]);
    expect(heights([HUGE * 1_000n, HUGE * 500n])).toMatchObject([expect.any(Number), expect.any(Number)]);
    expect(heights([])).toEqual([]);
  });

  test('is within its frame for a year of days', () => {
    const days = Array.from({ length: 366 }, (_, at) => BigInt(at) * 1_000n);
    expect(heights(days)).toHaveLength(365);
    expect(Math.max(...heights(days))).toBeLessThanOrEqual(200);
  });
});
