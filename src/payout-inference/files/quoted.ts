import { escapeUnseen } from '../../kernel';

const QUOTED_CHARACTERS_MAX = 60;

/** Returns a name from a file for a message, with every character visible and a long name shortened. */
export function quoted(text: string): string {
  const isLong = text.length > QUOTED_CHARACTERS_MAX;
  return escapeUnseen(JSON.stringify(isLong ? `${text.slice(0, QUOTED_CHARACTERS_MAX).toWellFormed()}…` : text));
}
