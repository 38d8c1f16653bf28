// Goal: the engine receives the content of the files; an invalid file is refused with file, line and column of each
// fault.
// Method: small valid files, and each kind of fault alone beside a valid row.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseInstant } from '../../../../src/kernel';
import { FEE_ROUNDINGS, type InputFile, type MatchFacts, readMatchFiles } from '../../../../src/payout-inference';
import { detailsOf } from './faults-of';

const ITEMS_HEAD = 'item_id,channel,amount_millimes,succeeded_at,refund_of';
const OBSERVATIONS_HEAD = 'item_id,observed_at,status,settlement_status';
const STATEMENT_HEAD = 'line_id,booking_date,value_date,amount_millimes,counterparty,remittance';
const GOOD_ITEM = 'P-1,agent,5000,2026-03-02T08:15:30.123Z,';
const GOOD_LINE = 'L-1,2026-03-03,2026-03-03,5000,GATEWAY,PAYOUT 1';
const FEE = {
  channel: 'card',
  rate_ppm: 15_000,
  fixed_millimes: 0,
  tva_ppm: 190_000,
  rounding: 'half_up',
  basis: 'item',
};

interface Contents {
  readonly items?: string;
  readonly observations?: string;
  readonly statement?: string;
  readonly fees?: string;
  readonly holidays?: string;
}

const csv = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;
const instant = (text: string): number => parseInstant(text) ?? Number.NaN;

function read(contents: Contents): MatchFacts {
  const file = (name: string, content: string): InputFile => ({ name, bytes: Buffer.from(content) });
  const optional = (name: string, content: string | undefined): InputFile | undefined =>
    content === undefined ? undefined : file(name, content);
  return readMatchFiles({
    items: file('items.csv', contents.items ?? csv(ITEMS_HEAD, GOOD_ITEM)),
    observations: optional('observations.csv', contents.observations),
    statement: file('statement.csv', contents.statement ?? csv(STATEMENT_HEAD, GOOD_LINE)),
    fees: optional('fees.json', contents.fees),
    holidays: optional('holidays.csv', contents.holidays),
  });
}

describe('good files', () => {
  test('reads items and leaves unknown fields out', () => {
    const head = 'channel,item_id,available_until,refund_of,amount_millimes,succeeded_at,available_after';
    const facts = read({
      items: csv(
        head,
        'card,"P-1, of ""x""",2026-03-03T09:00Z,,9007199254740991,2026-03-02T08:15:30+01:00,2026-03-03T08:00:00Z',
        'qr,وكيل 1,,"P-1, of ""x""",-1,2026-03-02T08:15:30.123Z,',
        'wallet,R-2,,never seen,-5000,2026-03-02T08:15:30.123Z,',
      ),
    });
    const nothing = { refundOf: undefined, availableAfter: undefined, availableUntil: undefined };
    expect(facts.items).toEqual([
      {
        itemId: 'P-1, of "x"',
        channel: 'card',
        amount: Number.MAX_SAFE_INTEGER,
        succeededAt: instant('2026-03-02T07:15:30Z'),
        refundOf: undefined,
        availableAfter: instant('2026-03-03T08:00:00Z'),
        availableUntil: instant('2026-03-03T09:00:00Z'),
      },
      {
        ...nothing,
        itemId: 'وكيل 1',
        channel: 'qr',
        amount: -1,
        succeededAt: instant('2026-03-02T08:15:30.123Z'),
        refundOf: 'P-1, of "x"',
      },
      {
        ...nothing,
        itemId: 'R-2',
        channel: 'wallet',
        amount: -5_000,
        succeededAt: instant('2026-03-02T08:15:30.123Z'),
        refundOf: 'never seen',
      },
    ]);
  });

  test('reads observations, even of items that the other file does not have', () => {
    const facts = read({
      observations: csv(
        OBSERVATIONS_HEAD,
        'P-1,2026-03-02T09:00:00Z,SUCCESS,AVAILABLE',
        'P-0,2026-03-02T10:00:00Z,SUCCESS,NOT_APPLICABLE',
        'P-1,2026-03-02T08:00:00Z,PENDING,',
      ),
    });
    expect(facts.observations).toEqual([
      { itemId: 'P-1', observedAt: instant('2026-03-02T09:00:00Z'), status: 'SUCCESS', settlementStatus: 'AVAILABLE' },
      {
        itemId: 'P-0',
        observedAt: instant('2026-03-02T10:00:00Z'),
        status: 'SUCCESS',
        settlementStatus: 'NOT_APPLICABLE',
      },
      { itemId: 'P-1', observedAt: instant('2026-03-02T08:00:00Z'), status: 'PENDING', settlementStatus: '' },
    ]);
    expect(facts.observedItems).toEqual([0, -1, 0]);
  });

  test('reads bank lines and uses the booking date where the value date is missing', () => {
    const facts = read({
      statement: csv(STATEMENT_HEAD, 'L-1,2026-03-03,2026-03-04,5000,"SOCIÉTÉ, X","a\nb"', 'L-2,2026-03-05,,-5000,,'),
    });
    expect(facts.lines).toEqual([
      {
        lineId: 'L-1',
        bookingDate: '2026-03-03',
        valueDate: '2026-03-04',
        amount: 5_000,
        counterparty: 'SOCIÉTÉ, X',
        remittance: 'a\nb',
      },
      {
        lineId: 'L-2',
        bookingDate: '2026-03-05',
        valueDate: '2026-03-05',
        amount: -5_000,
        counterparty: '',
        remittance: '',
      },
    ]);
  });

  test('reads fees with and without a first day, and holidays', () => {
    const facts = read({
      fees: `\uFEFF${JSON.stringify([FEE, { ...FEE, from: '2026-03-10', basis: 'payout' }])}`,
      holidays: csv('date,name', "2026-01-01,Jour de l'an"),
    });
    const rule = {
      channel: 'card',
      ratePpm: 15_000,
      fixedMillimes: 0,
      tvaPpm: 190_000,
      rounding: 'half_up',
      basis: 'item',
    };
    expect(facts.fees).toEqual([
      { ...rule, from: undefined },
      { ...rule, basis: 'payout', from: '2026-03-10' },
    ]);
    expect(facts.holidays).toEqual(['2026-01-01']);
  });

  test('tells a missing fees file from a list without fees', () => {
    expect(read({})).toMatchObject({ observations: [], fees: undefined, holidays: undefined });
    expect(read({ fees: '[]' }).fees).toEqual([]);
  });

  test('reads a statement without lines and a file without items', () => {
    expect(read({ items: csv(ITEMS_HEAD), statement: csv(STATEMENT_HEAD) })).toMatchObject({ items: [], lines: [] });
  });
});

describe('content that is accepted with a warning', () => {
  const AT = '2026-03-02T09:00:00Z';
  const PAYMENT = `P-2,card,5000,${AT},`;
  const TOO_MUCH = 'amount_millimes: takes back more than is left of the payment';

  test.each<[string, readonly string[], readonly string[]]>([
    [
      'refunds that take back the payment whole, at its own instant',
      [PAYMENT, `R-1,card,-4999,${AT},P-2`, `R-2,card,-1,${AT},P-2`],
      [],
    ],
    ['a refund of a payment that is older than the file', [`R-1,qr,-9000,${AT},P-0`, PAYMENT], []],
    ['a refund larger than its payment', [PAYMENT, `R-1,card,-5001,${AT},P-2`], [`line 4, ${TOO_MUCH}`]],
    [
      'refunds that take back more together, with one more behind them and the payment last',
      [`R-1,card,-3000,${AT},P-2`, `R-2,card,-2001,${AT},P-2`, `R-3,card,-1,${AT},P-2`, PAYMENT],
      [`line 4, ${TOO_MUCH} (and 1 more)`],
    ],
    [
      'refunds beyond all amounts',
      [PAYMENT, ...[1, 2, 3].map((number) => `R-${number},card,-9007199254740991,${AT},P-2`)],
      [`line 4, ${TOO_MUCH} (and 2 more)`],
    ],
    [
      'a refund before its payment',
      [PAYMENT, 'R-1,card,-1,2026-03-02T08:59:59.999Z,P-2'],
      ['line 4, succeeded_at: is before the payment that is taken back'],
    ],
    [
      'a refund in another channel',
      [PAYMENT, `R-1,wallet,-1,${AT},P-2`],
      ['line 4, channel: is not the channel of the payment that is taken back'],
    ],
  ])('warns about %s', (_, rows, warnings) => {
    const facts = read({ items: csv(ITEMS_HEAD, GOOD_ITEM, ...rows) });
    expect(facts.warnings).toEqual(warnings.map((text) => `items.csv, ${text}`));
    expect(facts.items).toHaveLength(1 + rows.length);
  });

  test('warns once for each kind of unknown item and unknown settlement status', () => {
    const facts = read({
      observations: csv(
        OBSERVATIONS_HEAD,
        ...['', 'PROCESSING', 'AVAILABLE', 'IN_PAYOUT', 'PAID', 'NOT_APPLICABLE'].map((word) => `P-1,${AT},X,${word}`),
        `P-9,${AT},SUCCESS,AVAILABLE`,
        `P-1,${AT},SUCCESS,available`,
        `P-8,${AT},SUCCESS,GONE`,
      ),
    });
    expect(facts.warnings).toEqual([
      'observations.csv, line 8, item_id: is not the id of an item; the observation is ignored (and 1 more)',
      'observations.csv, line 9, settlement_status: is not PROCESSING, AVAILABLE, IN_PAYOUT, PAID, NOT_APPLICABLE or empty (and 1 more)',
    ]);
    expect(facts.observations.map(({ settlementStatus }) => settlementStatus).slice(-2)).toEqual(['available', 'GONE']);
  });

  test('warns about nothing in good files', () => {
    expect(read({ observations: csv(OBSERVATIONS_HEAD, `P-1,${AT},SUCCESS,AVAILABLE`) }).warnings).toEqual([]);
  });
});

describe('items that are refused', () => {
  const AMOUNT = 'must be a whole number of millimes below 2^53, as digits with a minus at most';
  const INSTANT = 'must be an instant from 1970 to 2199 such as 2026-03-02T09:00:00+01:00, with its offset';
  const AT = '2026-03-02T08:15:30Z';

  test.each([
    ['a name that is there already', `P-1,card,1,${AT},`, 'item_id: stands on line 2 already'],
    ['no name', `,card,1,${AT},`, 'item_id: is empty'],
    ['a name of 256 characters', `${'x'.repeat(256)},card,1,${AT},`, 'item_id: is longer than 255 bytes'],
    ['a name with outer spaces', ` P-2,card,1,${AT},`, 'item_id: has outer spaces'],
    ['a name with a control character', `P\0-2,card,1,${AT},`, 'item_id: has control characters'],
    [
      'an unknown channel',
      `P-2,Card,1,${AT},`,
      'channel: must be one of agent, card, wallet, mpayment, pos, qr, subscription',
    ],
    ['the amount 0', `P-2,card,0,${AT},`, 'amount_millimes: is 0'],
    ['the amount -0', `P-2,card,-0,${AT},`, 'amount_millimes: is 0'],
    ['no amount', `P-2,card,,${AT},`, `amount_millimes: ${AMOUNT}`],
    ['2^53', `P-2,card,9007199254740992,${AT},`, `amount_millimes: ${AMOUNT}`],
    ['thousands of digits', `P-2,card,${'9'.repeat(5_000)},${AT},`, `amount_millimes: ${AMOUNT}`],
    ['a fraction', `P-2,card,1.5,${AT},`, `amount_millimes: ${AMOUNT}`],
    ['an exponent', `P-2,card,1e3,${AT},`, `amount_millimes: ${AMOUNT}`],
    ['a leading zero', `P-2,card,010,${AT},`, `amount_millimes: ${AMOUNT}`],
    ['a plus', `P-2,card,+1,${AT},`, `amount_millimes: ${AMOUNT}`],
    ['a minus alone', `P-2,card,-,${AT},`, `amount_millimes: ${AMOUNT}`],
    ['a space before the amount', `P-2,card, 1,${AT},`, `amount_millimes: ${AMOUNT}`],
    ['Arabic digits', `P-2,card,١٢,${AT},`, `amount_millimes: ${AMOUNT}`],
    ['no time', 'P-2,card,1,,', `succeeded_at: ${INSTANT}`],
    ['a time without an offset', 'P-2,card,1,2026-03-02T08:15:30,', `succeeded_at: ${INSTANT}`],
    ['a day that does not exist', 'P-2,card,1,2026-02-30T08:15:30Z,', `succeeded_at: ${INSTANT}`],
    ['a time beyond every calendar', 'P-2,card,1,9999-02-20T08:15:30Z,', `succeeded_at: ${INSTANT}`],
    [
      'a refund that is not negative',
      `P-2,card,1,${AT},P-1`,
      'amount_millimes: must be negative, because refund_of names what it takes back',
    ],
    ['a refund of a refund', `P-2,card,-1,${AT},R-1`, 'refund_of: must name a payment, not what takes one back'],
    ['a refund of itself', `P-2,card,-1,${AT},P-2`, 'refund_of: must name a payment, not what takes one back'],
    ['a refund of what has a bad name', `P-2,card,-1,${AT}," P-1"`, 'refund_of: has outer spaces'],
  ])('refuses %s', (_, row, fault) => {
    const refund = `R-1,card,-1,${AT},P-1`;
    expect(detailsOf(() => read({ items: csv(ITEMS_HEAD, GOOD_ITEM, refund, row) }))).toEqual([
      `items.csv, line 4, ${fault}`,
    ]);
  });

  test('refuses an availability interval that ends before it begins', () => {
    const head = `${ITEMS_HEAD},available_after,available_until`;
    const row = `${GOOD_ITEM},2026-03-03T08:00:00Z,2026-03-03T08:00:00Z`;
    expect(detailsOf(() => read({ items: csv(head, row) }))).toEqual([
      'items.csv, line 2, available_until: must be later than available_after',
    ]);
  });

  test('reports every fault of a row together', () => {
    expect(detailsOf(() => read({ items: csv(ITEMS_HEAD, ',cash,x,y,') })).map((text) => text.split(':')[0])).toEqual([
      'items.csv, line 2, item_id',
      'items.csv, line 2, channel',
      'items.csv, line 2, amount_millimes',
      'items.csv, line 2, succeeded_at',
    ]);
  });
});

describe('instants of items', () => {
  const itemAt = (text: string): string => csv(ITEMS_HEAD, `P-1,agent,5000,${text},`);
  const at = (text: string): number | undefined => read({ items: itemAt(text) }).items[0]?.succeededAt;
  const twoDigits = (value: number): string => String(value).padStart(2, '0');

  test.each([
    '2026-03-02T08:15:30.123Z',
    '2026-03-02T08:15:30Z',
    '2026-03-02T08:15Z',
    '2026-03-02T08:15:30.123+01:00',
    '2026-03-02T08:15:30-05:30',
    '2026-03-02T08:15+01:00',
    '2026-03-02T08:15:30.1Z',
    '2026-03-02T08:15:30.123456789Z',
    '2026-03-02T08:15:30+0100',
    '2026-03-02T08:15:30+23:59',
    '2024-02-29T23:59:59.999Z',
    '2000-02-29T00:00:00Z',
  ])('reads %s as the kernel does', (text) => {
    expect(parseInstant(text)).toBeDefined();
    expect(at(text)).toBe(parseInstant(text));
  });

  test.each([
    '',
    '2026-03-02',
    '2026-03-02T08:15:30',
    '2026-03-02 08:15:30Z',
    '2026-03-02T08:15:30z',
    '2026-02-29T08:15:30Z',
    '2100-02-29T08:15:30Z',
    '2026-04-31T08:15:30Z',
    '2026-13-01T08:15:30Z',
    '2026-00-10T08:15:30Z',
    '2026-03-00T08:15:30Z',
    '2026-03-02T24:00:00Z',
    '2026-03-02T08:60:00Z',
    '2026-03-02T08:15:60Z',
    '2026-03-02T08:15:30.Z',
    '2026-03-02T08:15:30.123Z ',
    ' 2026-03-02T08:15:30.123Z',
    '2026-03-02T08:15:30.123ZZ',
    '2026-03-02T08:15:30.123+01:000',
    '2026-03-02T08:15:30.123+01:60',
    '2026-03-02T08:15:30.12xZ',
    '2026-03-02T0x:15:30.123Z',
    '1969-12-31T23:59:59Z',
    '2200-01-01T00:00:00Z',
    '+002026-03-02T08:15:30Z',
    '1772439330',
    '٢٠٢٦-03-02T08:15:30Z',
    `2026-03-02T08:15:30.${'1'.repeat(1_000)}Z`,
  ])('refuses %j', (text) => {
    expect(detailsOf(() => at(text))).toEqual([
      'items.csv, line 2, succeeded_at: must be an instant from 1970 to 2199 such as 2026-03-02T09:00:00+01:00, with its offset',
    ]);
  });

  test('reads any day and minute as the kernel does, even those that do not exist', () => {
    const offset = fc.constantFrom('Z', '+01:00', '-03:30', '+14:00', '+0100', '+24:00', '');
    const second = fc.constantFrom('', ':00', ':59', ':60', ':30.5', ':30.250', ':30.2501');
    const day = fc.tuple(fc.integer({ min: 1971, max: 2198 }), fc.nat(13), fc.nat(32));
    const minute = fc.tuple(fc.nat(25), fc.nat(61));
    fc.assert(
      fc.property(day, minute, second, offset, ([y, m, d], [hour, min], rest, zone) => {
        const text = `${y}-${twoDigits(m)}-${twoDigits(d)}T${twoDigits(hour)}:${twoDigits(min)}${rest}${zone}`;
        const expected = parseInstant(text);
        if (expected === undefined) expect(detailsOf(() => at(text))).toHaveLength(1);
        else expect([text, at(text)]).toEqual([text, expected]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('other files that are refused', () => {
  const DAY = 'must be a day from 1970 to 2199 as YYYY-MM-DD';
  test.each<[string, Contents, string]>([
    [
      'a look without an item',
      { observations: csv(OBSERVATIONS_HEAD, ',2026-03-02T08:00Z,SUCCESS,') },
      'observations.csv, line 2, item_id: is empty',
    ],
    [
      'a look without a status',
      { observations: csv(OBSERVATIONS_HEAD, 'P-1,2026-03-02T08:00Z,,') },
      'observations.csv, line 2, status: must be a status, such as SUCCESS',
    ],
    [
      'a bad settlement status',
      { observations: csv(OBSERVATIONS_HEAD, 'P-1,2026-03-02T08:00Z,SUCCESS, PAID') },
      'observations.csv, line 2, settlement_status: must be empty or a status, such as AVAILABLE',
    ],
    [
      'a line of the bank twice',
      { statement: csv(STATEMENT_HEAD, GOOD_LINE, GOOD_LINE) },
      'statement.csv, line 3, line_id: stands on line 2 already',
    ],
    [
      'a bad booking date',
      { statement: csv(STATEMENT_HEAD, 'L-1,2026-02-30,2026-03-03,1,,') },
      `statement.csv, line 2, booking_date: ${DAY}`,
    ],
    [
      'a bad value date',
      { statement: csv(STATEMENT_HEAD, 'L-1,2026-03-03,03/03/2026,1,,') },
      `statement.csv, line 2, value_date: ${DAY}`,
    ],
    [
      'a line without an amount',
      { statement: csv(STATEMENT_HEAD, 'L-1,2026-03-03,2026-03-03,0,,') },
      'statement.csv, line 2, amount_millimes: is 0',
    ],
    ['a holiday that is no day', { holidays: csv('date,name', '1 May,x') }, `holidays.csv, line 2, date: ${DAY}`],
    [
      'endless holidays',
      { holidays: csv('date,name', ...Array<string>(5_001).fill('2026-01-01,x')) },
      'holidays.csv, line 5002: more than 5000 holidays',
    ],
    ['fees that are not JSON', { fees: '[{]' }, 'fees.json: is not JSON'],
    ['fees that are no list', { fees: '{}' }, 'fees.json: must be a list'],
    ['a bomb of brackets', { fees: '['.repeat(100_000) }, 'fees.json: must be a list of flat objects'],
    ['a fee that is no object', { fees: '[1]' }, 'fees.json, [0]: must be an object'],
    ['a key twice', { fees: '[{"channel":"card","channel":"card"}]' }, 'fees.json: names a key twice in one object'],
    [
      'an unknown key that never ends',
      { fees: JSON.stringify([{ ...FEE, ['k'.repeat(5_000)]: '' }]) },
      `fees.json, [0]: has the unknown key "${'k'.repeat(80)}…"`,
    ],
    ['an unknown key', { fees: JSON.stringify([{ ...FEE, note: '' }]) }, 'fees.json, [0]: has the unknown key "note"'],
    [
      'a rate above everything',
      { fees: JSON.stringify([{ ...FEE, rate_ppm: 1_000_001 }]) },
      'fees.json, [0].rate_ppm: must be a whole number from 0 to 1000000',
    ],
    [
      'a rate as a text',
      { fees: JSON.stringify([{ ...FEE, rate_ppm: '1' }]) },
      'fees.json, [0].rate_ppm: must be a whole number from 0 to 1000000',
    ],
    [
      'a fraction of a millime',
      { fees: JSON.stringify([{ ...FEE, fixed_millimes: 0.5 }]) },
      'fees.json, [0].fixed_millimes: must be a whole number from 0 to 1000000000',
    ],
    [
      'an unknown rounding',
      { fees: JSON.stringify([{ ...FEE, rounding: 'up' }]) },
      `fees.json, [0].rounding: must be one of ${FEE_ROUNDINGS.join(', ')}`,
    ],
    ['a first day that is none', { fees: JSON.stringify([{ ...FEE, from: '' }]) }, `fees.json, [0].from: ${DAY}`],
    [
      'two fees from one day',
      { fees: JSON.stringify([FEE, { ...FEE, rate_ppm: 1 }]) },
      'fees.json, [1]: is about the same channel and day as one before',
    ],
  ])('refuses %s', (_, contents, fault) => {
    expect(detailsOf(() => read(contents))).toEqual([fault]);
  });

  test('shows the first twenty faults of all files and the number of the others', () => {
    const bad = Array.from({ length: 15 }, (_, index) => `B-${index},card,0,2026-03-02T08:00Z,`);
    const lines = Array.from({ length: 15 }, (_, index) => `L-${index},2026-03-03,2026-03-03,x,,`);
    const details = detailsOf(() => read({ items: csv(ITEMS_HEAD, ...bad), statement: csv(STATEMENT_HEAD, ...lines) }));
    expect(details).toHaveLength(21);
    expect(details.slice(14, 16).map((text) => text.split(':')[0])).toEqual([
      'items.csv, line 16, amount_millimes',
      'statement.csv, line 2, amount_millimes',
    ]);
    expect(details[20]).toBe('and 10 more');
  });
});
