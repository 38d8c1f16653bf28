// Beside what JSON escapes by itself: what a terminal obeys, what other programs take for the end of a line, what turns
// the direction of writing, and what cannot be seen.
const UNSEEN = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** JSON whose reader sees all that it holds. Parsing it gives the same value. */
export function escapeUnseen(json: string): string {
  return json.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
