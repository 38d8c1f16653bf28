import { refusal } from './refusal';

const SHOWN_MAX = 20;

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
    throw refusal(...this.#found.slice(0, SHOWN_MAX), ...(more > 0 ? [`and ${more} more`] : []));
  }
}
