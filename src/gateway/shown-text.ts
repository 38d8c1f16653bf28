import { escapeUnseen } from '../kernel';

/**
 * What another program wrote, as a person may be shown it: nothing that a terminal obeys or that makes a new line, as
 * JSON would escape it, and at most `charactersMax` characters.
 */
export function shownText(text: string, charactersMax: number): string {
  // Cut first, so that a long text costs nothing, and again, because escapes are longer than what they stand for.
  const short = text.slice(0, charactersMax).toWellFormed();
  const escaped = short.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
  return escapeUnseen(escaped).slice(0, charactersMax).toWellFormed();
}
