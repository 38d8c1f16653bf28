import { z } from 'zod';
import type { Agent } from '../agents';
import type { StoredDue } from '../dues';
import type { Millimes } from '../kernel';
import type { AgentMovement } from '../reporting';
import { dayValue, instantJson, instantValue, millimesValue, outsideIdField } from './values';

/** The id of an agent in a path or a body. Ids are compared byte by byte: `004711` is not `4711`. */
export const agentIdField = outsideIdField.meta({ description: 'The id as the gateway sends it.', example: '004711' });

const agentFields = {
  agentId: agentIdField,
  fullName: z.string().meta({ description: 'Empty after an erasure.', example: 'Salma Ben Youssef' }),
  phone: z.string().meta({
    description: 'Empty if unknown or erased. A key without `agents:read` gets the last three digits only.',
    example: '+216 22 123 456',
  }),
  status: z.enum(['open', 'closed']),
  erasedAt: instantValue.nullable(),
  dueMillimes: millimesValue.meta({ description: 'What the agent owes now.' }),
  creditMillimes: millimesValue.meta({ description: 'What the agent paid too much.' }),
};

/** An agent of a list, with the due amount or the credit. */
export const listedAgent = z.strictObject(agentFields).meta({ id: 'ListedAgent' });

/** An agent with the times of its record. */
export const shownAgent = z
  .strictObject({ ...agentFields, createdAt: instantValue, closedAt: instantValue.nullable() })
  .meta({ id: 'Agent' });

type Owing = { readonly due: Millimes; readonly credit: Millimes };

/** Returns an agent of a list as JSON. */
export function listedAgentJson(agent: Agent & Owing): z.input<typeof listedAgent> {
  const { agentId, fullName, phone, status, erasedAt, due, credit } = agent;
  const money = { dueMillimes: due, creditMillimes: credit };
  return { ...{ agentId, fullName, phone, status, erasedAt: instantJson(erasedAt) }, ...money };
}

/** Returns an agent as JSON. */
export function shownAgentJson(agent: Agent, { due, credit }: Owing): z.input<typeof shownAgent> {
  const { agentId, fullName, phone, status, createdAt, closedAt, erasedAt } = agent;
  return {
    ...{ agentId, fullName, phone, status },
    createdAt: instantJson(createdAt),
    closedAt: instantJson(closedAt),
    erasedAt: instantJson(erasedAt),
    dueMillimes: due,
    creditMillimes: credit,
  };
}

const SHOWN_DIGITS = 3;

/** Returns an agent whose phone number shows its last digits only. */
export function withMaskedPhone<Json extends { readonly phone: string }>(agent: Json): Json {
  const digits = agent.phone.replaceAll(/\D/g, '');
  const phone = digits === '' ? '' : `••• ${digits.slice(-SHOWN_DIGITS)}`;
  return { ...agent, phone };
}

/** A movement on the account of an agent. */
export const agentMovement = z
  .strictObject({
    occurredAt: instantValue,
    code: z.string().meta({ example: 'agent_payment' }),
    reference: z.string(),
    amountMillimes: millimesValue.meta({ description: 'Above 0 if the agent then owes more.' }),
    balanceMillimes: millimesValue.meta({ description: 'The balance after the movement: above 0 if the agent owes.' }),
  })
  .meta({ id: 'AgentMovement' });

/** Returns a movement as JSON. */
export function agentMovementJson(movement: AgentMovement): z.input<typeof agentMovement> {
  const { occurredAt, code, reference, amount, balance } = movement;
  return { occurredAt: instantJson(occurredAt), code, reference, amountMillimes: amount, balanceMillimes: balance };
}

/** A due of an agent. */
export const dueOfAgent = z
  .strictObject({
    reference: outsideIdField,
    agentId: agentIdField,
    amountMillimes: millimesValue,
    dueDate: dayValue,
    memo: z.string(),
    cancelled: z
      .strictObject({ at: instantValue, reason: z.string() })
      .nullable()
      .meta({ description: 'When and why the due was cancelled; null if it is in force.' }),
  })
  .meta({ id: 'Due' });

/** Returns a due as JSON. */
export function dueJson({
  reference,
  agentId,
  amount,
  dueDate,
  memo,
  cancellation,
}: StoredDue): z.input<typeof dueOfAgent> {
  const cancelled =
    cancellation === undefined ? null : { at: instantJson(cancellation.at), reason: cancellation.reason };
  return { reference, agentId, amountMillimes: amount, dueDate, memo, cancelled };
}
