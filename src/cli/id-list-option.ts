/** Reads ids separated by commas. */
export function idListOption(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
