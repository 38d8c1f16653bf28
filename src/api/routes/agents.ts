import { z } from 'zod';
import {
  agentIdField,
  listedAgent,
  listedAgentJson,
  reasonField,
  shownAgent,
  shownAgentJson,
  textField,
} from '../../shapes';
import { created, ok, type Route, route } from '../route';

const tag = 'Agents and dues';
const ofAgent = { agentId: agentIdField };

/** The operations on agents. */
export const AGENT_ROUTES: readonly Route[] = [
  route({
    method: 'post',
    path: '/agents/search',
    operationId: 'searchAgents',
    summary: 'Find agents by id, phone or words of the name',
    description: 'A search is a POST, because names and phones do not belong in addresses and logs.',
    tag,
    scope: 'agents:lookup',
    body: z.strictObject({ q: textField(200).meta({ example: 'salma ben' }) }),
    effect: 'reads',
    answers: { 200: z.strictObject({ agents: z.array(listedAgent), hasMore: z.boolean() }) },
    async handle({ dues }, { body }) {
      const { agents, hasMore } = await dues.agents({ text: body.q, limit: 10 });
      return ok({ agents: agents.map(listedAgentJson), hasMore });
    },
  }),
  route({
    method: 'get',
    path: '/agents/{agentId}',
    operationId: 'showAgent',
    summary: "Show an agent and the agent's due amount",
    tag,
    scope: 'agents:lookup',
    params: ofAgent,
    answers: { 200: shownAgent },
    problems: ['not_found'],
    async handle({ agents, dues }, { params: { agentId } }) {
      return ok(shownAgentJson(await agents.find(agentId), await dues.dueOf(agentId)));
    },
  }),
  route({
    method: 'post',
    path: '/agents',
    operationId: 'addAgent',
    summary: 'Add one agent',
    tag,
    scope: 'agents:write',
    body: z.strictObject({ agentId: agentIdField, fullName: textField(200), phone: z.string().max(50).default('') }),
    effect: 'once',
    dryRun: true,
    answers: { 201: z.strictObject({ agentId: agentIdField, dryRun: z.boolean() }) },
    problems: ['agent_exists', 'agent_erased'],
    async handle({ agents }, { body, actor, dryRun }) {
      await agents.add(body, { actor, dryRun });
      return created({ agentId: body.agentId, dryRun }, `/agents/${encodeURIComponent(body.agentId)}`);
    },
  }),
  route({
    method: 'post',
    path: '/agents/{agentId}/close',
    operationId: 'closeAgent',
    summary: 'Close an agent to the gateway',
    tag,
    scope: 'agents:write',
    params: ofAgent,
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
    params: ofAgent,
    body: z.strictObject({ reason: reasonField }),
    effect: 'repeatable',
    dryRun: true,
    answers: { 200: z.strictObject({ agentId: agentIdField, outcome: z.string(), dryRun: z.boolean() }) },
    problems: ['not_found', 'agent_has_money'],
    async handle({ erasures }, { params: { agentId }, body: { reason }, actor, dryRun }) {
      return ok({ agentId, outcome: await erasures.eraseAgent(agentId, { reason, actor, dryRun }), dryRun });
    },
  }),
];
