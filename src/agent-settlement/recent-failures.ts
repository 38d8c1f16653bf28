const REMEMBERED_MAX = 10_000;

/**
 * The transactionIds that this process recently answered 503. When one of them is stored later, the money may have moved
 * before its receipt, so reconciliation must not use the receipt as its time. The memory is bounded and of one process: an
 * id that it forgets or never saw only makes that time look more exact than it is.
 */
export class RecentFailures {
  readonly #ids = new Set<string>();

  remember(transactionId: string): void {
    this.#ids.delete(transactionId);
    this.#ids.add(transactionId);
    const [oldest] = this.#ids;
    if (this.#ids.size > REMEMBERED_MAX && oldest !== undefined) this.#ids.delete(oldest);
  }

  includes(transactionId: string): boolean {
    return this.#ids.has(transactionId);
  }

  forget(transactionId: string): void {
    this.#ids.delete(transactionId);
  }
}
