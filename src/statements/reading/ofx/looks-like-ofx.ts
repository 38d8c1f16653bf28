const BYTE_ORDER_MARKS = ['\u00ef\u00bb\u00bf', '\ufeff'];
const START = /\s*(?:OFXHEADER\s*[:=]|<\?OFX\s|<OFX(?:\s[^<>]{0,1000})?>)/iy;
const XML_DECLARATION = /\s*<\?xml\s[^<>]{0,1000}\?>/iy;
const COMMENT_START = /\s*<!--/y;
const COMMENT_END = '-->';

/**
 * Says whether a file is OFX, of version 1 (SGML) or 2 (XML), by how it starts. `head` is its beginning, a character for
 * each byte: what is looked for is ASCII in every encoding that OFX has.
 */
export function looksLikeOfx(head: string): boolean {
  const mark = BYTE_ORDER_MARKS.find((candidate) => head.startsWith(candidate)) ?? '';
  let at = endOf(XML_DECLARATION, head, mark.length) ?? mark.length;
  for (;;) {
    if (endOf(START, head, at) !== undefined) return true;
    const comment = endOf(COMMENT_START, head, at);
    const end = comment === undefined ? -1 : head.indexOf(COMMENT_END, comment);
    if (end === -1) return false;
    at = end + COMMENT_END.length;
  }
}

/** Where a match that starts at `at` ends. */
function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
