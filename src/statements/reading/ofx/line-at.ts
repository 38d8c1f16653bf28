const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The line on which a place of a text is; the first is 1. Lines end with CRLF, LF or CR. */
export function lineAt(text: string, index: number): number {
  return 1 + lineEndsIn(text, 0, index);
}

/** Counted by hand: an array of the matches would be larger than the file. */
export function lineEndsIn(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED || (code === CARRIAGE_RETURN && text.charCodeAt(at + 1) !== LINE_FEED)) count += 1;
  }
  return count;
}
