const REMEMBERED_MAX = 10_000;

/**
 * The transactionIds to which this process answered 503 lately. When one of them is stored later, the money may have
 * moved before we received it, and reconciliation must not take our receipt for its hour. A memory of one process, and
 * bounded: what it forgets or never saw only makes that hour look sharper than it is.
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
