import { type BreakWorkflow, createBreakWorkflow } from '../../../src/breaks';
import { loadConfig } from '../../../src/config';
import type { Database } from '../../../src/db';
import type { Actor } from '../../../src/identity';
import { silentLogger } from '../../../src/logging';
import { forceMatchHandler, knownThrough, restOfMatch, unmatchByTwo } from '../../../src/reconciliation';

export const LEILA: Actor = {
  kind: 'api_key',
  name: 'leila',
  keyId: '0'.repeat(26),
  scopes: new Set(['breaks:work', 'breaks:decide'] as const),
};
export const KARIM: Actor = { ...LEILA, name: 'karim', keyId: '1'.repeat(26) };

/** The break desk of the program, with all that two people may decide there; or that of version 0.1.0. */
export function openWorkflow(
  database: Database,
  {
    clock,
    calendar,
    workingDays,
  }: Pick<Parameters<typeof createBreakWorkflow>[0], 'clock' | 'calendar' | 'workingDays'>,
  version: 'now' | '0.1.0' = 'now',
): BreakWorkflow {
  return createBreakWorkflow({
    ...{ database, clock, calendar, workingDays, logger: silentLogger, settings: loadConfig({}).breakUrgency },
    handlers: { force_match: forceMatchHandler(calendar), unmatch: unmatchByTwo },
    ...{ knownThrough, ...(version === 'now' ? { restOfMatch } : {}) },
  });
}

/** One person proposes it, and another one approves. */
export async function decideByTwo(
  workflow: BreakWorkflow,
  breakId: string,
  kind: string,
  payload: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const action = { kind, payload };
  const { proposalId } = await workflow.propose({ about: { breakId }, action, reason: 'both looked', actor: LEILA });
  await workflow.approve({ id: proposalId, actor: KARIM });
}
