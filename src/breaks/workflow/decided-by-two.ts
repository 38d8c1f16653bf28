import type { Session } from '../../db';
import { type Millimes, ZERO_MILLIMES } from '../../kernel';
import { openBreakStore } from '../break-store';
import { type ReconBreak, SETTLED_BY_TWO } from '../recon-break';
import { sumWrittenOff } from './write-off-places';
import { writtenOffByBreak } from './write-off-store';

/** A break about which two people decided, and the written-off part with the sign of its amount. */
export interface DecidedBreak {
  readonly reconBreak: ReconBreak;
  readonly writtenOff: Millimes;
}

/**
 * Returns the breaks that two people wrote off or accepted, and the open breaks of which they wrote off a part. `open`:
 * all open breaks, read in the same session.
 */
export async function decidedByTwo(session: Session, open: readonly ReconBreak[]): Promise<DecidedBreak[]> {
  const settled = await openBreakStore(session).list({ resolutions: SETTLED_BY_TWO });
  const given = await writtenOffByBreak(session);
  const withPart = open.filter(({ id }) => given.has(id));
  return [...settled, ...withPart].map((reconBreak) => ({
    reconBreak,
    writtenOff: given.has(reconBreak.id) ? sumWrittenOff(reconBreak, given.get(reconBreak.id) ?? []) : ZERO_MILLIMES,
  }));
}
