const BYTE_ORDER_MARKS = ['\u00ef\u00bb\u00bf', '\ufeff'];
// The header may lack its first lines, or stand behind that of a mail or a web answer.
const START = /\s*(?:OFXHEADER\s*[:=]|<\?OFX\s|(?:[\w-]{1,40}\s{0,9}[:=][^<]{0,2000})?<OFX(?:\s[^<>]{0,1000})?>)/iy;
const XML_DECLARATION = /\s*<\?xml\s[^<>]{0,1000}\?>/iy;
const COMMENT_START = /\s*<!--/y;
const COMMENT_END = '-->';

/**
 * Returns whether a file is OFX, version 1 (SGML) or 2 (XML), by its start. `head` has one character for each byte,
 * because the pattern is ASCII in every encoding of OFX.
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

/** Returns the end of a match that starts at `at`. */
function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
