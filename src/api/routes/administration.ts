import { z } from 'zod';
import { personId, SCOPES } from '../../identity';
import { gatewayBudgetJson, gatewayBudgetValue } from '../../shapes/gateway-budget';
import {
  auditRecord,
  auditRecordWithRequestJson,
  freshKey,
  freshKeyJson,
  keyJson,
  listedKey,
} from '../../shapes/identity';
import { diagnosis, jobState, jobStateJson } from '../../shapes/operations';
import {
  freshToken,
  freshTokenJson,
  keyAlgorithm,
  listedToken,
  listedTokenJson,
  rotation,
  rotationJson,
} from '../../shapes/service-tokens';
import { idValue, instantParameter, outsideIdField, reasonField, textField } from '../../shapes/values';
import { byInstant, listRoute } from '../operation/list-route';
import { created, ok, route } from '../operation/route';

const tag = 'Administration';
const DAY_SECONDS = 86_400;
const KEY_DAYS_MAX = 3_650;
const TOKEN_DAYS_MAX = 400;

const lifetime = (daysMax: number) =>
  z
    .int()
    .min(1)
    .max(daysMax * DAY_SECONDS);

const KEY_ROUTES = [
  route({
    method: 'get',
    path: '/me',
    operationId: 'showOwnKey',
    summary: 'Show the key of this request: its name, scopes and expiry',
    tag,
    scope: undefined,
    answers: { 200: listedKey },
    problems: ['not_found'],
    handle: async ({ identity }, { actor }) => ok(keyJson(await identity.findKey(personId(actor)))),
  }),
  listRoute({
    path: '/keys',
    operationId: 'listKeys',
    summary: 'List keys, newest first',
    tag,
    scope: 'keys:manage',
    row: listedKey,
    key: byInstant,
    page: ({ identity }, { after, limit }) => identity.listKeys({ after, limit }),
    toJson: keyJson,
  }),
  route({
    method: 'post',
    path: '/keys',
    operationId: 'createKey',
    summary: 'Create a key and show it once',
    description: 'A key can grant only scopes that it has.',
    tag,
    scope: 'keys:manage',
    body: z.strictObject({
      name: z.string().min(1).max(63).meta({ description: 'The person or the program that uses the key.' }),
      scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length),
      ttlSeconds: lifetime(KEY_DAYS_MAX).optional().meta({ description: 'Without it the key is valid until revoked.' }),
    }),
    effect: 'secret',
    dryRun: true,
    answers: { 201: freshKey },
    problems: ['scopes_exceeded', 'name_of_user'],
    async handle({ identity }, { body, actor, dryRun }) {
      return created(freshKeyJson(await identity.createKey({ ...body, actor, dryRun })));
    },
  }),
  route({
    method: 'post',
    path: '/keys/{keyId}/revoke',
    operationId: 'revokeKey',
    summary: 'Revoke a key immediately',
    tag,
    scope: 'keys:manage',
    params: { keyId: idValue },
    body: z.strictObject({ reason: reasonField }),
    effect: 'repeatable',
    dryRun: true,
    answers: {
      200: z.strictObject({ id: idValue, outcome: z.enum(['revoked', 'already_revoked']), dryRun: z.boolean() }),
    },
    problems: ['not_found'],
    async handle({ identity }, { params: { keyId }, body: { reason }, actor, dryRun }) {
      return ok({ id: keyId, outcome: await identity.revokeKey({ keyId, reason, actor, dryRun }), dryRun });
    },
  }),
  listRoute({
    path: '/audit-records',
    operationId: 'listAuditRecords',
    summary: 'List audit records, newest first',
    tag,
    scope: 'audit:read',
    filter: {
      subject: textField(320).optional().meta({ description: 'A kind and an id.', example: 'agent:004711' }),
      actor: textField(70).optional().meta({ description: 'The name of the actor.', example: 'salma' }),
      action: textField(64).optional().meta({ example: 'agent.closed' }),
      keyId: idValue.optional(),
      since: instantParameter.optional(),
      until: instantParameter.optional(),
    },
    row: auditRecord,
    key: byInstant,
    page: ({ identity }, { filter: { actor, ...filter }, after, limit }) =>
      identity.auditRecords({ ...filter, actorName: actor, after, limit }),
    toJson: auditRecordWithRequestJson,
  }),
];

const TOKEN_ROUTES = [
  listRoute({
    path: '/service-tokens',
    operationId: 'listServiceTokens',
    summary: 'List the tokens of the gateway, newest first',
    tag,
    scope: 'tokens:manage',
    row: listedToken,
    key: z.tuple([z.string(), z.int(), z.string()]),
    page: ({ serviceTokens }, { after, limit }) => serviceTokens.list({ after, limit }),
    toJson: listedTokenJson,
  }),
  route({
    method: 'post',
    path: '/service-tokens',
    operationId: 'mintServiceToken',
    summary: 'Mint a token for the gateway and show it once',
    tag,
    scope: 'tokens:manage',
    body: z.strictObject({
      subject: outsideIdField.default('gateway'),
      ttlSeconds: lifetime(TOKEN_DAYS_MAX).meta({ description: 'At most 400 days.' }),
      alg: keyAlgorithm.optional().meta({ description: 'The algorithm of an active key (default: of the first one).' }),
    }),
    effect: 'secret',
    dryRun: true,
    answers: { 201: freshToken },
    problems: ['signing_off'],
    async handle({ serviceTokens }, { body, actor, dryRun }) {
      const command = { ...body, actor };
      const made = dryRun ? await serviceTokens.planMint(command) : await serviceTokens.mint(command);
      return created(freshTokenJson(made));
    },
  }),
  route({
    method: 'post',
    path: '/service-tokens/{jti}/revoke',
    operationId: 'revokeServiceToken',
    summary: 'Revoke a token in every process within a second',
    description: 'A token that Millime did not mint is revoked too: `known` is false then.',
    tag,
    scope: 'tokens:manage',
    params: { jti: outsideIdField },
    effect: 'repeatable',
    dryRun: true,
    answers: {
      200: z.strictObject({
        jti: z.string(),
        outcome: z.enum(['revoked', 'already_revoked']),
        known: z.boolean(),
        dryRun: z.boolean(),
      }),
    },
    async handle({ serviceTokens }, { params: { jti }, actor, dryRun }) {
      const { kind, known } = await serviceTokens.revoke(jti, actor, { dryRun });
      return ok({ jti, outcome: kind, known, dryRun });
    },
  }),
  route({
    method: 'post',
    path: '/service-token-keys/rotate',
    operationId: 'rotateServiceTokenKeys',
    summary: 'Create a signing key; earlier tokens stay valid until expiry',
    description:
      'The key file belongs to one machine. With several machines, copy it to all of them before you mint a token.',
    tag,
    scope: 'tokens:manage',
    body: z.strictObject({
      alg: keyAlgorithm.default('HS256'),
      retire: z.boolean().default(false).meta({ description: 'Removes old keys without a valid token.' }),
    }),
    effect: 'once',
    dryRun: true,
    answers: { 200: rotation },
    problems: ['file_locked', 'file_changed'],
    async handle({ serviceTokens }, { body, actor, dryRun }) {
      return ok(rotationJson(await serviceTokens.rotate({ ...body, actor, dryRun }), dryRun));
    },
  }),
];

const OPERATION_ROUTES = [
  route({
    method: 'get',
    path: '/jobs',
    operationId: 'listJobs',
    summary: 'List the jobs, how far each is and what failed last',
    tag,
    scope: 'jobs:read',
    answers: { 200: z.strictObject({ jobs: z.array(jobState) }) },
    handle: async ({ jobStates }) => ok({ jobs: (await jobStates()).map(jobStateJson) }),
  }),
  route({
    method: 'get',
    path: '/doctor',
    operationId: 'diagnose',
    summary: 'Check this installation and list problems',
    description: 'It checks the process that answers. It reports problems with the status 200.',
    tag,
    scope: 'jobs:read',
    answers: { 200: diagnosis },
    handle: async ({ diagnose }) => ok(await diagnose()),
  }),
  route({
    method: 'get',
    path: '/gateway-budget',
    operationId: 'showGatewayBudget',
    summary: 'Show how many calls to the gateway are left',
    description:
      'All processes of the installation share the budget. Payment links have no limit in it, but their queue pauses ' +
      'while the gateway does not answer.',
    tag,
    scope: 'jobs:read',
    answers: { 200: gatewayBudgetValue },
    problems: ['gateway_off'],
    handle: async ({ gatewayBudget }) => ok(gatewayBudgetJson(await gatewayBudget())),
  }),
];

/** The operations on keys, tokens, the audit trail, jobs and the installation. */
export const ADMINISTRATION_ROUTES = [...KEY_ROUTES, ...TOKEN_ROUTES, ...OPERATION_ROUTES];
