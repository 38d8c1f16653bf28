const MARKS = ['\u00ef\u00bb\u00bf', '\u00ff\u00fe', '\u00fe\u00ff'];
const OPENING = /^\s*<(?:\?xml[\s?]|!--|!DOCTYPE\b|[A-Za-z_][\w.:-]*[\s/>])/i;

/**
 * Whether a file may be XML, by its first bytes read as latin1. UTF-16 is seen with or without its mark. OFX 2 is XML as
 * well, so it is to be ruled out before.
 */
export function looksLikeXml(head: string): boolean {
  const mark = MARKS.find((candidate) => head.startsWith(candidate)) ?? '';
  // In UTF-16 every other byte of the markup is zero, and no encoding of text has zeroes otherwise.
  return OPENING.test(head.slice(mark.length).replaceAll('\0', ''));
}
