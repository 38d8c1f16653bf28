import { type BusinessDate, type Millimes, millimes } from '../../kernel';
import type { BreakClass, BreakStatus, ReconBreak } from '../recon-break';
import type { Severity, Urgency } from './severity';

/** A break with its assignee and its pending proposal, without its urgency. */
export interface HeldBreak extends ReconBreak {
  readonly assignee: string | undefined;
  /** The proposal that waits for another person. */
  readonly proposalId: string | undefined;
  /** The number of events in its history. A step may state the version that it expects. */
  readonly version: number;
}

/** A break with its assignee, its pending proposal and its urgency. */
export interface BreakView extends HeldBreak, Urgency {
  /** The written-off part that is not reversed, with the sign of the amount. */
  readonly writtenOff: Millimes;
}

/** What a notification says of a break. */
export type HighBreak = Pick<ReconBreak, 'id' | 'breakClass' | 'amount'>;

/** Selects breaks that satisfy every given condition. Without `statuses`: unresolved breaks. */
export interface BreakFilter {
  readonly classes?: readonly BreakClass[] | undefined;
  readonly statuses?: readonly BreakStatus[] | undefined;
  /** Undefined: any assignee; null: unassigned breaks. */
  readonly assignee?: string | null | undefined;
  /** A minimum for the absolute amount. A break with an unknown amount never reaches it. */
  readonly minAmount?: Millimes | undefined;
  /** Breaks that age from this day or a later one. */
  readonly since?: BusinessDate | undefined;
  readonly severities?: readonly Severity[] | undefined;
  readonly overdueOnly?: boolean | undefined;
}

/** Returns the part of the amount that is not written off, with the sign of the amount. Pure. */
export function leftOf({ amount, writtenOff }: Pick<BreakView, 'amount' | 'writtenOff'>): Millimes | undefined {
  return amount === undefined ? undefined : millimes(amount - writtenOff);
}

/** The sort key of a break. Breaks of one day are in the order of their class and fingerprint. */
export type BreakKey = readonly [since: string, breakClass: string, fingerprint: string];

export interface BreakPageQuery extends BreakFilter {
  /** Oldest first (the default), or newest first. */
  readonly sort?: 'since' | '-since';
  readonly after?: BreakKey | undefined;
  readonly limit: number;
}
