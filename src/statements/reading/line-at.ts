const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Returns the line of an offset in a text; the first is 1. Lines end with CRLF, LF or CR. */
export function lineAt(text: string, index: number): number {
  return 1 + lineEndsIn(text, 0, index);
}

/** Counts in a loop, because an array of the matches would be larger than the file. */
export function lineEndsIn(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED || (code === CARRIAGE_RETURN && text.charCodeAt(at + 1) !== LINE_FEED)) count += 1;
  }
  return count;
}
