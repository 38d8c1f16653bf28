import { AppError } from '../../kernel';

const SHOWN_MAX = 20;
const QUOTED_MAX = 60;

/** Gathers what is wrong with a file, so that a person repairs it once and not line by line. */
export class Problems {
  readonly #found: string[] = [];

  add(problem: string): void {
    this.#found.push(problem);
  }

  /** @throws AppError `bad_input` that lists the problems, when there are any. */
  throwIfAny(): void {
    if (this.#found.length === 0) return;
    const more = this.#found.length - SHOWN_MAX;
    throw new AppError('bad_input', 'the statement cannot be read', {
      details: [...this.#found.slice(0, SHOWN_MAX), ...(more > 0 ? [`and ${more} more`] : [])],
    });
  }
}

/** What a file holds at a place, for a message: quoted, escaped and cut. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text);
}
