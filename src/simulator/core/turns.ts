/** Runs work one piece after the other. A piece may wait for a webhook, whose receiver may be the next caller. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #isHeld = false;
  readonly #whenHeld = new Set<() => void>();

  /** Whether the running work waits for the answer to a webhook. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Runs `work` after all earlier work. */
  next<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined); // the caller of this turn gets the error; the next one still runs
    return turn;
  }

  /** Waits for a part of the running work that may take long, such as the answer to a webhook. */
  async hold(work: void | Promise<void>): Promise<void> {
    if (work === undefined) return;
    this.#isHeld = true;
    for (const wake of this.#whenHeld) wake();
    this.#whenHeld.clear();
    try {
      await work;
    } finally {
      this.#isHeld = false;
    }
  }

  /**
   * Runs `work`, unless the running work waits for the answer to a webhook. Stops waiting for `work` when that happens.
   */
  async unlessHeld(work: () => Promise<void>): Promise<void> {
    if (this.#isHeld) return;
    let wake = (): void => undefined;
    const heldUp = new Promise<void>((resolve) => this.#whenHeld.add((wake = resolve)));
    await Promise.race([work(), heldUp]).finally(() => this.#whenHeld.delete(wake));
  }
}
