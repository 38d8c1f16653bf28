import type { Database } from '../db';
import { type BreakQuery, openBreakStore } from './break-store';
import type { ReconBreak } from './recon-break';

export { openBreakStore, type BreakStore, type BreakQuery } from './break-store';
export {
  BREAK_CLASSES,
  BREAK_EVENT_KINDS,
  BREAK_STATUSES,
  comesBack,
  directionOf,
  isClosedByTwo,
  DIRECTIONS,
  DISAPPEARED,
  RESOLUTIONS,
  sizeOf,
  type BreakClass,
  type BreakEvent,
  type Direction,
  type NewBreak,
  type ReconBreak,
  type Resolution,
} from './recon-break';
export { createBreakWorkflow, type BreakWorkflow } from './workflow/break-workflow';
export { decidedByTwo, type DecidedBreak } from './workflow/decided-by-two';
export type { Decided } from './workflow/decide-proposal';
export type { ApprovalEffect, BreakState, PreviewedProposal } from './workflow/preview-approval';
export {
  leftOf,
  type BreakFilter,
  type BreakKey,
  type BreakPageQuery,
  type BreakView,
  type HighBreak,
} from './workflow/break-view';
export { endBreak } from './workflow/end-break';
export { forEachBreak, type ItemResult } from './workflow/for-each-break';
export {
  DECISION_OUTCOMES,
  type ActionDone,
  type DecideHandler,
  type DecideHandlers,
  type Proposal,
  type ProposedAction,
} from './workflow/proposal';
export type { ProposalKey, ProposalQuery } from './workflow/proposal-list-store';
export type { ProposeCommand } from './workflow/propose';
export { linesWrittenOff, writtenOffOf, type WrittenOffLine } from './workflow/write-off';
export { SEVERITIES, type Severity, severityOf, type UrgencySettings } from './workflow/severity';
export type { WriteOffPlace } from './workflow/write-off-places';

/** Lists breaks. */
export interface Breaks {
  list(filter: BreakQuery): Promise<ReconBreak[]>;
}

export function createBreaks({ database }: { database: Database }): Breaks {
  return { list: (filter) => database.read((session) => openBreakStore(session).list(filter)) };
}
