// Goal: every format of a report has the same content, and no format executes or hides text.
import { describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { businessCalendar, businessDate, millimes, parseInstant } from '../../../src/kernel';
import {
  type DailyReport,
  dailyReportToCsv,
  dailyReportToJson,
  dailyReportToText,
  documentToCsv,
  documentToHtml,
  documentToJson,
  documentToText,
  type ReportDocument,
  type WholeReport,
  wholeReportToHtml,
} from '../../../src/reporting';
import { plotHtml } from '../../../src/reporting/plot-html';

const calendar = businessCalendar('Africa/Tunis');
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
        unit: 'DT',
        description: 'The table has the figures.',
        categories: ['2026-03-01', '2026-03-02'],
        series: [{ name: EVIL, amounts: [1_000n, HUGE] }],
      },
    },
    { key: 'others', title: 'Others', columns: [{ key: 'itemId', label: 'item' }], rows: [] },
  ],
};

describe('the text of a report', () => {
  const text = documentToText(DOCUMENT, calendar);

  test('aligns amounts in dinars on the right, in at most 100 characters', () => {
    const lines = text.split('\n');
    expect(Math.max(...lines.map((line) => Array.from(line).length))).toBe(100);
    const amounts = ['9 007 199 254 740,993 DT', '-0,005 DT'];
    const ends = amounts.map((amount) => {
      const line = lines.find((each) => each.includes(amount)) ?? '';
      return line.indexOf(amount) + amount.length;
    });
    expect(new Set(ends).size).toBe(1);
  });

  test('omits wide columns, shortens long lists with a note, and prints DOES NOT ADD UP', () => {
    expect(text).toContain('s1');
    expect(text).not.toContain('holds');
    expect(text).toContain('and 1 more; the JSON and the CSV have them all');
    expect(text).toContain('DOES NOT ADD UP');
    expect(text).toContain('Others\n  none');
  });

  test('prints control characters as visible text', () => {
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(text).toContain('a\\u001b[2Jb\\u202e');
  });
});

test('shows words, amounts and probabilities whole, and only names shortened', () => {
  const text = documentToText(
    {
      key: 'payouts',
      title: 'Payouts',
      facts: [],
      proven: undefined,
      tables: [
        {
          key: 'credits',
          title: 'Bank credits',
          columns: [
            { key: 'lineId', label: 'line' },
            { key: 'evidence', label: 'evidence or break' },
            { key: 'claimedError', label: 'claimed error' },
            { key: 'fullName', label: 'name', mayBeCut: true },
          ],
          rows: [['L'.repeat(26), 'provider_record_and_inference', { probability: '0.000156019' }, 'n'.repeat(80)]],
        },
      ],
    },
    calendar,
  );
  expect(text).toMatch(/^ {2}line {24}evidence or break {14}claimed error {2}name$/m);
  expect(text).toMatch(/^ {2}L{26} {2}provider_record_and_inference {7}0,0157 % {2}n{19,}…$/m);
});

test('writes every row as CSV in millimes, and no cell that is a formula', () => {
  const rows = parse<Record<string, string>>(documentToCsv(DOCUMENT), { columns: true });
  expect(rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== '')))).toEqual([
    { section: 'report', item: 'ledger_fee_millimes', value: '1234567' },
    { section: 'report', item: 'proof', value: 'does_not_add_up' },
    { section: 'open_items', item_id: '004711', memo: EVIL, holds: 'true', count: '12', amount_millimes: `${HUGE}` },
    expect.objectContaining({ item_id: "'=1+1", holds: 'false', amount_millimes: '-5' }),
    { section: 'open_items', item_id: 'third', amount_millimes: '0' },
  ]);
});

test('writes every row as JSON, exact beyond the safe integers', () => {
  const json = documentToJson(DOCUMENT);
  expect(json).toMatchObject({ report: 'clearing', ledgerFeeMillimes: 1_234_567, proven: false, others: [] });
  expect(json['openItems']).toEqual([
    { itemId: '004711', memo: EVIL, holds: true, count: 12, amountMillimes: '9007199254740993' },
    expect.objectContaining({ itemId: '=1+1', amountMillimes: -5 }),
    { itemId: 'third', memo: '', holds: null, count: null, amountMillimes: 0 },
  ]);
});

describe('the HTML page of a report', () => {
  const page = documentToHtml(DOCUMENT, calendar);

  test('escapes every text, and contains no script and no link to load', () => {
    expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;');
    expect(page).not.toMatch(/<script|<link|<img|<iframe|javascript:|\son\w+=|https?:|url\((?!#)|@import/i);
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });

  test('has a title, a description and a table for each plot, and styles for light, dark and print', () => {
    expect(page).toMatch(
      /<svg [^>]*role="img" aria-labelledby="(\S+) (\S+)"><title id="\1">By day &amp; night<.*<desc id="\2">/,
    );
    expect(page).toContain('<details><summary>Figures of the plot</summary>');
    expect(page).toContain('9 007 199 254 740,993 DT</td>');
    expect(page).toContain('prefers-color-scheme: dark');
    expect(page).toContain('@media print');
    expect(page).toContain('<th scope="col" class="number">amount</th>');
  });
});

describe('the plot', () => {
  const drawn = (amounts: readonly bigint[], kind?: 'line'): string => {
    const categories = amounts.map((_, at) => `day ${at}`);
    const plot = { title: 't', unit: 'DT', description: 'd', categories, series: [{ name: 's', amounts }] } as const;
    return plotHtml(kind === undefined ? plot : { ...plot, kind }, 'id').join('');
  };
  const heights = (amounts: readonly bigint[]): number[] =>
    [...drawn(amounts).matchAll(/height="([\d.]+)"><title>/g)].map((match) => Number(match[1]));

  test('has bars in proportion to amounts, and no bar for 0', () => {
    expect(heights([8_000_000n, 4_000_000n, 0n])).toEqual([200, 100]);
    expect(heights([HUGE * 1_000n, HUGE * 500n])).toMatchObject([expect.any(Number), expect.any(Number)]);
    expect(heights([])).toEqual([]);
  });

  test('stays within its frame for a year of days', () => {
    const days = Array.from({ length: 366 }, (_, at) => BigInt(at) * 1_000n);
    expect(heights(days)).toHaveLength(365);
    expect(Math.max(...heights(days))).toBeLessThanOrEqual(200);
  });

  test('draws amounts below 0 under the line of 0', () => {
    const ys = [...drawn([4_000n, -4_000n], 'line').matchAll(/cy="([\d.]+)"/g)].map((match) => Number(match[1]));
    expect(ys).toEqual([12, 212]);
  });

  test('tells two series apart without colors', () => {
    const series = ['received', 'banked'].map((name) => ({ name, amounts: [4_000n] }));
    const html = plotHtml({ title: 't', unit: 'DT', description: 'd', categories: ['2026-03-01'], series }, 'id').join(
      '',
    );
    expect(html.match(/fill="url\(#id-1\)"/g)).toHaveLength(2);
    expect(html).toContain('<title>2026-03-01, banked, 4,000 DT</title>');
  });
});

const total = (count: number, amount: bigint): { count: number; amount: bigint } => ({ count, amount });
const MATCH = {
  matchId: 'M1',
  kind: 'inferred',
  model: 'sweep-all',
  stream: 'all',
  evidence: 'inferred_by_cut',
  gross: millimes(102_500),
  fee: millimes(0),
  tva: millimes(0),
  remainder: millimes(0),
  claimedError: '0.0001',
  cutAfter: 1,
  cutUntil: 2,
  recordedAt: 3,
  recordedBy: 'cli',
  itemCount: 1,
};
const EVIL_TEXT = `<script>alert("1")</script>&'`;

const REPORT: DailyReport = {
  through: businessDate('2026-03-03'),
  agents: { open: 2, owing: 1, due: 42_999n, inCredit: 1, credit: 500n },
  confirmed: total(3, 109_501n),
  confirmedToday: total(1, 7_001n),
  matched: total(1, 102_500n),
  forced: 0n,
  paidAhead: 0n,
  knownAt: parseInstant('2026-03-04T05:30:00Z') ?? 0,
  onTheWay: { ...total(1, 7_001n), byDay: [{ day: businessDate('2026-03-03'), ...total(1, 7_001n) }] },
  channels: [
    {
      channel: 'card',
      opening: 5_000n,
      succeeded: total(2, 30_000n),
      refunded: total(1, 4_000n),
      fees: 450n,
      tva: -86n,
      paidOut: 0n,
      returned: 0n,
      writtenOff: 0n,
      corrected: 0n,
      closing: 30_636n,
      parts: [
        { label: 'unpaid_items', items: 3, amount: 31_000n },
        { label: 'fees_posted', items: undefined, amount: -364n },
        { label: 'unexplained', items: undefined, amount: 0n },
      ],
      seal: { recorded: 50_000n, recordedLater: -20_000n, datedLater: -636n },
      proven: true,
    },
  ],
  day: { kind: 'closed', seal: 7, sealedAt: parseInstant('2026-03-04T08:00:00Z') ?? 0, sealedBy: 'salma' },
  confirmsProven: true,
  proven: true,
  bankCoveredThrough: '2026-03-03',
  credits: [
    {
      lineId: 'L1',
      bookingDate: businessDate('2026-03-03'),
      counterparty: '=HYPERLINK("x")',
      remittance: EVIL_TEXT,
      amount: millimes(102_500),
      matched: true,
      returned: false,
      evidence: 'inferred_by_cut',
      itemCount: 1,
      payments: [
        {
          transactionId: 'T1',
          agentId: '-1+2',
          fullName: 'خالد; =الهمامي',
          amount: millimes(102_500),
          receivedAt: parseInstant('2026-03-02T22:30:00Z') ?? 0,
        },
      ],
    },
    {
      lineId: 'L2',
      bookingDate: businessDate('2026-03-03'),
      counterparty: '',
      remittance: 'VIR',
      amount: millimes(999_999),
      matched: false,
      returned: false,
      evidence: undefined,
      itemCount: 0,
      payments: [],
    },
  ],
  breaks: [
    {
      ...{ breakClass: 'paid_but_rejected', count: 2, amount: 40n },
      ended: [
        {
          ...{ id: 'B1', amount: 30n },
          end: {
            resolution: 'force_matched',
            endedOn: businessDate('2026-03-05'),
            bookedOn: businessDate('2026-03-03'),
          },
        },
      ],
    },
  ],
};

test('writes the daily report as CSV, one line for each figure in millimes', () => {
  const rows = parse<Record<string, string>>(dailyReportToCsv(REPORT, calendar), { columns: true });
  const filled = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== '')));
  expect(filled).toEqual([
    { section: 'report', item: 'through', time: '2026-03-03' },
    { section: 'report', item: 'as_of', note: 'the end of 2026-03-03 by ledger date' },
    { section: 'report', item: 'known_at', time: '2026-03-04 06:30:00' },
    { section: 'report', item: 'bank_covered_through', time: '2026-03-03' },
    { section: 'report', item: 'proof', note: 'adds_up' },
    { section: 'report', item: 'day', time: '2026-03-04 09:00:00', note: 'closed' },
    { section: 'agents_now', item: 'open', count: '2' },
    { section: 'agents_now', item: 'owe_us', count: '1', amount_millimes: '42999' },
    { section: 'agents_now', item: 'have_credit', count: '1', amount_millimes: '500' },
    { section: 'payments', item: 'confirmed_today', count: '1', amount_millimes: '7001' },
    { section: 'payments', item: 'confirmed', count: '3', amount_millimes: '109501' },
    { section: 'payments', item: 'paid_out', count: '1', amount_millimes: '102500' },
    { section: 'payments', item: 'forced', amount_millimes: '0' },
    { section: 'payments', item: 'paid_ahead', amount_millimes: '0' },
    { section: 'payments', item: 'on_its_way', count: '1', amount_millimes: '7001' },
    { section: 'on_its_way', item: 'day', time: '2026-03-03', count: '1', amount_millimes: '7001' },
    { section: 'channel_card', item: 'opening', amount_millimes: '5000' },
    { section: 'channel_card', item: 'succeeded', count: '2', amount_millimes: '30000' },
    { section: 'channel_card', item: 'refunded', count: '1', amount_millimes: '-4000' },
    { section: 'channel_card', item: 'fees', amount_millimes: '-450' },
    { section: 'channel_card', item: 'tva', amount_millimes: '86' },
    { section: 'channel_card', item: 'paid_out', amount_millimes: '0' },
    { section: 'channel_card', item: 'returned', amount_millimes: '0' },
    { section: 'channel_card', item: 'written_off', amount_millimes: '0' },
    { section: 'channel_card', item: 'corrected', amount_millimes: '0' },
    { section: 'channel_card', item: 'closing', amount_millimes: '30636', note: 'adds_up' },
    { section: 'parts_card', item: 'unpaid_items', count: '3', amount_millimes: '31000' },
    { section: 'parts_card', item: 'fees_posted', amount_millimes: '-364' },
    { section: 'parts_card', item: 'unexplained', amount_millimes: '0' },
    { section: 'seal_card', item: 'by_recording', amount_millimes: '50000' },
    { section: 'seal_card', item: 'recorded_later', amount_millimes: '-20000' },
    { section: 'seal_card', item: 'dated_later', amount_millimes: '636' },
    {
      section: 'bank_credits',
      item: 'matched',
      time: '2026-03-03',
      line_id: 'L1',
      count: '1',
      amount_millimes: '102500',
      note: `inferred_by_cut =HYPERLINK("x") ${EVIL_TEXT}`,
    },
    {
      section: 'bank_credits',
      item: 'payment',
      time: '2026-03-02 23:30:00',
      line_id: 'L1',
      transaction_id: 'T1',
      agent_id: "'-1+2",
      full_name: "خالد; '=الهمامي",
      amount_millimes: '102500',
    },
    {
      section: 'bank_credits',
      item: 'not_explained',
      time: '2026-03-03',
      line_id: 'L2',
      count: '0',
      amount_millimes: '999999',
      note: 'VIR',
    },
    { section: 'breaks', item: 'paid_but_rejected', count: '2', amount_millimes: '40' },
    {
      section: 'breaks_ended',
      item: 'paid_but_rejected',
      time: '2026-03-05',
      amount_millimes: '30',
      note: 'matched by two people on 2026-03-05, booked on 2026-03-03',
      break_id: 'B1',
    },
  ]);
});

test('states in text how an open break has ended since, and what leads from the seal to the balance', () => {
  const lines = dailyReportToText(REPORT, calendar).split('\n');
  expect(lines.slice(-2)).toEqual([
    '  paid_but_rejected                 0,040 DT   2 open breaks, 1 ended since',
    '      ended since                   0,030 DT   matched by two people on 2026-03-05, booked on 2026-03-03  (B1)',
  ]);
  expect(lines).toContain('  card, after                      30,636 DT');
  expect(lines).toContain(
    '    sealed by recording            50,000 DT   recorded later -20,000 DT, dated later 0,636 DT',
  );
  expect(lines[3]).toMatch(/^Seal: what was recorded by the end of the day/);
});

test('gives scripts the balance of the seal and the breaks that have ended since', () => {
  expect(dailyReportToJson(REPORT)).toMatchObject({
    channels: [
      {
        closingMillimes: 30_636,
        seal: { closingMillimes: 50_000, recordedLaterMillimes: -20_000, datedLaterMillimes: -636 },
      },
    ],
    breaks: [
      {
        ...{ class: 'paid_but_rejected', count: 2, amountMillimes: 40 },
        ended: [
          {
            ...{ breakId: 'B1', amountMillimes: 30, resolution: 'force_matched' },
            ...{ endedOn: '2026-03-05', bookedOn: '2026-03-03' },
          },
        ],
      },
    ],
  });
});

const PERIOD = { from: businessDate('2026-03-01'), to: businessDate('2026-03-03'), knownAt: REPORT.knownAt };
const CARD_DAY = { succeeded: 30_000n, refunded: -4_000n, fees: -450n, tva: 86n, payouts: 0n };
const MOVED = { ...CARD_DAY, payoutsReturned: 0n, writtenOff: 0n, corrected: 0n };
const ITEM = { channel: 'agent', fee: millimes(0), tva: millimes(0), evidence: 'asserted' } as const;

function wholeOf(daily: DailyReport): WholeReport {
  const [card] = daily.channels;
  const channel = { channel: 'card', opening: 5_000n, movements: MOVED, closing: 30_636n };
  return {
    ...PERIOD,
    daily,
    aging: { through: PERIOD.to, knownAt: PERIOD.knownAt, agedThrough: PERIOD.to, breaks: [], oldest: [], items: [] },
    clearing: {
      ...PERIOD,
      channels: card === undefined ? [] : [{ ...channel, parts: card.parts, disagreements: [], proven: true }],
      days: [{ ...channel, date: PERIOD.to }],
      proven: true,
    },
    payouts: {
      ...PERIOD,
      credits: daily.credits.map((credit) => ({
        ...credit,
        account: '11',
        valueDate: undefined,
        outcome: credit.matched ? ('matched' as const) : ('break' as const),
        match: credit.matched ? { ...MATCH, lineId: credit.lineId } : undefined,
        breakId: undefined,
        breakClass: credit.matched ? undefined : 'missing_in_book',
      })),
      evidence: [],
      proven: true,
    },
    fees: { ...PERIOD, months: [], ledgerFee: 0n, ledgerTva: 0n, schedules: [], proven: true },
    items: new Map([['M1', [{ ...ITEM, itemId: 'service:T1', amount: millimes(102_500), occurredAt: 1 }]]]),
    proven: daily.proven,
  };
}

const pageOf = (daily: DailyReport): string => wholeReportToHtml(wholeOf(daily), calendar);

test('escapes every text of the page, which contains no script', () => {
  const page = pageOf(REPORT);
  expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;');
  expect(page).not.toMatch(/<script|<link|<img|<iframe|javascript:|\son\w+=|https?:|url\((?!#)|@import/i);
  expect(page).toMatch(/^<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">/);
});

test('begins with the verdict and five figures, and says in words how a match is known', () => {
  const page = pageOf(REPORT);
  expect(page).toContain('<div class="verdict attention"><strong>');
  expect(page).toContain('<p>2 breaks open, none of them urgent. Ended since: 1.</p>');
  expect(page.match(/<dd class="amount">[^<]+/g)).toEqual([
    '<dd class="amount">30,000 DT',
    `<dd class="amount">1 102,499 DT`,
    '<dd class="amount">30,636 DT',
    '<dd class="amount">42,999 DT',
    '<dd class="amount">2',
  ]);
  expect(page).toContain('The payments between two closing times of the gateway add up to the credit.');
  expect(page).toContain('The probability of an error is at most 0,01 %.');
  expect(page).toContain('open: credit without payments');
  expect(page).not.toMatch(/inferred_by_cut|missing_in_book|paid_but_rejected|\{&quot;/);
});

test('has the channels as columns of one table, and each text in its own direction', () => {
  const page = pageOf(REPORT);
  for (const figure of ['5,000 DT', '30,000 DT', '-4,000 DT', '-0,450 DT', '0,086 DT', '30,636 DT', '31,000 DT']) {
    expect(page).toContain(`<td class="number">${figure}</td>`);
  }
  for (const figure of ['50,000 DT', '-20,000 DT', '0,636 DT']) {
    expect(page).toContain(`<td class="number">${figure}</td>`);
  }
  expect(page).toContain('matched by two people on 2026-03-05, booked on 2026-03-03</td>');
  expect(page).toContain('<th scope="col" class="number">cards</th>');
  expect(page).toContain('<bdi dir="auto">خالد; =الهمامي</bdi>');
  expect(page).toContain('confirmed = paid out + in transit');
  expect(page.match(/<table>/g)?.length).toBe(page.match(/<caption>/g)?.length);
  const openings = page.match(/<(?!meta|!)[a-z]\w*/g)?.length;
  expect(page.match(/<\/[a-z]\w*>/g)).toHaveLength(openings ?? 0);
});

test('prints in CSV and HTML that a report does not add up', () => {
  const wrong = { ...REPORT, confirmsProven: false, proven: false };
  expect(dailyReportToCsv(wrong, calendar)).toContain('does_not_add_up');
  expect(pageOf(wrong)).toContain('DOES NOT ADD UP');
});

test('prints in CSV and HTML that a channel does not add up', () => {
  const wrong = { ...REPORT, proven: false, channels: REPORT.channels.map((day) => ({ ...day, proven: false })) };
  expect(dailyReportToCsv(wrong, calendar)).toMatch(/^channel_card,closing,.*does_not_add_up/m);
  expect(pageOf(wrong)).toContain('<td class="number wrong">DOES NOT ADD UP</td>');
  expect(pageOf(REPORT)).not.toContain('DOES NOT ADD UP');
});

test('writes a report of a day without movements', () => {
  const empty: DailyReport = {
    ...REPORT,
    channels: [],
    credits: [],
    breaks: [],
    bankCoveredThrough: undefined,
    onTheWay: { ...total(0, 0n), byDay: [] },
  };
  expect(pageOf(empty)).toContain('The gateway owes nothing, and nothing moved.');
  expect(pageOf(empty)).toContain('Open breaks by kind: none');
  expect(dailyReportToCsv(empty, calendar)).toContain('bank_covered_through,,,');
});
