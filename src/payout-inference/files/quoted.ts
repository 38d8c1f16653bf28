import { escapeUnseen } from '../../kernel';

const QUOTED_CHARACTERS_MAX = 60;

/** A name out of a file, for a message: all of it can be seen, and of one that never ends only the beginning is shown. */
export function quoted(text: string): string {
  const isLong = text.length > QUOTED_CHARACTERS_MAX;
  return escapeUnseen(JSON.stringify(isLong ? `${text.slice(0, QUOTED_CHARACTERS_MAX).toWellFormed()}…` : text));
}
