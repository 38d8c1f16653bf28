import type { Session } from '../../db';
import type { BusinessDate, Instant } from '../../kernel';
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
import { approveReopening, proposeReopening, type ReopeningOutcome } from './reopen-day';
import { type Seal, standingSeals } from './seal-chain';
import { readContent } from './seal-content';
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

/** A day, its last closing, and what hinders a closing of it now. */
export interface DayStatus {
  readonly date: BusinessDate;
  /** `reopened`: it was closed, and two people opened it again. */
  readonly state: 'open' | 'closed' | 'reopened';
  readonly seal: ListedSeal | undefined;
  /** The proof of the last closing. */
  readonly proof: ProofJson | undefined;
  /** Empty for a closed day. */
  readonly obstacles: readonly string[];
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
  /** Returns the whole chain, in order. */
  list(): Promise<ListedSeal[]>;
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
    list: () => deps.database.read(listSeals, { snapshot: true }),
    verify: () => verifySeals(deps),
  };
}

async function listSeals(session: Session): Promise<ListedSeal[]> {
  const store = openSealStore(session);
  const chain = await store.heads();
  const standing = new Set(standingSeals(chain).map(({ number }) => number));
  const proposals = new Map((await store.proposals()).map((proposal) => [proposal.number, proposal]));
  return chain.map(({ number, kind, date, digest, recordedAt, recordedBy }) => ({
    ...{ number, kind, date, digest, recordedAt, recordedBy },
    stands: standing.has(number),
    proposal: proposals.get(number),
  }));
}

async function dayStatus(deps: ClosingDeps, date: BusinessDate): Promise<DayStatus> {
  const { obstacles } = await stateOf(deps, { date });
  return deps.database.read(
    async (session) => {
      const seal = (await listSeals(session)).findLast((each) => each.kind === 'closed' && each.date === date);
      if (seal === undefined) return { date, state: 'open', seal, proof: undefined, obstacles };
      const stored = await openSealStore(session).find(seal.number);
      const proof = stored === undefined ? undefined : readContent(stored).proof;
      return { date, state: seal.stands ? 'closed' : 'reopened', seal, proof, obstacles };
    },
    { snapshot: true },
  );
}
