import { escapeUnseen } from '../kernel';

/**
 * Makes a text of another program safe to show: escapes control and invisible characters as JSON does, and returns at
 * most `charactersMax` characters.
 */
export function shownText(text: string, charactersMax: number): string {
  // The text is shortened first so that a long one costs nothing, and again because escapes are longer than their
  // characters.
  const short = text.slice(0, charactersMax).toWellFormed();
  const escaped = short.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
  return escapeUnseen(escaped).slice(0, charactersMax).toWellFormed();
}
