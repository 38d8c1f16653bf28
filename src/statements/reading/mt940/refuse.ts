import { quoted } from '../../../kernel';
import { refusal } from '../refusal';

/** A fault at a place of the file. */
export interface Fault {
  readonly fileLine: number;
  /** The text after "expected". */
  readonly expected: string;
  /** The text at that place; undefined at the end of the file. */
  readonly found: string | undefined;
}

/**
 * Refuses the file. A stream is read once, so the message names the first fault.
 * @throws AppError `bad_input`, always.
 */
export function refuse({ fileLine, expected, found }: Fault): never {
  const what = found === undefined ? 'the end of the file' : quoted(found);
  throw refusal(`line ${fileLine}: expected ${expected}, got ${what}`);
}
