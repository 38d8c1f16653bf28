// Beside what JSON escapes automatically: what a terminal obeys, what other programs read as the end of a line, what
// turns the direction of writing, and what is invisible.
const UNSEEN = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Returns JSON with all characters visible. Parsing it returns the same value. */
export function escapeUnseen(json: string): string {
  return json.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
