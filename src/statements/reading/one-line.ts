const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Returns a text without line ends and other control characters, for one cell. */
export function oneLine(text: string): string {
  if (text === '') return text;
  return text.replace(CONTROL_CHARACTERS, ' ').trim();
}
