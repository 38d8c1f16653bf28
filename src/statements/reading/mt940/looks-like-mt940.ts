/**
 * A tag of a statement at the start of a line, right after an envelope's `{4:`, or after the `@@` between lines. Behind
 * the separators of a CSV `@@` and a tag may be a payer's text.
 */
const TAGGED = /(?:^|[\r\n]|^[^;,\t\r\n]*@@|\{4:)[ \t\u0001-\u0003]*:(?:20|25P?|28C?|34F|60[FM]|61|62[FM]|86|90[CD]):/;
const ENVELOPE = /^[\s\u0001-\u0003]*\{1:[A-Z]\d{2}[A-Z]/;

const MARKS = /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/;
const UTF16_MARK = /^(?:\u00ff\u00fe|\u00fe\u00ff)/;
/** XML, and OFX with or without its header. */
const OTHERS = /^\s*(?:<|OFXHEADER)/;

/**
 * Returns whether a file may be MT940 or MT942, by its first bytes read as Latin 1. It may still be faulty: the reader
 * refuses an unreadable statement with the place.
 */
export function looksLikeMt940(head: string): boolean {
  const wide = UTF16_MARK.test(head);
  const unmarked = head.replace(MARKS, '');
  const text = wide ? unmarked.replaceAll('\0', '') : unmarked;
  if (text.includes('\0') || OTHERS.test(text)) return false;
  return ENVELOPE.test(text) || TAGGED.test(text);
}
