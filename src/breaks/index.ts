import type { Database } from '../db';
import { AppError } from '../kernel';
import { openBreakBook, type BreakFilter } from './break-store';
import type { BreakEvent, ReconBreak } from './recon-break';

export { openBreakBook, type BreakBook, type BreakFilter } from './break-store';
export {
  BREAK_CLASSES,
  BREAK_STATUSES,
  comesBack,
  DISAPPEARED,
  type BreakClass,
  type BreakEvent,
  type BreakStatus,
  type BreakSubject,
  type NewBreak,
  type ReconBreak,
} from './recon-break';
export { createBreakDesk, type BreakDesk } from './desk/break-desk';
export type { Decided } from './desk/decide-proposal';
export type { DeskBreak, DeskFilter } from './desk/desk-break';
export { endBreak } from './desk/end-break';
export { onEach, type ItemResult } from './desk/on-each';
export type {
  ActionDone,
  DecideHandler,
  DecideHandlers,
  Proposal,
  ProposalInHand,
  ProposedAction,
} from './desk/proposal';
export type { ProposeCommand, Proposed } from './desk/propose';
export { linesWrittenOff, writtenOffOf } from './desk/write-off';
export { SEVERITIES, type DeskSettings, type Severity } from './desk/severity';

/** What people look at: the open breaks, one of them, and what happened to it. */
export interface Breaks {
  list(filter: BreakFilter): Promise<ReconBreak[]>;
  /** @throws AppError `not_found`. */
  show(id: string): Promise<{ reconBreak: ReconBreak; history: BreakEvent[] }>;
}

export function createBreaks({ database }: { database: Database }): Breaks {
  return {
    list: (filter) => database.read((session) => openBreakBook(session).list(filter)),
    show: (id) =>
      database.read(
        async (session) => {
          const book = openBreakBook(session);
          const reconBreak = await book.find(id);
          if (reconBreak === undefined) throw new AppError('not_found', `no break ${JSON.stringify(id)}`);
          return { reconBreak, history: await book.history(id) };
        },
        { snapshot: true },
      ),
  };
}
