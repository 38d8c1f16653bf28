import { z } from 'zod';
import type { Users } from '../../identity';
import { LANGUAGES, ROLES } from '../../identity';
import {
  listedUser,
  newUser,
  newUserJson,
  resetCode,
  resetCodeJson,
  userJson,
  userSession,
  userSessionJson,
} from '../../shapes/users';
import { outsideIdField, reasonField, textField } from '../../shapes/values';
import { listRoute } from '../operation/list-route';
import type { ApiProblemCode } from '../operation/problem';
import { created, ok, route } from '../operation/route';

const scope = 'users:manage';
const tag = 'Administration';
const params = { userName: outsideIdField };
const rolesField = z.array(z.enum(ROLES)).min(1).max(ROLES.length);
const deciding = z.strictObject({ reason: reasonField });
const problems: readonly ApiProblemCode[] = ['not_found', 'own_user'];

const outcomeOf = <const Outcome extends string>(outcomes: readonly [Outcome, ...Outcome[]]) =>
  z.strictObject({ name: z.string(), outcome: z.enum(outcomes), dryRun: z.boolean() });

const READING = [
  listRoute({
    path: '/users',
    operationId: 'listUsers',
    summary: 'List users, by name',
    tag,
    scope,
    row: listedUser,
    key: z.tuple([z.string()]),
    page: ({ identity }, { after, limit }) => identity.users.list({ after, limit }),
    toJson: userJson,
  }),
  route({
    method: 'get',
    path: '/users/{userName}',
    operationId: 'showUser',
    summary: 'Show a user',
    tag,
    scope,
    params,
    answers: { 200: listedUser },
    problems: ['not_found'],
    handle: async ({ identity }, { params: { userName } }) => ok(userJson(await identity.users.find(userName))),
  }),
  route({
    method: 'get',
    path: '/users/{userName}/sessions',
    operationId: 'listUserSessions',
    summary: 'List the sessions of a user that have not ended',
    tag,
    scope,
    params,
    answers: { 200: z.strictObject({ sessions: z.array(userSession) }) },
    problems: ['not_found'],
    async handle({ identity }, { params: { userName } }) {
      return ok({ sessions: (await identity.sessions.list(userName)).map(userSessionJson) });
    },
  }),
];

const CREATING = [
  route({
    method: 'post',
    path: '/users',
    operationId: 'createUser',
    summary: 'Create a user and show a one-time code for the password',
    description:
      'The user sets their password with the code within 24 hours. A user and the keys of their name are one person: only ' +
      'the operator on the command line can create a user whose name is that of a key.',
    tag,
    scope,
    body: z.strictObject({
      name: z.string().min(1).max(63).meta({ example: 'salma' }),
      fullName: textField(200).meta({ example: 'Salma Ben Ali' }),
      roles: rolesField,
      language: z.enum(LANGUAGES).optional().meta({ description: 'Without it, the language of the browser.' }),
    }),
    effect: 'secret',
    dryRun: true,
    answers: { 201: newUser },
    problems: ['user_exists', 'name_of_key'],
    async handle({ identity }, { body, actor, dryRun }) {
      const made = await identity.users.create({ ...body, actor, dryRun });
      return created(newUserJson(made), `/users/${made.user.name}`);
    },
  }),
  route({
    method: 'post',
    path: '/users/{userName}/reset-password',
    operationId: 'resetUserPassword',
    summary: 'Remove the password of a user and show a one-time code',
    tag,
    scope,
    params,
    body: deciding,
    effect: 'secret',
    dryRun: true,
    answers: { 200: resetCode },
    problems,
    async handle({ identity }, { params: { userName: name }, body: { reason }, actor, dryRun }) {
      return ok(resetCodeJson(name, await identity.users.resetPassword({ name, reason, actor, dryRun })));
    },
  }),
];

/** Declares a decision about a user that only needs its reason. */
function decision<const Outcome extends string, Id extends string>(spec: {
  readonly step: string;
  readonly operationId: Id;
  readonly summary: string;
  readonly outcomes: readonly [Outcome, ...Outcome[]];
  readonly decide: (users: Users) => (command: Parameters<Users['disable']>[0]) => Promise<Outcome>;
}) {
  const { step, operationId, summary, outcomes, decide } = spec;
  return route({
    method: 'post',
    path: `/users/{userName}/${step}`,
    operationId,
    summary,
    tag,
    scope,
    params,
    body: deciding,
    effect: 'repeatable',
    dryRun: true,
    answers: { 200: outcomeOf(outcomes) },
    problems,
    async handle({ identity }, { params: { userName: name }, body: { reason }, actor, dryRun }) {
      return ok({ name, outcome: await decide(identity.users)({ name, reason, actor, dryRun }), dryRun });
    },
  });
}

const DECIDING = [
  route({
    method: 'post',
    path: '/users/{userName}/roles',
    operationId: 'setUserRoles',
    summary: 'Replace the roles of a user and end their sessions',
    tag,
    scope,
    params,
    body: z.strictObject({ roles: rolesField, reason: reasonField }),
    effect: 'repeatable',
    dryRun: true,
    answers: { 200: outcomeOf(['changed', 'unchanged']) },
    problems,
    async handle({ identity }, { params: { userName: name }, body, actor, dryRun }) {
      return ok({ name, outcome: await identity.users.setRoles({ name, ...body, actor, dryRun }), dryRun });
    },
  }),
  decision({
    step: 'disable',
    operationId: 'disableUser',
    summary: 'Refuse every sign-in and key of a user',
    outcomes: ['disabled', 'already_disabled'],
    decide: (users) => users.disable,
  }),
  decision({
    step: 'enable',
    operationId: 'enableUser',
    summary: 'Let a disabled user sign in',
    outcomes: ['enabled', 'already_enabled'],
    decide: (users) => users.enable,
  }),
  decision({
    step: 'reset-second-factor',
    operationId: 'resetUserSecondFactor',
    summary: 'Remove the second factor of a user',
    outcomes: ['reset', 'none'],
    decide: (users) => users.resetSecondFactor,
  }),
  route({
    method: 'post',
    path: '/users/{userName}/end-sessions',
    operationId: 'endUserSessions',
    summary: 'End all sessions of a user',
    tag,
    scope,
    params,
    body: deciding,
    effect: 'repeatable',
    dryRun: true,
    answers: { 200: z.strictObject({ name: z.string(), ended: z.int().min(0), dryRun: z.boolean() }) },
    problems: ['not_found'],
    async handle({ identity }, { params: { userName: name }, body: { reason }, actor, dryRun }) {
      return ok({ name, ended: await identity.sessions.endAll({ name, reason, actor, dryRun }), dryRun });
    },
  }),
];

/** The operations on local users. */
export const USER_ROUTES = [...READING, ...CREATING, ...DECIDING];
