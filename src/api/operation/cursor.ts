import { fingerprintOf, type SortKey } from '../../kernel';
import { ApiRefusal } from './problem';

const VERSION = 1;
const DIGEST_CHARACTERS = 16;
const CURSOR_CHARACTERS_MAX = 2_000;

/** Returns the text of a position in a list. It is valid for the same operation with the same filters. */
export function encodeCursor(list: readonly unknown[], key: SortKey): string {
  return Buffer.from(JSON.stringify([VERSION, digestOf(list), ...key])).toString('base64url');
}

/**
 * Returns the position that a cursor names.
 *
 * @throws ApiRefusal `bad_cursor` for a text that this list did not answer.
 */
export function decodeCursor(list: readonly unknown[], text: string): SortKey {
  const parts = partsOf(text);
  const [version, digest, ...key] = parts;
  const isKey = key.length > 0 && key.every(isPart);
  if (version !== VERSION || digest !== digestOf(list) || !isKey) throw badCursor();
  return key as SortKey;
}

/** Anyone can compute the digest, so the parts are checked before they reach the database. */
function isPart(part: unknown): boolean {
  return typeof part === 'string' ? part.isWellFormed() && !part.includes('\0') : Number.isSafeInteger(part);
}

export function badCursor(): ApiRefusal {
  const detail = 'cursor: expected the nextCursor of a page with the same filters; request the first page again';
  return new ApiRefusal('bad_cursor', detail, { faults: [{ in: 'query', pointer: '/cursor', detail }] });
}

function partsOf(text: string): readonly unknown[] {
  if (text.length > CURSOR_CHARACTERS_MAX || !/^[A-Za-z0-9_-]+$/.test(text)) return [];
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

function digestOf(list: readonly unknown[]): string {
  return fingerprintOf(...list).slice(0, DIGEST_CHARACTERS);
}
