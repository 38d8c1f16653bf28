import { refusal } from './refusal';

const SHOWN_MAX = 20;

/** Collects the faults of a file, so that a person can repair them together. */
export class Problems {
  readonly #found: string[] = [];

  add(problem: string): void {
    this.#found.push(problem);
  }

  isEmpty(): boolean {
    return this.#found.length === 0;
  }

  /** Throws if any problem was added. @throws AppError `bad_input` that lists the problems. */
  throwIfAny(): void {
    if (this.isEmpty()) return;
    const more = this.#found.length - SHOWN_MAX;
    throw refusal(...this.#found.slice(0, SHOWN_MAX), ...(more > 0 ? [`and ${more} more`] : []));
  }
}
