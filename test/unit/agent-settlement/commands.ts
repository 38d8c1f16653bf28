import type { ConfirmCommand, ConfirmFacts } from '../../../src/agent-settlement/testing';
import type { Agent } from '../../../src/agents';
import { fingerprintOf, millimes } from '../../../src/kernel';

const RECEIVED_AT = Date.parse('2026-03-02T09:00:00.000Z');

/** A call that a good body would be decoded to. Its fingerprint follows from its triple unless one is given. */
export function aCommand(overrides: Partial<ConfirmCommand> = {}): ConfirmCommand {
  const triple = { transactionId: 'T1', agentId: 'A1', amount: millimes(1_000), ...overrides };
  return {
    attemptId: 'attempt-1',
    fingerprint: fingerprintOf(triple.transactionId ?? null, triple.agentId ?? null, triple.amount ?? null),
    said: { transactionId: '', agentId: '', amount: '' },
    rawBody: '{}',
    receivedAt: RECEIVED_AT,
    caller: { subject: 'gateway', jti: 'jti-1' },
    followedUnavailable: false,
    ...triple,
  };
}

export function anOpenAgent(agentId: string): Agent {
  return {
    agentId,
    fullName: 'Amal Trabelsi',
    phone: '',
    status: 'open',
    createdAt: RECEIVED_AT,
    closedAt: undefined,
    erasedAt: undefined,
  };
}

export function aClosedAgent(agentId: string): Agent {
  return { ...anOpenAgent(agentId), status: 'closed', closedAt: RECEIVED_AT };
}

/** What a book with two open agents and one closed one knows before its first confirm. */
export function someFacts(overrides: Partial<ConfirmFacts> = {}): ConfirmFacts {
  return {
    registered: new Map(),
    agents: new Map([
      ['A1', anOpenAgent('A1')],
      ['A2', anOpenAgent('A2')],
      ['closed', aClosedAgent('closed')],
    ]),
    balances: new Map(),
    refusals: new Map(),
    amountMax: undefined,
    ...overrides,
  };
}
