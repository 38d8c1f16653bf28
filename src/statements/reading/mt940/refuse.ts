import { quoted } from '../../../kernel';
import { refusal } from '../refusal';

/** What is wrong at a place of the file. */
export interface Fault {
  readonly fileLine: number;
  /** Said after "expected". */
  readonly expected: string;
  /** The text that stands there instead; undefined when it is the end of the file. */
  readonly found: string | undefined;
}

/**
 * Ends the reading. A stream is read once, so the first fault is the one that is told.
 *
 * @throws AppError `bad_input`, always.
 */
export function refuse({ fileLine, expected, found }: Fault): never {
  const what = found === undefined ? 'the end of the file' : quoted(found);
  throw refusal(`line ${fileLine}: expected ${expected}, got ${what}`);
}
