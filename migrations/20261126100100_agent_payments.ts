import type { MigrationTools } from '../src/db';

const AGENT_ID_BYTES_MAX = 255;

/**
 * The payments of one agent are read by time: refused calls by the agent that they name, items of the gateway, and the
 * open breaks of late payments.
 */
export async function up({ addColumn, fillColumn, addIndex, dropIndex }: MigrationTools): Promise<void> {
  await addColumn('confirm_refusals', 'agent_id', 'outsideId');
  await fillColumn('confirm_refusals', 'agent_id', { id: 'id', from: ['raw_body'], value: agentIdOf });
  await addIndex('confirm_refusals', ['agent_id', 'first_at'], 'confirm_refusals_agent');
  await addIndex('gateway_items', ['agent_id', 'occurred_at'], 'gateway_items_agent_time');
  await dropIndex('gateway_items', 'gateway_items_agent');
  await addIndex('recon_breaks', ['class', 'status'], 'recon_breaks_class');
}

export async function down({ addIndex, dropColumn, dropIndex }: MigrationTools): Promise<void> {
  await dropIndex('recon_breaks', 'recon_breaks_class');
  await addIndex('gateway_items', ['agent_id'], 'gateway_items_agent');
  await dropIndex('gateway_items', 'gateway_items_agent_time');
  await dropIndex('confirm_refusals', 'confirm_refusals_agent');
  await dropColumn('confirm_refusals', 'agent_id');
}

/** Returns the agent that the body of a call names; undefined if the body was shortened or names none. */
function agentIdOf({ raw_body: body }: Readonly<Record<string, unknown>>): string | undefined {
  try {
    const { agentId } = JSON.parse(String(body)) as { readonly agentId?: unknown };
    return typeof agentId === 'string' && isUsable(agentId) ? agentId : undefined;
  } catch {
    return undefined;
  }
}

function isUsable(id: string): boolean {
  return id !== '' && id.trim() === id && !/\p{Cc}/u.test(id) && Buffer.byteLength(id) <= AGENT_ID_BYTES_MAX;
}
