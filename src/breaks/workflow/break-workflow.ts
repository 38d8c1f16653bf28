import { type Database, ROWS_PER_STATEMENT, type Session } from '../../db';
import {
  addDays,
  AppError,
  type BusinessCalendar,
  type BusinessDate,
  type Clock,
  compareBytes,
  type Page,
  pagesOf,
  ROWS_EXAMINED_MAX,
  rowsOfPages,
  type WorkingDays,
} from '../../kernel';
import type { Logger } from '../../logging';
import { openBreakStore } from '../break-store';
import type { BreakEvent } from '../recon-break';
import { openAssignmentStore } from './assignment-store';
import { type ExaminedBreak, listBreakPage } from './break-list-store';
import type { BreakKey, BreakPageQuery, BreakView, HeldBreak, HighBreak } from './break-view';
import { approveProposal, type DecideCommand, type Decided, rejectProposal } from './decide-proposal';
import {
  findProposal,
  type PreviewedProposal,
  previewProposal,
  type ProposedOrTried,
  proposeOrPreview,
} from './preview-approval';
import { type DecideHandler, type DecideHandlers, type Proposal, requireBreak } from './proposal';
import { listProposals, type ProposalKey, type ProposalQuery } from './proposal-list-store';
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
import { placesOf, reopenClosed, type RestOfMatch, writeOffHandler } from './write-off';
import { sumWrittenOff, type WriteOffPlace, type WrittenOffPart } from './write-off-places';
import { writtenOffByBreak } from './write-off-store';

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
  readonly restOfMatch?: RestOfMatch;
  /** Called after a person approved a proposal. */
  readonly afterApproval?: () => Promise<void>;
}

/** The steps of people on breaks: assign, comment, resolve, reopen, propose, approve, reject. */
export interface BreakWorkflow {
  /** Returns a page of breaks by the day since which they age. */
  list(query: BreakPageQuery): Promise<Page<BreakView, BreakKey>>;
  /** Returns all unresolved breaks of high severity, oldest first, without their rows. */
  high(): Promise<HighBreak[]>;
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
  shownProposal(id: string): Promise<PreviewedProposal>;
  /** Returns the proposals about a subject or a break that wait, oldest first. */
  waitingAbout(about: { readonly subject: string; readonly breakId: string | undefined }): Promise<Proposal[]>;
  /** Returns a page of the proposals that wait for another person, or of the others, newest first. */
  proposals(query: ProposalQuery): Promise<Page<Proposal, ProposalKey>>;
}

/** Closes a break that two people accept: it stays closed while the difference is unchanged. Posts nothing. */
const acceptDifference: DecideHandler = async (_session, { reconBreak }) => {
  requireBreak(reconBreak, 'accept');
  return Promise.resolve({ breakBecomes: { kind: 'resolved', resolution: 'accepted' } });
};

export function createBreakWorkflow(deps: BreakWorkflowDeps): BreakWorkflow {
  const { database, clock, logger, settings } = deps;
  const ownHandlers = { write_off: writeOffHandler(deps.restOfMatch), accept: acceptDifference, reopen: reopenClosed };
  const proposing = { database, clock, handlers: { ...deps.handlers, ...ownHandlers } };

  async function decided(work: Promise<Decided>, { actor, dryRun }: DecideCommand): Promise<Decided> {
    const result = await work;
    if (dryRun !== true) {
      const { proposalId, subject, outcome } = result;
      logger.info('proposal decided', { event: 'breaks.decided', proposalId, subject, outcome, actor: actor.name });
      if (outcome === 'approved') await deps.afterApproval?.();
    }
    return result;
  }

  return {
    list: (query) => database.read((session) => listBreaks(session, deps, query), { snapshot: true }),
    high: () => database.read((session) => highBreaks(session, deps), { snapshot: true }),
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
      database.read((session) => placesOfBreak(session, id, deps.restOfMatch), { snapshot: true }),
    assign: (command) => assignBreak(deps, command),
    comment: (command) => commentBreak(deps, command),
    resolve: (command) => resolveBreak(deps, command),
    reopen: (command) => reopenBreak(deps, command),
    propose: (command) => proposeOrPreview(proposing, command),
    approve: (command) => decided(approveProposal(proposing, command), command),
    reject: (command) => decided(rejectProposal(proposing, command), command),
    preview: (id) => previewProposal(proposing, id),
    shownProposal: (id) => findProposal(proposing, id),
    waitingAbout: (about) => database.read((session) => waitingAbout(session, about), { snapshot: true }),
    proposals: (query) => database.read((session) => listProposals(session, query), { snapshot: true }),
  };
}

async function listBreaks(
  session: Session,
  deps: BreakWorkflowDeps,
  query: BreakPageQuery,
): Promise<Page<BreakView, BreakKey>> {
  const days = await daysOf(session, deps);
  const { severities, overdueOnly = false } = query;
  const { rows, next } = await listBreakPage(session, query, (row) => {
    if (severities === undefined && !overdueOnly) return true;
    const { severity, isOverdue } = urgencyOf(row, deps.settings, days);
    return (severities === undefined || severities.includes(severity)) && (!overdueOnly || isOverdue);
  });
  const views: BreakView[] = [];
  for (const page of pagesOf(rows, ROWS_PER_STATEMENT)) {
    const ids = page.map(({ id }) => id);
    const held = new Map((await openAssignmentStore(session).byIds(ids)).map((each) => [each.id, each]));
    const given = await writtenOffByBreak(session, ids);
    for (const each of ids.flatMap((id) => held.get(id) ?? [])) {
      views.push(breakView(each, given.get(each.id), urgencyOf(each, deps.settings, days)));
    }
  }
  return { rows: views, next };
}

async function highBreaks(session: Session, deps: BreakWorkflowDeps): Promise<HighBreak[]> {
  const days = await daysOf(session, deps);
  const isHigh = (row: ExaminedBreak): boolean => urgencyOf(row, deps.settings, days).severity === 'high';
  const found = await rowsOfPages<ExaminedBreak, BreakKey>(Infinity, (after, limit) =>
    listBreakPage(session, { after, limit: Math.min(limit, ROWS_EXAMINED_MAX) }, isHigh),
  );
  return found.map(({ id, breakClass, amount }) => ({ id, breakClass, amount }));
}

async function placesOfBreak(session: Session, id: string, restOfMatch?: RestOfMatch): Promise<WriteOffPlace[]> {
  const reconBreak = await openBreakStore(session).find(id);
  if (reconBreak === undefined) throw new AppError('not_found', { thing: 'break', id });
  return placesOf(session, reconBreak, restOfMatch);
}

async function waitingAbout(
  session: Session,
  { subject, breakId }: { readonly subject: string; readonly breakId: string | undefined },
): Promise<Proposal[]> {
  const store = openProposalStore(session);
  const ofBreak = breakId === undefined ? undefined : await store.waitingFor(breakSubject(breakId));
  const found = [await store.waitingFor(subject), ofBreak].filter((each) => each !== undefined);
  return found.sort((a, b) => a.proposedAt - b.proposedAt || compareBytes(a.id, b.id));
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
