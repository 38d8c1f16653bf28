import type { Database, Session } from '../../db';
import {
  addDays,
  AppError,
  type BusinessCalendar,
  type BusinessDate,
  type Clock,
  compareBytes,
  type WorkingDays,
} from '../../kernel';
import type { Logger } from '../../logging';
import { openBreakStore } from '../break-store';
import type { BreakEvent, ReconBreak } from '../recon-break';
import { openAssignmentStore } from './assignment-store';
import type { BreakFilter, BreakView, HeldBreak } from './break-view';
import { approveProposal, type DecideCommand, type Decided, rejectProposal } from './decide-proposal';
import {
  findProposal,
  type PreviewedProposal,
  previewProposal,
  type ProposedOrTried,
  proposeOrPreview,
} from './preview-approval';
import { type DecideHandler, type DecideHandlers, type Proposal, requireBreak } from './proposal';
import { breakSubject, openProposalStore } from './proposal-store';
import type { ProposeCommand } from './propose';
import { type Urgency, type UrgencyDays, urgencyOf, type UrgencySettings } from './severity';
import {
  assignBreak,
  type AssignCommand,
  commentBreak,
  type CommentCommand,
  type ReasonedCommand,
  reopenBreak,
  resolveBreak,
} from './single-person-steps';
import { placesOf, reopenClosed, writeOff } from './write-off';
import { sumWrittenOff, type WriteOffPlace, type WrittenOffPart } from './write-off-places';
import { writtenOffByBreak } from './write-off-store';

/** A high limit: two people decide only a few proposals a day. */
const WAITING_LISTED_MAX = 1_000;

export interface BreakWorkflowDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
  readonly logger: Logger;
  readonly settings: UrgencySettings;
  /** The actions of other modules that two people decide, by kind. */
  readonly handlers?: DecideHandlers;
  /** Returns the last day that bank statements cover. Breaks age to that day, at most to yesterday. */
  readonly knownThrough?: (session: Session) => Promise<BusinessDate | undefined>;
  /** Checks that no match has paid the rows of a break since it was raised. @throws AppError `conflict`. */
  readonly requireUnpaid?: (session: Session, reconBreak: ReconBreak) => Promise<void>;
}

/** The steps of people on breaks: assign, comment, resolve, reopen, propose, approve, reject. */
export interface BreakWorkflow {
  list(filter: BreakFilter): Promise<BreakView[]>;
  /** @throws AppError `not_found`. */
  show(id: string): Promise<{ breakView: BreakView; history: BreakEvent[]; proposals: Proposal[] }>;
  /** Returns the accounts in which a break may be written off now. @throws AppError `not_found`. */
  writeOffPlaces(id: string): Promise<WriteOffPlace[]>;
  /** @throws AppError `forbidden`, `bad_input`, `not_found` or `conflict`. The other steps throw the same. */
  assign(command: AssignCommand): Promise<'done' | 'unchanged'>;
  comment(command: CommentCommand): Promise<'done' | 'unchanged'>;
  resolve(command: ReasonedCommand): Promise<'done' | 'unchanged'>;
  reopen(command: ReasonedCommand): Promise<'done' | 'unchanged'>;
  propose(command: ProposeCommand): Promise<ProposedOrTried>;
  approve(command: DecideCommand): Promise<Decided>;
  reject(command: DecideCommand): Promise<Decided>;
  /** Returns a proposal that waits, by its id or that of its break, with the effect of its approval. Stores nothing. */
  preview(id: string): Promise<PreviewedProposal>;
  /** Returns a proposal, decided or not. One that waits has the effect of its approval. @throws AppError `not_found`. */
  proposal(id: string): Promise<PreviewedProposal>;
  /** Returns the proposals about a subject or a break that wait, oldest first. */
  waitingAbout(about: { readonly subject: string; readonly breakId: string | undefined }): Promise<Proposal[]>;
  /** Returns the proposals that wait for another person, oldest first. */
  waiting(): Promise<Proposal[]>;
}

/** Closes a break that two people accept: it stays closed while the difference is unchanged. Posts nothing. */
const acceptDifference: DecideHandler = async (_session, { reconBreak }) => {
  requireBreak(reconBreak, 'accept');
  return Promise.resolve({ breakBecomes: { kind: 'resolved', resolution: 'accepted' } });
};

export function createBreakWorkflow(deps: BreakWorkflowDeps): BreakWorkflow {
  const { database, clock, logger, settings } = deps;
  const writeOffUnpaid: DecideHandler = async (session, proposal, actor, at) => {
    if (proposal.reconBreak !== undefined) await deps.requireUnpaid?.(session, proposal.reconBreak);
    return writeOff(session, proposal, actor, at);
  };
  const ownHandlers = { write_off: writeOffUnpaid, accept: acceptDifference, reopen: reopenClosed };
  const proposing = { database, clock, handlers: { ...deps.handlers, ...ownHandlers } };

  async function decided(work: Promise<Decided>, { actor, dryRun }: DecideCommand): Promise<Decided> {
    const result = await work;
    if (dryRun !== true) {
      const { proposalId, subject, outcome } = result;
      logger.info('proposal decided', { event: 'breaks.decided', proposalId, subject, outcome, actor: actor.name });
    }
    return result;
  }

  return {
    list: (filter) =>
      database.read(
        async (session) => {
          const days = await daysOf(session, deps);
          const held = await openAssignmentStore(session).list(filter);
          const given = await writtenOffByBreak(session);
          const { severities, overdueOnly = false } = filter;
          return held
            .map((each) => breakView(each, given.get(each.id), urgencyOf(each, settings, days)))
            .filter(({ severity }) => severities === undefined || severities.includes(severity))
            .filter(({ isOverdue }) => !overdueOnly || isOverdue);
        },
        { snapshot: true },
      ),
    show: (id) =>
      database.read(
        async (session) => {
          const held = await openAssignmentStore(session).find(id);
          if (held === undefined) throw new AppError('not_found', { thing: 'break', id });
          const days = await daysOf(session, deps);
          const given = (await writtenOffByBreak(session, [id])).get(id);
          return {
            breakView: breakView(held, given, urgencyOf(held, settings, days)),
            history: await openBreakStore(session).history(id),
            proposals: await openProposalStore(session).ofBreak(id),
          };
        },
        { snapshot: true },
      ),
    writeOffPlaces: (id) =>
      database.read(
        async (session) => {
          const reconBreak = await openBreakStore(session).find(id);
          if (reconBreak === undefined) throw new AppError('not_found', { thing: 'break', id });
          return placesOf(session, reconBreak);
        },
        { snapshot: true },
      ),
    assign: (command) => assignBreak(deps, command),
    comment: (command) => commentBreak(deps, command),
    resolve: (command) => resolveBreak(deps, command),
    reopen: (command) => reopenBreak(deps, command),
    propose: (command) => proposeOrPreview(proposing, command),
    approve: (command) => decided(approveProposal(proposing, command), command),
    reject: (command) => decided(rejectProposal(proposing, command), command),
    preview: (id) => previewProposal(proposing, id),
    proposal: (id) => findProposal(proposing, id),
    waitingAbout: ({ subject, breakId }) =>
      database.read(
        async (session) => {
          const store = openProposalStore(session);
          const ofBreak = breakId === undefined ? undefined : await store.waitingFor(breakSubject(breakId));
          const found = [await store.waitingFor(subject), ofBreak].filter((each) => each !== undefined);
          return found.sort((a, b) => a.proposedAt - b.proposedAt || compareBytes(a.id, b.id));
        },
        { snapshot: true },
      ),
    waiting: () => database.read((session) => openProposalStore(session).waiting(WAITING_LISTED_MAX)),
  };
}

function breakView(held: HeldBreak, given: readonly WrittenOffPart[] | undefined, urgency: Urgency): BreakView {
  return { ...held, ...urgency, writtenOff: sumWrittenOff(held, given ?? []) };
}

/** Ages breaks to the last ended day that the bank covers. */
async function daysOf(
  session: Session,
  { clock, calendar, workingDays, knownThrough }: BreakWorkflowDeps,
): Promise<UrgencyDays> {
  const today = calendar.dateOf(clock.now());
  const yesterday = addDays(today, -1);
  const known = await knownThrough?.(session);
  return { calendar, workingDays, today, agedThrough: known !== undefined && known < yesterday ? known : yesterday };
}
