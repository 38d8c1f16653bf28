// Goal: the commands of agents hand over what was typed and show whom they found.
import { expect, test } from '@jest/globals';
import { registerAgentCommands } from '../../../src/cli/testing';
import type { Dues } from '../../../src/dues';
import { AppError, type Instant, millimes } from '../../../src/kernel';
import { runCommand } from './support/run-command';

const AMEL = {
  agentId: '004711',
  fullName: 'Amel\u001b[2J Trabelsi',
  phone: '98123456',
  status: 'open' as const,
  createdAt: 0 as Instant,
  closedAt: undefined,
  erasedAt: undefined,
  due: millimes(12_500),
  credit: millimes(0),
};

test('lists agents with their dues from short pages and states how to go on', async () => {
  const asked: unknown[] = [];
  const pages = [
    { rows: [], next: '0047' },
    { rows: [AMEL, { ...AMEL, agentId: '004712' }], next: '004712' },
  ];
  const agents: Dues['agents'] = async (query) => pages[asked.push(query) - 1] ?? { rows: [], next: undefined };
  const { lines } = await runCommand(
    registerAgentCommands,
    { dues: { agents } },
    ['agents', 'list', '--owing', '--status', 'open', '--limit', '1', '--after', '0'],
    { isTerminal: true },
  );
  expect(asked).toEqual([
    { status: 'open', owing: true, after: '0', limit: 2 },
    { status: 'open', owing: true, after: '0047', limit: 2 },
  ]);
  expect(lines[0]).toMatch(/^AGENT +NAME +PHONE +STATUS +DUE +CREDIT$/);
  expect(lines[1]).toMatch(/^004711 .*98123456 +open +12,500 DT +0,000 DT$/);
  expect(lines[1]).not.toContain('\u001b');
  expect(lines[2]).toBe('1 agent; the rest: --after 004711');
});

test('prints found agents as JSON without their dates', async () => {
  const search: Dues['search'] = async (text, limit) => {
    expect([text, limit]).toEqual(['trab', 20]);
    return { agents: [AMEL], hasMore: false, tooMany: false };
  };
  const { json } = await runCommand(registerAgentCommands, { dues: { search } }, [
    ...['agents', 'search', 'trab', '--json'],
  ]);
  const { agentId, fullName, phone, status } = AMEL;
  const agent = { agentId, fullName, phone, status, erasedAt: null, dueMillimes: 12_500, creditMillimes: 0 };
  expect(json).toEqual({ agents: [agent], hasMore: false, tooMany: false });
});

test('S32: prints what was erased even if the file of the database cannot be rewritten, and ends with 1', async () => {
  const erasures = {
    eraseAgent: async () => 'erased' as const,
    removeEarlierBytes: () => Promise.reject(new AppError('storage_broken', 'the disk is full')),
  };
  const { lines, exitCode, decides } = await runCommand(registerAgentCommands, { erasures }, [
    'agents',
    'erase',
    '004711',
    '--reason',
    'request 17',
  ]);
  expect([lines, exitCode, decides]).toEqual([['erased agent 004711'], 1, true]);
});
