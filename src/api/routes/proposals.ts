import { z } from 'zod';
import type { ProposeCommand } from '../../breaks';
import {
  actionDoneValue,
  doneJson,
  lineIdsOfProposal,
  lineSubject,
  proposalJson,
  proposalValue,
  shownProposalJson,
  shownProposalValue,
} from '../../shapes/proposals';
import { creditActionField, proposedActionField } from '../../shapes/proposed-action';
import { flagParameter, idValue, reasonField } from '../../shapes/values';
import { listRoute } from '../operation/list-route';
import type { ApiProblemCode } from '../operation/problem';
import type { ApiRooms } from '../operation/rooms';
import { created, ok, route } from '../operation/route';

const tag = 'Breaks';
const ofProposal = { proposalId: idValue };
/** 10,000 ids of items. */
const ITEMS_BYTES_MAX = 4 * 1024 * 1024;

/** What the actions refuse, when they are proposed and when they are approved. */
const ACTION_PROBLEMS: readonly ApiProblemCode[] = [
  'not_found',
  'already_done',
  'account_unclear',
  'amounts_do_not_fit',
  'balance_too_large',
  'closed_by_match',
  'is_reversal',
  'item_matched',
  'line_matched',
  'line_no_payout',
  'line_written_off',
  'no_amount',
  'not_closed_by_match',
  'nothing_left',
  'nothing_posted',
  'nothing_to_reopen',
  'paid_since',
  'remainder_written_off',
  'write_off_too_large',
  'write_offs_exhausted',
];

const proposed = z.strictObject({
  proposalId: idValue.nullable().meta({ description: 'Null in a dry run.' }),
  dryRun: z.boolean(),
  wouldDo: actionDoneValue.meta({ description: 'The effect that an approval would have now.' }),
  proposal: shownProposalValue.nullable().meta({ description: 'Of a dry run: the proposal as it would be shown.' }),
});

const decided = z.strictObject({
  proposalId: idValue,
  subject: z.string(),
  outcome: z.enum(['approved', 'rejected', 'withdrawn', 'lapsed']),
  dryRun: z.boolean(),
  done: actionDoneValue.nullable(),
});

async function propose(
  { breakWorkflow, statements }: ApiRooms,
  command: ProposeCommand & { readonly dryRun: boolean },
) {
  const { proposalId, wouldDo, preview } = await breakWorkflow.propose(command);
  const { dryRun } = command;
  const lines = preview === undefined ? [] : await statements.linesById(lineIdsOfProposal(preview));
  const proposal = preview === undefined ? null : { ...shownProposalJson({ ...preview, lines }), id: null };
  const body = { proposalId: dryRun ? null : proposalId, dryRun, wouldDo: doneJson(wouldDo), proposal };
  return created(body, `/proposals/${proposalId}`);
}

/** The operations on single decisions of two people. */
export const PROPOSAL_ROUTES = [
  route({
    method: 'post',
    path: '/breaks/{breakId}/proposals',
    operationId: 'proposeForBreak',
    summary: 'Propose an action on a break; another person approves it',
    tag,
    scope: 'breaks:work',
    params: { breakId: idValue },
    body: z.strictObject({ action: proposedActionField, reason: reasonField }),
    bodyBytesMax: ITEMS_BYTES_MAX,
    effect: 'once',
    dryRun: true,
    version: 'required',
    answers: { 201: proposed },
    problems: [...ACTION_PROBLEMS, 'break_resolved', 'proposal_waits'],
    handle: (rooms, { params: { breakId }, body, actor, dryRun, ifVersion }) =>
      propose(rooms, { about: { breakId, ifVersion }, ...body, actor, dryRun }),
  }),
  route({
    method: 'post',
    path: '/proposals',
    operationId: 'proposeForCredit',
    summary: 'Propose an action on a credit without a break',
    tag,
    scope: 'breaks:work',
    body: z.strictObject({ lineId: idValue, action: creditActionField, reason: reasonField }),
    bodyBytesMax: ITEMS_BYTES_MAX,
    effect: 'once',
    dryRun: true,
    answers: { 201: proposed },
    problems: [...ACTION_PROBLEMS, 'proposal_waits'],
    handle(rooms, { body: { lineId, action, reason }, actor, dryRun }) {
      const ofCredit = { kind: action.kind, payload: { lineId, ...action.payload } };
      return propose(rooms, { about: { subject: lineSubject(lineId) }, action: ofCredit, reason, actor, dryRun });
    },
  }),
  listRoute({
    path: '/proposals',
    operationId: 'listProposals',
    summary: 'List the proposals that wait for another person, or the others',
    description: 'Newest first. Proposals to reopen a day stand in the list of days.',
    tag,
    scope: 'breaks:read',
    filter: {
      waiting: flagParameter.optional().meta({ description: 'true if absent; false: decided or lapsed ones.' }),
      mine: flagParameter.optional().meta({ description: 'Only those of the owner of the key.' }),
    },
    row: proposalValue,
    key: z.tuple([z.number(), z.string()]).readonly(),
    page: ({ breakWorkflow }, { filter: { waiting = true, mine = false }, after, limit, actor }) =>
      breakWorkflow.proposals({ waiting, proposedBy: mine ? actor.name : undefined, after, limit }),
    toJson: proposalJson,
  }),
  route({
    method: 'get',
    path: '/proposals/{proposalId}',
    operationId: 'showProposal',
    summary: 'Show a proposal with what its approval changes',
    tag,
    scope: 'breaks:read',
    params: ofProposal,
    answers: { 200: shownProposalValue },
    problems: ['not_found'],
    async handle({ breakWorkflow, statements }, { params: { proposalId } }) {
      const preview = await breakWorkflow.shownProposal(proposalId);
      const lines = await statements.linesById(lineIdsOfProposal(preview));
      return ok(shownProposalJson({ ...preview, lines }));
    },
  }),
  route({
    method: 'post',
    path: '/proposals/{proposalId}/approve',
    operationId: 'approveProposal',
    summary: 'Approve the proposal of another person',
    description: 'One transaction performs the action and stores the decision. It is refused if the break changed.',
    tag,
    scope: 'breaks:decide',
    params: ofProposal,
    body: z.strictObject({ reason: reasonField.optional() }),
    effect: 'once',
    dryRun: true,
    answers: { 200: decided },
    problems: [...ACTION_PROBLEMS, 'same_person', 'proposal_decided', 'nothing_proposed', 'basis_changed'],
    async handle({ breakWorkflow }, { params: { proposalId: id }, body: { reason }, actor, dryRun }) {
      const { done, ...decision } = await breakWorkflow.approve({ id, reason, actor, dryRun });
      return ok({ ...decision, dryRun, done: doneJson(done) });
    },
  }),
  route({
    method: 'post',
    path: '/proposals/{proposalId}/reject',
    operationId: 'rejectProposal',
    summary: 'Reject a proposal, or withdraw your own',
    description: 'To reject the proposal of another person takes the scope `breaks:decide` as well.',
    tag,
    scope: 'breaks:work',
    params: ofProposal,
    body: z.strictObject({ reason: reasonField }),
    effect: 'once',
    dryRun: true,
    answers: { 200: decided },
    problems: ['not_found', 'proposal_decided', 'nothing_proposed'],
    async handle({ breakWorkflow }, { params: { proposalId: id }, body: { reason }, actor, dryRun }) {
      const { done, ...decision } = await breakWorkflow.reject({ id, reason, actor, dryRun });
      return ok({ ...decision, dryRun, done: doneJson(done) });
    },
  }),
];
