import { escapeUnseen } from '../../kernel';
import type { MatchedItem, MatchResult } from '../match-result';
import { breakJson, creditJson, feeJson } from './result-json';

/** Large enough that a file of a million items takes few writes, small enough to be nothing beside them. */
const CHUNK_CHARACTERS = 1_048_576;
/** What stands in JSON as it is. */
const PLAIN_TEXT = /^[ !#-[\]-~]*$/;

/** `result.json` in pieces, one line for each credit, item and break. The same result gives the same bytes. */
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

/** Many rows at a time: to hand on a million rows one by one takes longer than to write them. */
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

/** Items of one payout mostly follow each other and differ by their ids only: what stands behind those is kept. */
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
