/** One invariant of the ledger, as a SELECT of the rows that break it. */
export interface Invariant {
  readonly name: string;
  readonly sql: string;
}
