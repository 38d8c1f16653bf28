import { escapeUnseen } from '../kernel';

/** Text of others on a line for people: nothing in it moves the cursor, ends the line or cannot be seen. */
export function shownText(text: string): string {
  return escapeUnseen(JSON.stringify(text)).slice(1, -1).replaceAll('\\"', '"');
}
