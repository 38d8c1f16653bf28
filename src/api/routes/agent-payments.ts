import { z } from 'zod';
import type { DueItem } from '../../reconciliation';
import type { AgentPayment } from '../../reporting';
import { agentIdField, agentPayment, agentPaymentJson } from '../../shapes/agents';
import { listRoute } from '../operation/list-route';
import type { ApiRooms } from '../operation/rooms';

/** The payments of an agent, for field-ops. */
export const AGENT_PAYMENTS_ROUTE = listRoute({
  path: '/agents/{agentId}/payments',
  operationId: 'listAgentPayments',
  summary: 'List the payments of an agent and where their money is',
  description: 'Newest first, refused calls of the gateway among them.',
  tag: 'Agents and dues',
  scope: 'agents:lookup',
  params: { agentId: agentIdField },
  row: agentPayment,
  key: z.tuple([z.int(), z.enum(['confirm', 'item', 'refusal']), z.string()]),
  problems: ['not_found'],
  async page({ agents, reporting, reconciliation }, { params: { agentId }, after, limit }) {
    await agents.find(agentId);
    const [at, source, id] = after ?? [];
    const from = at === undefined || source === undefined || id === undefined ? undefined : { at, source, id };
    const { rows, next } = await reporting.agentPayments(agentId, { after: from, limit });
    const due = await dueOf(reconciliation, rows);
    return {
      rows: rows.map((payment) => ({ payment, due: 'itemId' in payment ? due.get(payment.itemId) : undefined })),
      next: next && ([next.at, next.source, next.id] as const),
    };
  },
  toJson: ({ payment, due }) => agentPaymentJson(payment, due),
});

/** Returns by when the bank should book the payments that no credit paid. */
async function dueOf(
  reconciliation: Pick<ApiRooms['reconciliation'], 'dueItems'>,
  payments: readonly AgentPayment[],
): Promise<ReadonlyMap<string, DueItem>> {
  const open = payments.flatMap((payment) =>
    payment.state === 'expected' || payment.state === 'late' ? [payment.itemId] : [],
  );
  const due = open.length === 0 ? [] : await reconciliation.dueItems(open);
  return new Map(due.map((item) => [item.itemId, item]));
}
