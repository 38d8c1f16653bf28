// Goal: result.json has the agreed shape, is valid JSON for any identifiers, and is byte-identical each time.
// Method: a result with each kind of entry against its text, and random identifiers that must be read back.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { businessDate, millimes, parseInstant } from '../../../../src/kernel';
import { type MatchResult, resultText } from '../../../../src/payout-inference';

const NOTHING: MatchResult = { model: undefined, fees: [], credits: [], items: [], breaks: [] };
const at = (text: string): number => parseInstant(text) ?? Number.NaN;

const RESULT: MatchResult = {
  model: 'sweep-all',
  fees: [
    {
      channel: 'card',
      ratePpm: 15_000,
      fixedMillimes: millimes(0),
      tvaPpm: 190_000,
      rounding: 'half_up',
      basis: 'item',
      from: businessDate('2026-03-01'),
    },
    { channel: 'qr', ratePpm: 0, fixedMillimes: millimes(10), tvaPpm: 0, rounding: 'half_even', basis: 'payout' },
  ],
  credits: [
    {
      lineId: 'L-1',
      outcome: 'resolved',
      itemIds: ['P-1', 'R-1'],
      commonCore: ['P-1', 'R-1'],
      proposal: [],
      gross: millimes(4_000),
      fee: millimes(60),
      tva: millimes(11),
      remainder: millimes(0),
      evidence: 'inferred_by_cut',
      claimedError: 0.000012,
      cut: { after: at('2026-03-02T19:00:00+01:00'), until: at('2026-03-02T20:00:00.5Z') },
      stream: 'all',
      cause: 'none',
    },
    {
      lineId: 'L-2',
      outcome: 'unexplained',
      itemIds: [],
      commonCore: [],
      proposal: [],
      gross: millimes(0),
      fee: millimes(0),
      tva: millimes(0),
      remainder: millimes(7_000),
      evidence: undefined,
      claimedError: 1,
      cut: undefined,
      stream: undefined,
      cause: 'none',
    },
  ],
  items: [
    { itemId: 'P-1', state: 'settled', evidence: 'inferred_by_cut', lineId: 'L-1', dueOn: undefined },
    { itemId: 'P-2', state: 'pending', evidence: undefined, lineId: undefined, dueOn: businessDate('2026-03-09') },
    { itemId: 'P-3', state: 'open', evidence: undefined, lineId: undefined, dueOn: businessDate('2026-03-01') },
    { itemId: 'R-1', state: 'settled', evidence: 'inferred_by_cut', lineId: 'L-1', dueOn: undefined },
  ],
  breaks: [
    {
      breakClass: 'missing_in_book',
      amount: millimes(7_000),
      itemIds: [],
      lineIds: ['L-2'],
      since: businessDate('2026-03-03'),
    },
  ],
};

const textOf = (result: MatchResult): string => [...resultText(result)].join('');

test('writes the agreed fields and no others', () => {
  expect(textOf(RESULT)).toBe(`{"model":"sweep-all",
"fees":[{"channel":"card","rate_ppm":15000,"fixed_millimes":0,"tva_ppm":190000,"rounding":"half_up","basis":"item","from":"2026-03-01"},{"channel":"qr","rate_ppm":0,"fixed_millimes":10,"tva_ppm":0,"rounding":"half_even","basis":"payout"}],
"credits":[
{"line_id":"L-1","outcome":"resolved","item_ids":["P-1","R-1"],"common_core":["P-1","R-1"],"gross_millimes":4000,"fee_millimes":60,"tva_millimes":11,"remainder_millimes":0,"evidence":"inferred_by_cut","claimed_error":0.000012,"proposal":[],"cut":{"after":"2026-03-02T18:00:00.000Z","until":"2026-03-02T20:00:00.500Z"}},
{"line_id":"L-2","outcome":"unexplained","item_ids":[],"common_core":[],"gross_millimes":0,"fee_millimes":0,"tva_millimes":0,"remainder_millimes":7000,"evidence":null,"claimed_error":1,"proposal":[],"cut":null}
],
"items":[
{"item_id":"P-1","state":"settled","evidence":"inferred_by_cut","line_id":"L-1"},
{"item_id":"P-2","state":"pending","evidence":null,"line_id":null},
{"item_id":"P-3","state":"open","evidence":null,"line_id":null},
{"item_id":"R-1","state":"settled","evidence":"inferred_by_cut","line_id":"L-1"}
],
"breaks":[
{"class":"missing_in_book","amount_millimes":7000,"item_ids":[],"line_ids":["L-2"],"since":"2026-03-03"}
]}
`);
});

test('writes an empty result as JSON with empty lists and a null model', () => {
  expect(JSON.parse(textOf(NOTHING))).toEqual({ model: null, fees: [], credits: [], items: [], breaks: [] });
});

test('escapes identifiers so that they come back and stay visible on one line', () => {
  const character = fc.oneof(
    fc.constantFrom('"', '\\', '\n', '\u0007', '\u007f', '\u202e', '\u2028', '🙂', 'و'),
    fc.string(),
  );
  const id = fc.array(character).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(fc.tuple(id, id)), (ids) => {
      const items = ids.map(([itemId, lineId]) => ({
        itemId,
        lineId,
        state: 'settled' as const,
        evidence: 'reported' as const,
        dueOn: undefined,
      }));
      const text = textOf({ ...NOTHING, items });
      expect(text).not.toMatch(/[\u007f\u2028\u202e]/);
      const parsed = JSON.parse(text) as { readonly items: readonly { item_id: string; line_id: string }[] };
      expect(parsed.items.map(({ item_id, line_id }) => [item_id, line_id])).toEqual(ids);
    }),
  );
});

test('writes a large result in small pieces, the same ones each time', () => {
  const items = Array.from({ length: 50_000 }, (_, index) => ({
    itemId: `P-${index}`,
    state: 'open' as const,
    evidence: undefined,
    lineId: undefined,
    dueOn: undefined,
  }));
  const pieces = [...resultText({ ...NOTHING, items })];
  expect(pieces.length).toBeGreaterThan(2);
  expect([...resultText({ ...NOTHING, items })]).toEqual(pieces);
  const parsed = JSON.parse(pieces.join('')) as { readonly items: readonly unknown[] };
  expect(parsed.items).toHaveLength(items.length);
});
