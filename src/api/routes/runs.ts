import { z } from 'zod';
import {
  feeRulesField,
  feeRulesOf,
  feeScheduleJson,
  feeScheduleValue,
  replayJson,
  replayValue,
  runJson,
  runResultJson,
  runResultValue,
  runValue,
  shownRunJson,
  shownRunValue,
} from '../../shapes/runs';
import { dayParameter, idValue, reasonField } from '../../shapes/values';
import { listRoute } from '../operation/list-route';
import { ok, route } from '../operation/route';

const tag = 'Reconciliation';
const ofRun = { runId: idValue };
/** A thousand fee rules. */
const RULES_BYTES_MAX = 1024 * 1024;

/** The operations on runs and fee schedules. */
export const RUN_ROUTES = [
  listRoute({
    path: '/runs',
    operationId: 'listRuns',
    summary: 'List the recorded runs, newest first',
    description: 'A run with the same result as the one before is not recorded.',
    tag,
    scope: 'reconciliation:read',
    row: runValue,
    key: z.tuple([z.string()]).readonly(),
    page: ({ reconciliation }, { after, limit }) => reconciliation.runs({ after, limit }),
    toJson: runJson,
  }),
  route({
    method: 'get',
    path: '/runs/{runId}',
    operationId: 'showRun',
    summary: 'Show a recorded run with its sums',
    tag,
    scope: 'reconciliation:read',
    params: ofRun,
    answers: { 200: shownRunValue },
    problems: ['not_found'],
    async handle({ reconciliation }, { params: { runId } }) {
      return ok(shownRunJson(await reconciliation.findRun(runId)));
    },
  }),
  route({
    method: 'post',
    path: '/runs',
    operationId: 'runReconciliation',
    summary: 'Match credits to items and find breaks, through a day',
    description: 'A repeat changes nothing. The parts of the result are in snake case, as in `result.json`.',
    tag,
    scope: 'reconciliation:run',
    body: z.strictObject({
      through: dayParameter.optional().meta({ description: 'The last day; yesterday if absent.' }),
    }),
    effect: 'repeatable',
    dryRun: true,
    isLong: true,
    answers: { 200: runResultValue },
    async handle({ reconciliation }, { body: { through }, actor, dryRun }) {
      const outcome = await reconciliation.runAndCompare({ through, actor, dryRun });
      return ok(runResultJson(outcome, { dryRun }));
    },
  }),
  route({
    method: 'post',
    path: '/runs/{runId}/replay',
    operationId: 'replayRun',
    summary: 'Repeat a recorded run on its inputs and compare the answers',
    tag,
    scope: 'reconciliation:read',
    params: ofRun,
    effect: 'reads',
    isLong: true,
    answers: { 200: replayValue },
    problems: ['not_found'],
    async handle({ reconciliation }, { params: { runId } }) {
      return ok(replayJson(await reconciliation.replay(runId)));
    },
  }),
  listRoute({
    path: '/fee-schedules',
    operationId: 'listFeeSchedules',
    summary: 'List the fee schedules, newest first; the first one is in force',
    tag,
    scope: 'reconciliation:read',
    row: feeScheduleValue,
    key: z.tuple([z.string()]).readonly(),
    page: ({ reconciliation }, { after, limit }) => reconciliation.feeSchedules({ after, limit }),
    toJson: feeScheduleJson,
  }),
  route({
    method: 'post',
    path: '/fee-schedules',
    operationId: 'setFees',
    summary: "Set the gateway's fees from now on",
    description:
      'Runs then learn no other fees, and existing matches keep theirs. The rules have the form of `fees.json`.',
    tag,
    scope: 'reconciliation:decide',
    body: z.strictObject({ rules: feeRulesField, reason: reasonField }),
    bodyBytesMax: RULES_BYTES_MAX,
    effect: 'once',
    dryRun: true,
    answers: { 200: feeScheduleValue },
    problems: ['fees_in_force'],
    async handle({ reconciliation }, { body: { rules, reason }, actor, dryRun }) {
      return ok(feeScheduleJson(await reconciliation.giveFees({ rules: feeRulesOf(rules), reason, actor, dryRun })));
    },
  }),
  route({
    method: 'post',
    path: '/fee-schedules/current/confirm',
    operationId: 'confirmFees',
    summary: 'Confirm the latest fee schedule; runs stop learning fees',
    tag,
    scope: 'reconciliation:decide',
    body: z.strictObject({ reason: reasonField }),
    effect: 'once',
    dryRun: true,
    answers: { 200: feeScheduleValue },
    problems: ['no_fee_schedule', 'fees_confirmed'],
    async handle({ reconciliation }, { body: { reason }, actor, dryRun }) {
      return ok(feeScheduleJson(await reconciliation.confirmFees({ reason, actor, dryRun })));
    },
  }),
];
