import type { BusinessDate, Instant, Page } from '../../kernel';
import { closeDay, type CloseOptions, type CloseOutcome, type ClosingDeps } from './close-day';
import { approveReopening, proposeReopening, type ReopeningOutcome } from './reopen-day';
import type { Seal } from './seal-chain';
import { type ListedHead, openSealStore, type ReopeningProposal, type SealKey, type SealQuery } from './seal-store';
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
  /** Returns a page of the links of the chain, the latest days first. */
  list(query: SealQuery): Promise<Page<ListedSeal, SealKey>>;
  /** Returns the first fault of each broken seal; empty if all seals are valid. */
  verify(): Promise<SealFault[]>;
}

export function createDayClosing(deps: ClosingDeps): DayClosing {
  return {
    close: (options) => closeDay(deps, options),
    proposeReopening: (options) => proposeReopening(deps, options),
    approveReopening: (options) => approveReopening(deps, options),
    async list(query) {
      const { rows, next } = await deps.database.read((session) => openSealStore(session).list(query));
      return { rows: rows.map(listedSeal), next };
    },
    verify: () => verifySeals(deps),
  };
}

function listedSeal({ reopens: _reopens, reason, proposedAt, proposedBy, ...seal }: ListedHead): ListedSeal {
  if (reason === undefined || proposedAt === undefined || proposedBy === undefined) {
    return { ...seal, proposal: undefined };
  }
  return { ...seal, proposal: { number: seal.number, reason, proposedAt, proposedBy } };
}
