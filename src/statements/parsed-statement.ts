import type { BusinessDate, Millimes } from '../kernel';

/** What a reader makes of a bank file, whatever its format: proven and stored by code that knows no format. */
export interface ParsedStatement {
  /** As our books name the account: without spaces, digits kept. Undefined when the file does not say it. */
  readonly account: string | undefined;
  readonly currency: string;
  /** Undefined when the file does not say it: then nothing can be proven. */
  readonly opening: Millimes | undefined;
  readonly closing: Millimes | undefined;
  /** What the bank says the lines add up to, where it does. */
  readonly totals: { readonly credits: Millimes | undefined; readonly debits: Millimes | undefined };
  /** In the order in which the bank booked them. Identical lines are genuine and all kept. */
  readonly lines: readonly ParsedLine[];
}

export interface ParsedLine {
  /** Where it starts in the file; the first line of the file is 1. */
  readonly fileLine: number;
  readonly bookingDate: BusinessDate;
  readonly valueDate: BusinessDate | undefined;
  /** Positive: credit. */
  readonly amount: Millimes;
  readonly counterparty: string;
  readonly remittance: string;
  readonly bankReference: string;
  readonly payoutCandidate: boolean;
  readonly balanceAfter: Millimes | undefined;
  /** The line as the file has it, decoded and otherwise untouched. */
  readonly raw: string;
}
