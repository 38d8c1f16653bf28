import { escapeUnseen } from '../../kernel';
import type { MatchedItem, MatchResult } from '../match-result';
import { breakJson, creditJson, feeJson } from './result-json';

/** Large enough for few writes of a million items, and small compared with them in memory. */
const CHUNK_CHARACTERS = 1_048_576;
/** Text that JSON writes without escapes. */
const PLAIN_TEXT = /^[ !#-[\]-~]*$/;

/** Returns `result.json` in pieces, one line for each credit, item and break. The same result gives the same bytes. */
export function* resultText(result: MatchResult): Generator<string> {
  let text = '';
  for (const part of parts(result)) {
    text += part;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield text;
    text = '';
  }
  yield text;
}

function* parts({ model, fees, credits, items, breaks }: MatchResult): Generator<string> {
  yield `{"model":${json(model ?? null)},\n"fees":${json(fees.map(feeJson))},\n`;
  yield* list('credits', credits, (credit) => json(creditJson(credit)));
  yield ',\n';
  yield* list('items', items, itemWriter());
  yield ',\n';
  yield* list('breaks', breaks, (found) => json(breakJson(found)));
  yield '}\n';
}

/** Yields many rows at a time, because yielding a million rows one by one takes longer than writing them. */
function* list<Row>(name: string, rows: readonly Row[], write: (row: Row) => string): Generator<string> {
  let text = `"${name}":[`;
  let separator = '\n';
  for (const row of rows) {
    text += separator + write(row);
    separator = ',\n';
    if (text.length < CHUNK_CHARACTERS) continue;
    yield text;
    text = '';
  }
  yield text + (rows.length === 0 ? ']' : '\n]');
}

/**
 * Returns a writer of items. Items of one payout mostly follow each other and differ only in their ids, so the text
 * after the id is reused.
 */
function itemWriter(): (item: MatchedItem) => string {
  let last: MatchedItem | undefined;
  let tail = '';
  return (item) => {
    if (item.state !== last?.state || item.evidence !== last.evidence || item.lineId !== last.lineId) {
      tail = `,"state":${json(item.state)},"evidence":${json(item.evidence ?? null)},"line_id":${json(item.lineId ?? null)}}`;
      last = item;
    }
    const { itemId } = item;
    return `{"item_id":${PLAIN_TEXT.test(itemId) ? `"${itemId}"` : json(itemId)}${tail}`;
  };
}

function json(value: unknown): string {
  return escapeUnseen(JSON.stringify(value));
}
