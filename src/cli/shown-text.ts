import { escapeUnseen } from '../kernel';

/** Makes foreign text safe to print on one line: it cannot move the cursor, end the line or hide text. */
export function shownText(text: string): string {
  return escapeUnseen(JSON.stringify(text)).slice(1, -1).replaceAll('\\"', '"');
}
