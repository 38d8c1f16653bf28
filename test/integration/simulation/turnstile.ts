import type { Database } from '../../../src/db';
import type { Random } from '../../support/random';

interface Waiting {
  readonly process: number;
  go(): void;
}

/**
 * Decides the order in which two processes use the database while they work beside each other: one transaction or read
 * runs to its end, then chance chooses who goes on. All that two processes of SQLite can do to each other, they can do
 * in such an order, because the file has one writer.
 */
export class Turnstile {
  #waiting: Waiting[] = [];
  #isOpen = true;
  #arrived: () => void = () => undefined;

  /** The database as one process has it. */
  around(database: Database, process: number): Database {
    return {
      ...database,
      transact: (work, options) => this.#inTurn(process, () => database.transact(work, options)),
      read: (work, options) => this.#inTurn(process, () => database.read(work, options)),
    };
  }

  /** Runs the work of each process, in turns that chance decides. `onSwitch` is called when the turn changes hands. */
  async run(works: readonly (() => Promise<void>)[], random: Random, onSwitch: () => void): Promise<void> {
    this.#isOpen = false;
    const live = new Set(works.keys());
    const failures: unknown[] = [];
    const begun = works.map((work, process) =>
      this.#inTurn(process, work)
        .catch((error: unknown) => failures.push(error))
        .finally(() => {
          live.delete(process);
          this.#arrived();
        }),
    );
    let last: number | undefined;
    while (live.size > 0) {
      await this.#until(() => [...live].every((process) => this.#waiting.some((each) => each.process === process)));
      const next = this.#waiting[random.below(this.#waiting.length)];
      if (next === undefined) break;
      this.#waiting = this.#waiting.filter((each) => each !== next);
      if (last !== undefined && last !== next.process) onSwitch();
      last = next.process;
      next.go();
    }
    this.#isOpen = true;
    await Promise.all(begun);
    if (failures.length > 0) throw failures[0];
  }

  async #inTurn<T>(process: number, work: () => Promise<T>): Promise<T> {
    if (this.#isOpen) return work();
    await new Promise<void>((go) => {
      this.#waiting.push({ process, go });
      this.#arrived();
    });
    return work();
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
  }
}
