import { z } from 'zod';
import type { Agent } from '../agents';
import type { Millimes } from '../kernel';
import { instantJson, instantValue, millimesValue, outsideIdField } from './values';

/** The id of an agent in a path or a body. Ids are compared byte by byte: `004711` is not `4711`. */
export const agentIdField = outsideIdField.meta({ description: 'The id as the gateway sends it.', example: '004711' });

const agentFields = {
  agentId: agentIdField,
  fullName: z.string().meta({ description: 'Empty after an erasure.', example: 'Salma Ben Youssef' }),
  phone: z.string().meta({ description: 'Empty if unknown or erased.', example: '+216 22 123 456' }),
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
