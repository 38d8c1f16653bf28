const REMEMBERED_MAX = 10_000;

/**
 * Remembers the transactionIds that this process recently answered with 503. If one of them is stored later, the money
 * may have moved before its receipt, so reconciliation must not use the receipt as its time. The memory is bounded and
 * belongs to one process. For a forgotten or unseen id, that time only looks more exact than it is.
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
