import type { BusinessDate, Instant } from '../../kernel';
import { closeDay, type CloseOptions, type CloseOutcome, type ClosingDeps } from './close-day';
import { approveReopening, proposeReopening, type ReopeningOutcome } from './reopen-day';
import { type Seal, standingSeals } from './seal-chain';
import { openSealStore, type ReopeningProposal } from './seal-store';
import { type SealFault, verifySeals } from './verify-seals';

/** One link of the chain, for display. */
export interface ListedSeal {
  readonly number: number;
  readonly kind: Seal['kind'];
  readonly date: BusinessDate;
  /** Whether it closes the day now. */
  readonly stands: boolean;
  readonly digest: string;
  readonly recordedAt: Instant;
  readonly recordedBy: string;
  readonly proposal: ReopeningProposal | undefined;
}

/** Closes business days under a seal, reopens them on the decision of two people, and verifies the seals. */
export interface DayClosing {
  close(options: CloseOptions): Promise<CloseOutcome>;
  proposeReopening(options: Parameters<typeof proposeReopening>[1]): Promise<ReopeningOutcome>;
  approveReopening(options: Parameters<typeof approveReopening>[1]): Promise<ReopeningOutcome>;
  /** Returns the whole chain, in order. */
  list(): Promise<ListedSeal[]>;
  /** Returns the first fault of each broken seal; empty if all seals are valid. */
  verify(): Promise<SealFault[]>;
}

export function createDayClosing(deps: ClosingDeps): DayClosing {
  return {
    close: (options) => closeDay(deps, options),
    proposeReopening: (options) => proposeReopening(deps, options),
    approveReopening: (options) => approveReopening(deps, options),
    list: () =>
      deps.database.read(
        async (session) => {
          const store = openSealStore(session);
          const chain = await store.heads();
          const standing = new Set(standingSeals(chain).map(({ number }) => number));
          const proposals = new Map((await store.proposals()).map((proposal) => [proposal.number, proposal]));
          return chain.map(({ number, kind, date, digest, recordedAt, recordedBy }) => ({
            ...{ number, kind, date, digest, recordedAt, recordedBy },
            stands: standing.has(number),
            proposal: proposals.get(number),
          }));
        },
        { snapshot: true },
      ),
    verify: () => verifySeals(deps),
  };
}
