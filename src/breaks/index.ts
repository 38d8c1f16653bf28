import type { Database } from '../db';
import { AppError } from '../kernel';
import { type BreakQuery, openBreakStore } from './break-store';
import type { BreakEvent, ReconBreak } from './recon-break';

export { openBreakStore, type BreakStore, type BreakQuery } from './break-store';
export {
  BREAK_CLASSES,
  BREAK_STATUSES,
  comesBack,
  directionOf,
  isClosedByTwo,
  DIRECTIONS,
  DISAPPEARED,
  sizeOf,
  type BreakClass,
  type BreakEvent,
  type Direction,
  type NewBreak,
  type ReconBreak,
} from './recon-break';
export { createBreakWorkflow, type BreakWorkflow } from './workflow/break-workflow';
export { decidedByTwo, type DecidedBreak } from './workflow/decided-by-two';
export type { Decided } from './workflow/decide-proposal';
export type { ApprovalEffect, BreakState, PreviewedProposal } from './workflow/preview-approval';
export type { BreakFilter, BreakKey, BreakPageQuery, BreakView } from './workflow/break-view';
export { endBreak } from './workflow/end-break';
export { forEachBreak, type ItemResult } from './workflow/for-each-break';
export type { ActionDone, DecideHandler, DecideHandlers, Proposal, ProposedAction } from './workflow/proposal';
export type { ProposalKey, ProposalQuery } from './workflow/proposal-list-store';
export type { ProposeCommand } from './workflow/propose';
export { linesWrittenOff, writtenOffOf, type WrittenOffLine } from './workflow/write-off';
export { SEVERITIES } from './workflow/severity';

/** Lists breaks, and shows one with its history. */
export interface Breaks {
  list(filter: BreakQuery): Promise<ReconBreak[]>;
  /** @throws AppError `not_found`. */
  show(id: string): Promise<{ reconBreak: ReconBreak; history: BreakEvent[] }>;
}

export function createBreaks({ database }: { database: Database }): Breaks {
  return {
    list: (filter) => database.read((session) => openBreakStore(session).list(filter)),
    show: (id) =>
      database.read(
        async (session) => {
          const store = openBreakStore(session);
          const reconBreak = await store.find(id);
          if (reconBreak === undefined) throw new AppError('not_found', { thing: 'break', id });
          return { reconBreak, history: await store.history(id) };
        },
        { snapshot: true },
      ),
  };
}
