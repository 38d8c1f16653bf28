const MARKS = ['\u00ef\u00bb\u00bf', '\u00ff\u00fe', '\u00fe\u00ff'];
const OPENING = /^\s*<(?:\?xml[\s?]|!--|!DOCTYPE\b|[A-Za-z_][\w.:-]*[\s/>])/i;

/**
 * Returns whether a file may be XML, by its first bytes read as latin1. It recognizes UTF-16 with or without its mark.
 * OFX 2 is XML, too, so exclude it first.
 */
export function looksLikeXml(head: string): boolean {
  const mark = MARKS.find((candidate) => head.startsWith(candidate)) ?? '';
  // In UTF-16 every other byte of the markup is zero. No other text encoding has zeros.
  return OPENING.test(head.slice(mark.length).replaceAll('\0', ''));
}
