import { z } from 'zod';
import { type Actor, isPerson } from '../../identity';
import { businessDate, millimes } from '../../kernel';
import {
  agentIdField,
  agentMovement,
  agentMovementJson,
  dueJson,
  dueOfAgent,
  listedAgent,
  listedAgentJson,
  newAgentIdField,
  shownAgent,
  shownAgentJson,
  withMaskedPhone,
} from '../../shapes/agents';
import { flagParameter, outsideIdField, reasonField, textField, totalJson, totalValue } from '../../shapes/values';
import { listRoute } from '../operation/list-route';
import { created, ok, route } from '../operation/route';
import { AGENT_PAYMENTS_ROUTE } from './agent-payments';

const tag = 'Agents and dues';
const params = { agentId: agentIdField };
const FOUND_MAX = 10;
const FILE_BYTES_MAX = 32 * 1024 * 1024;

/** A person who may find an agent but not read the directory sees the end of a phone number. */
function visibleTo<Json extends { readonly phone: string }>(actor: Actor, agent: Json): Json {
  return isPerson(actor) && actor.scopes.has('agents:read') ? agent : withMaskedPhone(agent);
}

const READING = [
  route({
    method: 'post',
    path: '/agent-searches',
    operationId: 'searchAgents',
    summary: 'Find agents by id, phone or words of the name',
    description:
      'Finds an exact id, the beginning of a phone number (at least 4 digits) or of words of the name (at least 2 letters, ' +
      'in any order, without accents and forms of Arabic letters). A search is a POST, because names and phones do not ' +
      'belong in addresses and logs.',
    tag,
    scope: 'agents:lookup',
    body: z.strictObject({ q: textField(200).meta({ example: 'salma ben' }) }),
    effect: 'reads',
    answers: {
      200: z.strictObject({
        agents: z.array(listedAgent).meta({ description: `At most ${FOUND_MAX}.` }),
        hasMore: z.boolean(),
        tooMany: z.boolean().meta({ description: 'True if too many agents fit; add a word.' }),
      }),
    },
    async handle({ dues }, { body, actor }) {
      const { agents, hasMore, tooMany } = await dues.search(body.q, FOUND_MAX);
      return ok({ agents: agents.map((agent) => visibleTo(actor, listedAgentJson(agent))), hasMore, tooMany });
    },
  }),
  listRoute({
    path: '/agents',
    operationId: 'listAgents',
    summary: 'List agents with what they owe, by id',
    tag,
    scope: 'agents:read',
    filter: {
      status: z.enum(['open', 'closed', 'erased']).optional(),
      owing: flagParameter.optional().meta({ description: 'Only agents who owe something.' }),
    },
    row: listedAgent,
    key: z.tuple([z.string()]),
    async page({ dues }, { filter: { status, owing }, after, limit }) {
      const from = after === undefined ? {} : { after: after[0] };
      const found = await dues.agents({
        ...(status === undefined ? {} : { status }),
        owing: owing === true,
        limit,
        ...from,
      });
      return { rows: found.rows, next: found.next === undefined ? undefined : ([found.next] as const) };
    },
    toJson: listedAgentJson,
  }),
  route({
    method: 'get',
    path: '/agents/{agentId}',
    operationId: 'showAgent',
    summary: "Show an agent and the agent's due amount",
    tag,
    scope: 'agents:lookup',
    params,
    answers: { 200: shownAgent },
    problems: ['not_found'],
    async handle({ agents, dues }, { params: { agentId }, actor }) {
      return ok(visibleTo(actor, shownAgentJson(await agents.find(agentId), await dues.dueOf(agentId))));
    },
  }),
  listRoute({
    path: '/agents/{agentId}/dues',
    operationId: 'listDuesOfAgent',
    summary: 'List the dues of an agent, the latest due date first',
    description: 'Payments are not allocated to dues: what an agent owes is one balance.',
    tag,
    scope: 'agents:lookup',
    params,
    filter: { inForce: flagParameter.optional().meta({ description: '`true`: without cancelled dues.' }) },
    row: dueOfAgent,
    key: z.tuple([z.iso.date(), z.string()]),
    problems: ['not_found'],
    async page({ agents, dues }, { params: { agentId }, filter: { inForce }, after, limit }) {
      await agents.find(agentId);
      const from = after === undefined ? {} : { after: { dueDate: businessDate(after[0]), reference: after[1] } };
      const found = await dues.ofAgent(agentId, {
        ...(inForce === undefined ? {} : { isOpen: inForce }),
        limit,
        ...from,
      });
      return { rows: found.rows, next: found.next && ([found.next.dueDate, found.next.reference] as const) };
    },
    toJson: dueJson,
  }),
  AGENT_PAYMENTS_ROUTE,
  listRoute({
    path: '/agents/{agentId}/statement',
    operationId: 'listAgentMovements',
    summary: 'List the movements of an agent with the balance after each',
    tag,
    scope: 'agents:read',
    params,
    row: agentMovement,
    key: z.tuple([z.string(), z.int(), z.int()]),
    problems: ['not_found'],
    async page({ agents, reporting }, { params: { agentId }, after, limit }) {
      await agents.find(agentId);
      const [transactionId, position, balance] = after ?? [];
      const from =
        transactionId === undefined || position === undefined || balance === undefined
          ? {}
          : { after: { transactionId, position, balanceBefore: millimes(balance) } };
      const { rows, next } = await reporting.agentMovements(agentId, { limit, ...from });
      return { rows, next: next && ([next.transactionId, next.position, next.balanceBefore] as const) };
    },
    toJson: agentMovementJson,
  }),
];

const imported = z.strictObject({ added: z.int(), updated: z.int(), unchanged: z.int(), dryRun: z.boolean() });
const importedDues = z.strictObject({
  added: z.int(),
  unchanged: z.int(),
  addedMillimes: totalValue,
  dryRun: z.boolean(),
});

const WRITING = [
  route({
    method: 'post',
    path: '/agents',
    operationId: 'addAgent',
    summary: 'Add one agent',
    tag,
    scope: 'agents:write',
    body: z.strictObject({ agentId: newAgentIdField, fullName: textField(200), phone: z.string().max(50).default('') }),
    effect: 'once',
    dryRun: true,
    answers: { 201: z.strictObject({ agentId: agentIdField, dryRun: z.boolean() }) },
    problems: ['agent_exists', 'agent_erased', 'request_faults'],
    async handle({ agents }, { body, actor, dryRun }) {
      await agents.add(body, { actor, dryRun });
      return created({ agentId: body.agentId, dryRun }, `/agents/${encodeURIComponent(body.agentId)}`);
    },
  }),
  route({
    method: 'post',
    path: '/agent-imports',
    operationId: 'importAgents',
    summary: 'Import a CSV file of agents',
    description: 'Columns: `agent_id,full_name,phone`. The file is checked whole before anything is stored.',
    tag,
    scope: 'agents:write',
    body: 'file',
    bodyBytesMax: FILE_BYTES_MAX,
    effect: 'repeatable',
    dryRun: true,
    isLong: true,
    answers: { 200: imported },
    problems: ['file_faults'],
    async handle({ agents }, { body, actor, dryRun }) {
      const { added, updated, unchanged } = await agents.importCsv(body, { actor, dryRun });
      return ok({ added, updated, unchanged, dryRun });
    },
  }),
  route({
    method: 'post',
    path: '/agents/{agentId}/close',
    operationId: 'closeAgent',
    summary: 'Close an agent to the gateway',
    tag,
    scope: 'agents:write',
    params,
    effect: 'repeatable',
    dryRun: true,
    answers: {
      200: z.strictObject({
        agentId: agentIdField,
        outcome: z.enum(['closed', 'already_closed']),
        dryRun: z.boolean(),
      }),
    },
    problems: ['not_found'],
    async handle({ agents }, { params: { agentId }, actor, dryRun }) {
      return ok({ agentId, outcome: await agents.close(agentId, { actor, dryRun }), dryRun });
    },
  }),
  route({
    method: 'post',
    path: '/agents/{agentId}/erase',
    operationId: 'eraseAgent',
    summary: 'Erase the name and the phone of an agent',
    tag,
    scope: 'agents:erase',
    params,
    body: z.strictObject({ reason: reasonField }),
    effect: 'repeatable',
    dryRun: true,
    answers: {
      200: z.strictObject({
        agentId: agentIdField,
        outcome: z.enum(['erased', 'already_erased']),
        dryRun: z.boolean(),
      }),
    },
    problems: ['not_found', 'agent_has_money'],
    async handle({ erasures }, { params: { agentId }, body: { reason }, actor, dryRun }) {
      return ok({ agentId, outcome: await erasures.eraseAgent(agentId, { reason, actor, dryRun }), dryRun });
    },
  }),
  route({
    method: 'post',
    path: '/due-imports',
    operationId: 'importDues',
    summary: 'Import a CSV file of dues',
    description: 'Columns: `reference,agent_id,amount_millimes,due_date,memo`. The file is checked whole first.',
    tag,
    scope: 'dues:write',
    body: 'file',
    bodyBytesMax: FILE_BYTES_MAX,
    effect: 'repeatable',
    dryRun: true,
    isLong: true,
    answers: { 200: importedDues },
    problems: ['file_faults', 'balance_too_large'],
    async handle({ dues }, { body, actor, dryRun }) {
      const { added, unchanged, addedMillimes } = await dues.importCsv(body, { actor, dryRun });
      return ok({ added, unchanged, addedMillimes: totalJson(addedMillimes), dryRun });
    },
  }),
  route({
    method: 'post',
    path: '/dues/{reference}/cancel',
    operationId: 'cancelDue',
    summary: 'Cancel a due',
    tag,
    scope: 'dues:write',
    params: { reference: outsideIdField },
    body: z.strictObject({ reason: reasonField }),
    effect: 'repeatable',
    dryRun: true,
    answers: {
      200: z.strictObject({
        reference: outsideIdField,
        outcome: z.enum(['cancelled', 'already_cancelled']),
        dryRun: z.boolean(),
      }),
    },
    problems: ['not_found', 'balance_too_large'],
    async handle({ dues }, { params: { reference }, body: { reason }, actor, dryRun }) {
      return ok({ reference, outcome: await dues.cancel(reference, reason, { actor, dryRun }), dryRun });
    },
  }),
];

/** The operations on agents and dues. */
export const AGENT_ROUTES = [...READING, ...WRITING];
