import type { BusinessDate, Millimes } from '../../kernel';
import type { BreakClass, BreakStatus, ReconBreak } from '../recon-break';
import type { Severity, Urgency } from './severity';

/** A break with its assignee and its pending proposal, without its urgency. */
export interface HeldBreak extends ReconBreak {
  readonly assignee: string | undefined;
  /** The proposal that waits for a second person. */
  readonly proposalId: string | undefined;
  /** How many steps its history has: a decision may name the version that it was made on. */
  readonly version: number;
}

/** The same with what a person needs to choose what to do first. */
export interface BreakView extends HeldBreak, Urgency {
  /** What of the amount is written off and was not taken back, with the sign of the amount. */
  readonly writtenOff: Millimes;
}

/** Which breaks; each part that is given must hold. Without `statuses` those that are not resolved. */
export interface BreakFilter {
  readonly classes?: readonly BreakClass[];
  readonly statuses?: readonly BreakStatus[];
  /** Undefined: any assignee; null: unassigned breaks. */
  readonly assignee?: string | null;
  /** By its size, whatever its sign; one of unknown amount is below any. */
  readonly minAmount?: Millimes;
  /** Those that count from this day on. */
  readonly since?: BusinessDate;
  readonly severities?: readonly Severity[];
  readonly overdueOnly?: boolean;
}
