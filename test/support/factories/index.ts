import type { AgentRecord } from '../../../src/agents';
import type { Millime } from '../../../src/compose';
import type { Due } from '../../../src/dues/testing';
import { type Actor, SCOPES } from '../../../src/identity';
import { businessDate, millimes } from '../../../src/kernel';

/** Somebody with every right, whose name is `test`. */
export const TESTER: Actor = { kind: 'api_key', name: 'test', keyId: '0'.repeat(26), scopes: new Set(SCOPES) };
export const BY_TEST = { actor: TESTER, dryRun: false } as const;

const TOKEN_TTL_SECONDS = 90 * 86_400;

let references = 0;

export function anAgent(overrides: Partial<AgentRecord> = {}): AgentRecord {
  return { agentId: '004711', fullName: 'Amal Trabelsi', phone: '+21620000000', ...overrides };
}

/** A due of an agent, with a reference of its own. */
export function aDue(overrides: Partial<Due> = {}): Due {
  references += 1;
  return {
    reference: `due-${references}`,
    agentId: '004711',
    amount: millimes(150_000),
    dueDate: businessDate('2026-03-01'),
    memo: '',
    ...overrides,
  };
}

export async function register(millime: Millime, ...agents: readonly AgentRecord[]): Promise<void> {
  const rows = agents.map(({ agentId, fullName, phone }) => [agentId, fullName, phone]);
  await millime.agents.importCsv(csv(['agent_id', 'full_name', 'phone'], rows), BY_TEST);
}

/** Makes dues of agents that are registered. */
export async function assess(millime: Millime, ...dues: readonly Due[]): Promise<void> {
  const rows = dues.map(({ reference, agentId, amount, dueDate, memo }) => [
    reference,
    agentId,
    String(amount),
    dueDate,
    memo,
  ]);
  await millime.dues.importCsv(csv(['reference', 'agent_id', 'amount_millimes', 'due_date', 'memo'], rows), BY_TEST);
}

export async function closeAgent(millime: Millime, agentId: string): Promise<void> {
  await millime.agents.close(agentId, BY_TEST);
}

/** The Authorization header of a token that was just minted for the gateway. */
export async function aBearer(millime: Millime): Promise<string> {
  const { token } = await millime.serviceTokens.mint({
    subject: 'gateway',
    ttlSeconds: TOKEN_TTL_SECONDS,
    actor: TESTER,
  });
  return `Bearer ${token}`;
}

function csv(header: readonly string[], rows: readonly (readonly string[])[]): Buffer {
  const line = (fields: readonly string[]): string =>
    fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(',');
  return Buffer.from([line(header), ...rows.map(line), ''].join('\n'));
}
