import { z } from 'zod';
import { millimes } from '../../kernel';
import { CHANNELS } from '../../payout-inference';
import { WAITING_STATES } from '../../reconciliation';
import { agentIdField } from '../../shapes/agents';
import { candidateJson, candidateValue } from '../../shapes/credit-candidates';
import {
  markedPayoutsJson,
  markedPayoutsValue,
  personMatchValue,
  triedMatchJson,
  triedMatchValue,
  unmatchedValue,
} from '../../shapes/credit-decisions';
import { creditOutcomeValue, listedCreditJson, listedCreditValue } from '../../shapes/credit-list';
import {
  creditHistoryJson,
  creditItemJson,
  creditItemValue,
  creditStateValue,
  explainedCreditJson,
  shownCreditValue,
} from '../../shapes/credits';
import { itemChoiceField, itemChoiceOf, itemIdField } from '../../shapes/item-choice';
import { lineSubject } from '../../shapes/proposals';
import {
  creditIdField,
  unpaidItemJson,
  unpaidItemValue,
  unpaidSumsJson,
  unpaidSumsValue,
  waitingAsOfJson,
  waitingAsOfValue,
} from '../../shapes/unpaid-items';
import {
  dayParameter,
  dayValue,
  idValue,
  millimesParameter,
  outsideIdField,
  reasonField,
  textField,
  wordsParameter,
} from '../../shapes/values';
import { patternOfText } from '../../statements';
import { listRoute } from '../operation/list-route';
import type { ApiProblemCode } from '../operation/problem';
import { ok, route } from '../operation/route';

const tag = 'Reconciliation';
const ofCredit = { lineId: idValue.meta({ description: 'The id of the bank line.' }) };
const SUM = /^-?\d{1,30}$/;
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
export const CREDIT_ROUTES = [
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
  listRoute({
    path: '/unpaid-items',
    operationId: 'listUnpaidItems',
    summary: 'List unpaid items with running sums, in the order of payouts',
    description:
      'The items as the last run found them (`asOf`), without those that a match holds since then. The sums are those ' +
      'of the list from its beginning. A page examines at most 2,000 items, so it may be short.',
    tag,
    scope: 'reconciliation:read',
    filter: {
      channel: wordsParameter(CHANNELS).optional(),
      agentId: agentIdField.optional(),
      state: z.enum(WAITING_STATES).optional(),
      dueBy: dayParameter.optional().meta({ description: 'Only items that the bank should book by this day.' }),
    },
    row: unpaidItemValue,
    asOf: waitingAsOfValue,
    key: z.tuple([z.int(), itemIdField, z.string().regex(SUM), z.string().regex(SUM)]).readonly(),
    async page({ reconciliation }, { filter: { channel, ...filter }, after, limit }) {
      const page = await reconciliation.waiting({ channels: channel, ...filter, after, limit });
      return { ...page, asOf: waitingAsOfJson(page) };
    },
    toJson: unpaidItemJson,
  }),
  route({
    method: 'get',
    path: '/unpaid-items/sums',
    operationId: 'sumUnpaidItems',
    summary: 'Add up the unpaid items, and compare the sums with a credit',
    description: 'All unpaid items at this moment, also those that came after the last run.',
    tag,
    scope: 'reconciliation:read',
    query: {
      channel: wordsParameter(CHANNELS).optional(),
      agentId: agentIdField.optional(),
      creditId: creditIdField.optional(),
    },
    isLong: true,
    answers: { 200: unpaidSumsValue },
    problems: ['not_found', 'line_no_payout'],
    async handle({ reconciliation }, { query: { channel, agentId, creditId } }) {
      const selection = { channels: channel, agentId };
      return ok(unpaidSumsJson(await reconciliation.unpaidList({ selection, creditId, limit: 1 })));
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
    description:
      'The answer is that of the last run. If the last run stored none that still holds, it is null, and ' +
      '`GET /credits/{lineId}/candidates` computes the explanations.',
    tag,
    scope: 'reconciliation:read',
    params: ofCredit,
    answers: { 200: shownCreditValue },
    problems: CREDIT_PROBLEMS,
    async handle({ reconciliation, breakWorkflow }, { params: { lineId } }) {
      const credit = await reconciliation.explain(lineId, { answer: 'stored' });
      const waiting = await breakWorkflow.waitingAbout({ subject: lineSubject(lineId), breakId: credit.breakId });
      const history = creditHistoryJson(await reconciliation.creditHistory(lineId));
      return ok({ ...explainedCreditJson(credit), proposalIds: waiting.map(({ id }) => id), ...history });
    },
  }),
  listRoute({
    path: '/credits/{lineId}/items',
    operationId: 'listCreditItems',
    summary: 'List the items of the match that holds a credit',
    description: 'By id; empty for a credit without a match.',
    tag,
    scope: 'reconciliation:read',
    params: ofCredit,
    row: creditItemValue,
    key: z.tuple([itemIdField]).readonly(),
    problems: ['not_found'],
    page: ({ reporting }, { params: { lineId }, after, limit }) => reporting.creditItems(lineId, { after, limit }),
    toJson: creditItemJson,
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
    isLong: true,
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
    isLong: true,
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
