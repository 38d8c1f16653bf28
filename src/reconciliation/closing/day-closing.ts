import type { BusinessDate, Instant, Page } from '../../kernel';
import {
  closeDay,
  type CloseOptions,
  type CloseOutcome,
  type ClosingDeps,
  proveClosing,
  type ProveOptions,
  stateOf,
} from './close-day';
import type { ProofJson } from './day-proof';
import type { Obstacle } from './obstacle';
import { approveReopening, proposeReopening, type ReopeningOutcome } from './reopen-day';
import type { Seal } from './seal-chain';
import { readContent } from './seal-content';
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

/** A day, its last closing, and what hinders a closing of it now. */
export interface DayStatus {
  readonly date: BusinessDate;
  /** `reopened`: it was closed, and two people opened it again. */
  readonly state: 'open' | 'closed' | 'reopened';
  readonly seal: ListedSeal | undefined;
  /** The proof of the last closing. */
  readonly proof: ProofJson | undefined;
  /** Empty for a closed day. */
  readonly obstacles: readonly Obstacle[];
}

/** Closes business days under a seal, reopens them on the decision of two people, and verifies the seals. */
export interface DayClosing {
  close(options: CloseOptions): Promise<CloseOutcome>;
  /** Proves a day without closing it. @throws AppError `bad_input`. */
  prove(options: ProveOptions): Promise<CloseOutcome>;
  /** Returns a day with its last seal and the obstacles to its closing. */
  day(date: BusinessDate): Promise<DayStatus>;
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
    prove: (options) => proveClosing(deps, options),
    day: (date) => dayStatus(deps, date),
    proposeReopening: (options) => proposeReopening(deps, options),
    approveReopening: (options) => approveReopening(deps, options),
    async list(query) {
      const { rows, next } = await deps.database.read((session) => openSealStore(session).list(query));
      return { rows: rows.map(listedSeal), next };
    },
    verify: () => verifySeals(deps),
  };
}

/** More than the links that one day ever has. */
const LINKS_OF_DAY_MAX = 1_000;

async function dayStatus(deps: ClosingDeps, date: BusinessDate): Promise<DayStatus> {
  const { obstacles } = await stateOf(deps, { date });
  return deps.database.read(
    async (session) => {
      const store = openSealStore(session);
      const { rows } = await store.list({ from: date, to: date, limit: LINKS_OF_DAY_MAX });
      const last = rows.find(({ kind }) => kind === 'closed');
      if (last === undefined) return { date, state: 'open', seal: undefined, proof: undefined, obstacles };
      const seal = listedSeal(last);
      const stored = await store.find(seal.number);
      const proof = stored === undefined ? undefined : readContent(stored).proof;
      return { date, state: seal.stands ? 'closed' : 'reopened', seal, proof, obstacles };
    },
    { snapshot: true },
  );
}

function listedSeal({ reopens: _reopens, reason, proposedAt, proposedBy, ...seal }: ListedHead): ListedSeal {
  if (reason === undefined || proposedAt === undefined || proposedBy === undefined) {
    return { ...seal, proposal: undefined };
  }
  return { ...seal, proposal: { number: seal.number, reason, proposedAt, proposedBy } };
}
