/** Ids with commas between them, as a person types or pastes them. */
export function idListOption(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
