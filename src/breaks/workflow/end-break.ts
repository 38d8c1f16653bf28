import type { Session } from '../../db';
import type { Instant } from '../../kernel';
import { openBreakStore } from '../break-store';
import { type BreakEvent, DISAPPEARED } from '../recon-break';
import { openAssignmentStore } from './assignment-store';
import { takeBackWriteOffs } from './write-off';

export interface BreakEnd {
  /** `actor` is recorded in the history of the break, `recordedBy` in its ledger transactions. */
  readonly actor: string;
  readonly recordedBy: string;
  readonly occurredAt: Instant;
  readonly recordedAt: Instant;
  readonly detail: BreakEvent['detail'];
}

/**
 * Closes a break whose rows are no longer a difference, and reverses its write-offs, because the difference that two
 * people accepted has disappeared. The history keeps both. A closed break without write-offs stays unchanged.
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
