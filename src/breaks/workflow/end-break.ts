import type { Session } from '../../db';
import type { Instant } from '../../kernel';
import { openBreakStore } from '../break-store';
import { DISAPPEARED, type BreakEvent } from '../recon-break';
import { openAssignmentStore } from './assignment-store';
import { takeBackWriteOffs } from './write-off';

export interface BreakEnd {
  /** Who is named in the history of the break, and by whom its ledger transactions are recorded. */
  readonly actor: string;
  readonly recordedBy: string;
  readonly occurredAt: Instant;
  readonly recordedAt: Instant;
  readonly detail: BreakEvent['detail'];
}

/**
 * Closes a break whose rows are no difference any more, and takes back what was written off of it: two people gave up a
 * difference that is gone. What they did stays in the history. Without such a write-off a closed break is left alone.
 */
export async function endBreak(session: Session, id: string, end: BreakEnd): Promise<void> {
  const held = await openAssignmentStore(session).lock(id);
  if (held === undefined) return;
  const { actor, recordedAt: at } = end;
  const { posted } = await takeBackWriteOffs(session, id, end);
  const back = posted === undefined ? {} : { takenBack: posted.reference, takenBackMillimes: posted.amount };
  const detail = { ...end.detail, ...back };
  const store = openBreakStore(session);
  if (held.status === 'resolved') {
    if (posted === undefined) return;
    await store.reopen(id, held, at, actor, detail);
  }
  await store.resolve(id, DISAPPEARED, at, actor, detail);
}
