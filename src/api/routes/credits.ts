import { z } from 'zod';
import { millimes } from '../../kernel';
import { CHANNELS } from '../../payout-inference';
import { agentIdField } from '../../shapes/agents';
import {
  candidateJson,
  candidateValue,
  creditOutcomeValue,
  creditStateValue,
  explainedCreditJson,
  listedCreditJson,
  listedCreditValue,
  markedPayoutsJson,
  markedPayoutsValue,
  personMatchValue,
  shownCreditValue,
  triedMatchJson,
  triedMatchValue,
  unmatchedValue,
} from '../../shapes/credits';
import { itemChoiceField, itemChoiceOf, itemIdField } from '../../shapes/item-choice';
import { lineSubject } from '../../shapes/proposals';
import { creditIdField, unpaidListJson, unpaidListValue } from '../../shapes/unpaid-items';
import {
  dayParameter,
  dayValue,
  idValue,
  integerParameter,
  millimesParameter,
  outsideIdField,
  reasonField,
  textField,
  wordsParameter,
} from '../../shapes/values';
import { patternOfText } from '../../statements';
import { listRoute } from '../operation/list-route';
import type { ApiProblemCode } from '../operation/problem';
import { ok, type Route, route } from '../operation/route';

const tag = 'Reconciliation';
const ofCredit = { lineId: idValue.meta({ description: 'The id of the bank line.' }) };
/** 10,000 ids of items. */
const ITEMS_BYTES_MAX = 4 * 1024 * 1024;

const CREDIT_PROBLEMS: readonly ApiProblemCode[] = ['not_found', 'line_no_payout'];
const MATCH_PROBLEMS: readonly ApiProblemCode[] = [
  ...CREDIT_PROBLEMS,
  'ambiguous_id',
  'line_matched',
  'line_written_off',
  'item_matched',
];

/** The operations on single credits of the bank. */
export const CREDIT_ROUTES: readonly Route[] = [
  listRoute({
    path: '/credits',
    operationId: 'listCredits',
    summary: 'List the credits that may be payouts, newest first',
    tag,
    scope: 'reconciliation:read',
    filter: {
      outcome: wordsParameter(creditOutcomeValue.options).optional(),
      account: outsideIdField.optional(),
      from: dayParameter.optional(),
      to: dayParameter.optional().meta({ description: 'The last day, which counts.' }),
      minAmountMillimes: millimesParameter.optional(),
    },
    row: listedCreditValue,
    key: z.tuple([z.iso.date(), idValue]),
    page: ({ reporting }, { filter: { outcome, account, from, to, minAmountMillimes }, after, limit }) =>
      reporting.credits({
        ...{ outcomes: outcome, account, from, to, after, limit },
        minAmount: minAmountMillimes === undefined ? undefined : millimes(minAmountMillimes),
      }),
    toJson: listedCreditJson,
  }),
  route({
    method: 'get',
    path: '/unpaid-items',
    operationId: 'listUnpaidItems',
    summary: 'List unpaid items with running sums, in the order of payouts',
    description:
      'The sums are those of the list from its beginning, compared with a credit if you name one. The list is computed as ' +
      'a whole for each page.',
    tag,
    scope: 'reconciliation:read',
    query: {
      channel: wordsParameter(CHANNELS).optional(),
      agentId: agentIdField.optional(),
      creditId: creditIdField.optional(),
      after: itemIdField.optional().meta({ description: 'The last item of the page before.' }),
      limit: integerParameter(1, 1_000).optional(),
    },
    isLong: true,
    answers: { 200: unpaidListValue },
    problems: ['not_found', 'line_no_payout'],
    async handle({ reconciliation }, { query: { channel, agentId, creditId, after, limit = 100 } }) {
      const selection = { channels: channel, agentId };
      return ok(unpaidListJson(await reconciliation.unpaidList({ selection, creditId, after, limit })));
    },
  }),
  route({
    method: 'post',
    path: '/credits/payout-marks',
    operationId: 'markPayouts',
    summary: 'Mark stored credits as payouts, or as no payouts',
    description: 'It concerns the credits of a statement, or of an account and days, that contain a text.',
    tag,
    scope: 'statements:accept',
    body: z.strictObject({
      choice: z.union([
        z.strictObject({ statementId: idValue }),
        z.strictObject({ account: outsideIdField, from: dayParameter.optional(), through: dayParameter.optional() }),
      ]),
      text: textField(200).meta({
        description: 'A part of the text or the counterparty of the credits, in either case.',
        example: 'PAYMENT SERVICE SA',
      }),
      isPayout: z.boolean(),
      reason: reasonField,
    }),
    effect: 'repeatable',
    dryRun: true,
    answers: { 200: markedPayoutsValue },
    problems: ['not_found', 'line_matched', 'line_written_off'],
    async handle({ reconciliation }, { body: { choice, text, isPayout, reason }, actor, dryRun }) {
      const command = { choice, payoutPattern: patternOfText(text), isPayout, reason, actor, dryRun };
      return ok(markedPayoutsJson(await reconciliation.markPayouts(command), { isPayout, dryRun }));
    },
  }),
  route({
    method: 'get',
    path: '/credits/{lineId}',
    operationId: 'showCredit',
    summary: 'Show a credit with its match, or with the answer of the last run',
    description: 'If the last run stored no answer that still holds, it is computed as a run would.',
    tag,
    scope: 'reconciliation:read',
    params: ofCredit,
    answers: { 200: shownCreditValue },
    problems: CREDIT_PROBLEMS,
    async handle({ reconciliation, breakWorkflow }, { params: { lineId } }) {
      const credit = await reconciliation.explain(lineId, { answer: 'last_run' });
      const waiting = await breakWorkflow.waitingAbout({ subject: lineSubject(lineId), breakId: credit.breakId });
      return ok({ ...explainedCreditJson(credit), proposalIds: waiting.map(({ id }) => id) });
    },
  }),
  route({
    method: 'get',
    path: '/credits/{lineId}/candidates',
    operationId: 'listCandidates',
    summary: 'Compute the best explanations of a credit now',
    tag,
    scope: 'reconciliation:read',
    params: ofCredit,
    isLong: true,
    answers: {
      200: z.strictObject({
        lineId: idValue,
        through: dayValue,
        state: creditStateValue,
        data: z.array(candidateValue).meta({ description: 'The likeliest first; empty for a matched credit.' }),
      }),
    },
    problems: CREDIT_PROBLEMS,
    async handle({ reconciliation }, { params: { lineId } }) {
      const { through, state, answer } = await reconciliation.explain(lineId);
      return ok({ lineId, through, state, data: (answer?.candidates ?? []).map(candidateJson) });
    },
  }),
  route({
    method: 'post',
    path: '/credits/{lineId}/selection',
    operationId: 'tryMatch',
    summary: 'Compare the sums of chosen items with a credit',
    tag,
    scope: 'reconciliation:read',
    params: ofCredit,
    body: itemChoiceField,
    bodyBytesMax: ITEMS_BYTES_MAX,
    effect: 'reads',
    answers: { 200: triedMatchValue },
    problems: MATCH_PROBLEMS,
    async handle({ reconciliation }, { params: { lineId }, body }) {
      return ok(triedMatchJson(await reconciliation.tryMatch(lineId, itemChoiceOf(body))));
    },
  }),
  route({
    method: 'post',
    path: '/credits/{lineId}/match',
    operationId: 'matchCredit',
    summary: 'Match a credit to items whose sum agrees with it',
    description: 'For a sum that differs, propose the action `force_match`.',
    tag,
    scope: 'reconciliation:decide',
    params: ofCredit,
    body: z.strictObject({ items: itemChoiceField, reason: reasonField }),
    bodyBytesMax: ITEMS_BYTES_MAX,
    effect: 'once',
    dryRun: true,
    answers: { 200: personMatchValue },
    problems: [...MATCH_PROBLEMS, 'amounts_do_not_fit'],
    async handle({ reconciliation }, { params: { lineId }, body: { items, reason }, actor, dryRun }) {
      const done = await reconciliation.match({ lineId, items: itemChoiceOf(items), reason, actor, dryRun });
      return ok({ ...done, itemIds: [...done.itemIds] });
    },
  }),
  route({
    method: 'post',
    path: '/credits/{lineId}/unmatch',
    operationId: 'unmatchCredit',
    summary: 'Undo the match of a credit and route it to manual review',
    tag,
    scope: 'reconciliation:decide',
    params: ofCredit,
    body: z.strictObject({ reason: reasonField }),
    effect: 'once',
    dryRun: true,
    answers: { 200: unmatchedValue },
    problems: ['not_found', 'remainder_written_off'],
    async handle({ reconciliation }, { params: { lineId }, body: { reason }, actor, dryRun }) {
      const done = await reconciliation.unmatch({ lineId, reason, actor, dryRun });
      return ok({ ...done, itemIds: [...done.itemIds] });
    },
  }),
];
