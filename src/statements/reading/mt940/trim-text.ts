/** Returns one line of text without control characters and without padding. */
export function trimText(text: string): string {
  return text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
}
