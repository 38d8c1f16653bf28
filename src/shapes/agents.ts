import { z } from 'zod';
import type { Agent } from '../agents';
import type { StoredDue } from '../dues';
import type { Millimes } from '../kernel';
import type { DueItem } from '../reconciliation';
import type { AgentMovement, AgentPayment } from '../reporting';
import {
  dayValue,
  instantJson,
  instantValue,
  millimesValue,
  newIdField,
  outsideIdField,
  totalJson,
  totalValue,
} from './values';

/** The id of an agent in a path or a body. Ids are compared byte by byte: `004711` is not `4711`. */
export const agentIdField = outsideIdField.meta({ description: 'The id as the gateway sends it.', example: '004711' });

/** The id of an agent that is added. */
export const newAgentIdField = newIdField.meta({ description: 'The id as the gateway sends it.', example: '004711' });

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

/** A payment of an agent and the steps of its money, or a confirm that was refused. */
export const agentPayment = z
  .discriminatedUnion('state', [
    z.strictObject({
      state: z.enum(['expected', 'late', 'banked', 'returned']),
      itemId: z.string(),
      channel: z.string(),
      amountMillimes: millimesValue,
      refundedMillimes: totalValue,
      breakId: z.string().nullable().meta({ description: 'The open break of a late payment.' }),
      confirmedAt: instantValue,
      expected: z
        .strictObject({ usuallyOn: dayValue.nullable(), latestOn: dayValue, late: z.boolean() })
        .nullable()
        .meta({
          description:
            'The usual and the last day on which the bank should book it, as runs compute them; null if none.',
        }),
      banked: z
        .strictObject({
          on: dayValue,
          creditRef: z
            .string()
            .meta({ description: "The end of the id of the credit: the credit pays other people's money too." }),
          evidence: z.string(),
        })
        .nullable(),
    }),
    z.strictObject({
      state: z.literal('refused'),
      refusalId: z.string(),
      transactionId: z.string().nullable(),
      kind: z.string().meta({ description: 'Why the call was refused.' }),
      at: instantValue,
      lastAt: instantValue,
      times: z.int().meta({ description: 'How often the gateway made the same call.' }),
    }),
  ])
  .meta({ id: 'AgentPayment' });

/** Returns a payment of an agent as JSON. `due` is that of a payment that no credit paid. */
export function agentPaymentJson(payment: AgentPayment, due: DueItem | undefined): z.input<typeof agentPayment> {
  if (payment.state === 'refused') {
    const { state, refusalId, transactionId, kind, at, lastAt, times } = payment;
    const instants = { at: instantJson(at), lastAt: instantJson(lastAt) };
    return { state, refusalId, transactionId: transactionId ?? null, kind, ...instants, times };
  }
  const { state, itemId, channel, amount, refunded, breakId, steps } = payment;
  return {
    ...{ state, itemId, channel, amountMillimes: amount, refundedMillimes: totalJson(refunded) },
    breakId: breakId ?? null,
    confirmedAt: instantJson(steps.confirmed.at),
    expected:
      due?.dueOn === undefined ? null : { usuallyOn: due.usuallyOn ?? null, latestOn: due.dueOn, late: due.isLate },
    banked: steps.banked ?? null,
  };
}
