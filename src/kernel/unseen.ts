// Characters that JSON does not escape but that terminals obey, that other programs read as the end of a line, that
// reverse the writing direction, or that are invisible.
const UNSEEN = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Escapes all invisible characters in JSON. Parsing the result returns the same value. */
export function escapeUnseen(json: string): string {
  return json.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Returns whether a text has characters that people cannot see. */
export function hasUnseen(text: string): boolean {
  return text.search(UNSEEN) >= 0;
}

/** Makes foreign text safe to print on one line: it cannot move the cursor, end the line or hide text. */
export function shownText(text: string): string {
  return escapeUnseen(JSON.stringify(text)).slice(1, -1).replaceAll('\\"', '"');
}
