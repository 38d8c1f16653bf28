import { z } from 'zod';
import {
  BREAK_CLASSES,
  BREAK_STATUSES,
  type BreakWorkflow,
  forEachBreak,
  type ItemResult,
  SEVERITIES,
} from '../../breaks';
import type { Actor } from '../../identity';
import {
  breakEventJson,
  breakEventValue,
  breakFilterOf,
  breakJson,
  breakRowsJson,
  breakRowsValue,
  breakValue,
  writeOffPlaceJson,
  writeOffPlaceValue,
} from '../../shapes/breaks';
import { proposalJson, proposalValue } from '../../shapes/proposals';
import {
  dayParameter,
  flagParameter,
  idValue,
  millimesParameter,
  reasonField,
  textField,
  wordsParameter,
} from '../../shapes/values';
import { listRoute } from '../operation/list-route';
import { type ApiProblemCode, faultBody } from '../operation/problem';
import { ok, route } from '../operation/route';

const tag = 'Breaks';
const ofBreak = { breakId: idValue };
const BREAKS_AT_ONCE_MAX = 500;

const shownBreak = breakValue
  .extend({
    proposals: z.array(proposalValue).meta({ description: 'Oldest first, decided or not.' }),
    history: z.array(breakEventValue),
  })
  .meta({ id: 'ShownBreak' });

const assigneeField = textField(63).meta({ description: 'The name of a person.', example: 'salma' });

const commentFields = {
  text: textField(2_000).optional(),
  evidence: z
    .strictObject({ fileName: textField(255), sha256: z.string().regex(/^[0-9a-f]{64}$/) })
    .optional()
    .meta({ description: 'A file that is stored elsewhere.' }),
};

const stepDone = z.strictObject({
  outcome: z.enum(['done', 'unchanged']),
  dryRun: z.boolean(),
  break: breakValue.meta({ description: 'The break after the step; in a dry run as it is.' }),
});

interface Step {
  readonly id: string;
  readonly actor: Actor;
  readonly dryRun: boolean;
  readonly ifVersion: number | undefined;
}

interface StepSpec<Body extends z.ZodType, Id extends string> {
  readonly name: string;
  readonly operationId: Id;
  readonly summary: string;
  readonly body: Body;
  readonly problems: readonly ApiProblemCode[];
  readonly take: (workflow: BreakWorkflow, step: Step, body: z.output<Body>) => Promise<'done' | 'unchanged'>;
}

/** Declares a step of one person on one break. */
function stepRoute<Body extends z.ZodType, Id extends string>({
  name,
  body,
  problems,
  take,
  ...shared
}: StepSpec<Body, Id>) {
  return route({
    ...shared,
    method: 'post',
    path: `/breaks/{breakId}/${name}`,
    tag,
    scope: 'breaks:work',
    params: ofBreak,
    body: body,
    effect: 'once',
    dryRun: true,
    version: 'required',
    answers: { 200: stepDone },
    problems: ['not_found', ...problems],
    async handle({ breakWorkflow }, { params: { breakId: id }, body: given, actor, dryRun, ifVersion }) {
      const outcome = await take(breakWorkflow, { id, actor, dryRun, ifVersion }, given as z.output<Body>);
      const { breakView } = await breakWorkflow.show(id);
      return ok({ outcome, dryRun, break: breakJson(breakView) }, { version: breakView.version });
    },
  });
}

const manyStep = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('assign'), assignee: assigneeField }),
  z.strictObject({ kind: z.literal('comment'), ...commentFields }),
  z.strictObject({ kind: z.literal('resolve'), reason: reasonField }),
  z.strictObject({ kind: z.literal('reopen'), reason: reasonField }),
]);

/** The problem of one break, in the form of every problem. */
const refusalOfBreak = z.looseObject({ code: z.string(), status: z.int(), detail: z.string() });

const manyResult = z.union([
  z.strictObject({ id: idValue, outcome: z.enum(['done', 'unchanged']) }),
  z.strictObject({
    id: idValue,
    outcome: z.literal('refused'),
    problem: refusalOfBreak,
  }),
]);

function takeStep(
  workflow: BreakWorkflow,
  step: Step,
  given: z.output<typeof manyStep>,
): Promise<'done' | 'unchanged'> {
  switch (given.kind) {
    case 'assign':
      return workflow.assign({ ...step, assignee: given.assignee });
    case 'comment':
      return workflow.comment({ ...step, text: given.text, evidence: given.evidence });
    default:
      return workflow[given.kind]({ ...step, reason: given.reason });
  }
}

function resultJson(result: ItemResult): z.input<typeof manyResult> {
  if (result.outcome !== 'refused') return result;
  const { id, outcome, error } = result;
  return { id, outcome, problem: faultBody(error) as z.input<typeof refusalOfBreak> };
}

/** The operations on single breaks. */
export const BREAK_ROUTES = [
  listRoute({
    path: '/breaks',
    operationId: 'listBreaks',
    summary: 'List breaks by the day since which they age',
    description: 'Without `status`: the breaks that are not resolved.',
    tag,
    scope: 'breaks:read',
    filter: {
      class: wordsParameter(BREAK_CLASSES).optional(),
      status: wordsParameter(BREAK_STATUSES).optional(),
      severity: wordsParameter(SEVERITIES).optional(),
      assignee: textField(63).optional(),
      unassigned: flagParameter.optional(),
      minAmountMillimes: millimesParameter.optional().meta({ description: 'The least size.' }),
      since: dayParameter.optional().meta({ description: 'Breaks since this day or a later one.' }),
      overdue: flagParameter.optional(),
      sort: z.enum(['since', '-since']).optional(),
    },
    row: breakValue,
    key: z.tuple([z.string(), z.string(), z.string()]).readonly(),
    page: ({ breakWorkflow }, { filter, after, limit }) =>
      breakWorkflow.list({ ...breakFilterOf(filter), sort: filter.sort ?? 'since', after, limit }),
    toJson: breakJson,
  }),
  route({
    method: 'post',
    path: '/breaks/bulk',
    operationId: 'stepOnBreaks',
    summary: 'Apply one step to many breaks, each with its own result',
    description: 'Each break states its version, so a repeat refuses what is already done.',
    tag,
    scope: 'breaks:work',
    body: z.strictObject({
      step: manyStep,
      breaks: z
        .array(z.strictObject({ id: idValue, version: z.int().min(0) }))
        .min(1)
        .max(BREAKS_AT_ONCE_MAX)
        .refine((breaks) => new Set(breaks.map(({ id }) => id)).size === breaks.length, {
          error: 'expected each break once',
        }),
    }),
    effect: 'repeatable',
    dryRun: true,
    answers: {
      200: z.strictObject({
        dryRun: z.boolean(),
        done: z.int().meta({ description: 'The breaks that were not refused.' }),
        refused: z.int(),
        results: z.array(manyResult),
      }),
    },
    async handle({ breakWorkflow }, { body: { step, breaks }, actor, dryRun }) {
      const versions = new Map(breaks.map(({ id, version }) => [id, version]));
      const results = await forEachBreak([...versions.keys()], (id) =>
        takeStep(breakWorkflow, { id, actor, dryRun, ifVersion: versions.get(id) }, step),
      );
      const refused = results.filter(({ outcome }) => outcome === 'refused').length;
      return ok({ dryRun, done: results.length - refused, refused, results: results.map(resultJson) });
    },
  }),
  route({
    method: 'get',
    path: '/breaks/{breakId}',
    operationId: 'showBreak',
    summary: 'Show a break with its facts, proposals and history',
    description: 'Its ETag is the version that steps on the break state in `If-Match`.',
    tag,
    scope: 'breaks:read',
    params: ofBreak,
    answers: { 200: shownBreak },
    problems: ['not_found'],
    async handle({ breakWorkflow }, { params: { breakId } }) {
      const { breakView, proposals, history } = await breakWorkflow.show(breakId);
      const more = { proposals: proposals.map(proposalJson), history: history.map(breakEventJson) };
      return ok({ ...breakJson(breakView), ...more }, { version: breakView.version });
    },
  }),
  route({
    method: 'get',
    path: '/breaks/{breakId}/rows',
    operationId: 'listBreakRows',
    summary: 'List the bank lines and the items that a break compares',
    tag,
    scope: 'breaks:read',
    params: ofBreak,
    answers: { 200: breakRowsValue },
    problems: ['not_found'],
    async handle({ breakWorkflow, reporting }, { params: { breakId } }) {
      const { subject } = (await breakWorkflow.show(breakId)).breakView;
      return ok(breakRowsJson(subject, await reporting.breakRows(subject)));
    },
  }),
  route({
    method: 'get',
    path: '/breaks/{breakId}/write-off-places',
    operationId: 'listWriteOffPlaces',
    summary: 'List the accounts in which a break may be written off',
    tag,
    scope: 'breaks:read',
    params: ofBreak,
    answers: { 200: z.strictObject({ data: z.array(writeOffPlaceValue) }) },
    problems: ['not_found', 'paid_since', 'write_offs_exhausted'],
    async handle({ breakWorkflow }, { params: { breakId } }) {
      return ok({ data: (await breakWorkflow.writeOffPlaces(breakId)).map(writeOffPlaceJson) });
    },
  }),
  stepRoute({
    name: 'assign',
    operationId: 'assignBreak',
    summary: 'Assign a break to a person',
    body: z.strictObject({ assignee: assigneeField }),
    problems: ['break_resolved'],
    take: (workflow, step, { assignee }) => workflow.assign({ ...step, assignee }),
  }),
  stepRoute({
    name: 'comment',
    operationId: 'commentBreak',
    summary: 'Add a comment or evidence to a break',
    body: z.strictObject(commentFields),
    problems: [],
    take: (workflow, step, { text, evidence }) => workflow.comment({ ...step, text, evidence }),
  }),
  stepRoute({
    name: 'resolve',
    operationId: 'resolveBreak',
    summary: 'Resolve a break; a run that finds it again reopens it',
    body: z.strictObject({ reason: reasonField }),
    problems: ['break_resolved', 'proposal_waits'],
    take: (workflow, step, { reason }) => workflow.resolve({ ...step, reason }),
  }),
  stepRoute({
    name: 'reopen',
    operationId: 'reopenBreak',
    summary: 'Reopen a resolved break that one person closed',
    body: z.strictObject({ reason: reasonField }),
    problems: ['break_not_resolved', 'closed_by_two', 'proposal_waits'],
    take: (workflow, step, { reason }) => workflow.reopen({ ...step, reason }),
  }),
];
