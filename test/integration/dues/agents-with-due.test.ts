// Goal: field-ops lists and finds agents with what they owe, page by page, in the same order on both databases.
import { beforeEach, expect, test } from '@jest/globals';
import { type Agents, createAgents } from '../../../src/agents';
import { createDues, type Dues } from '../../../src/dues';
import { describeOnEachDatabase } from '../../support/db';
import { BY_TEST } from '../../support/factories';
import { fixedClock } from '../../support/fakes';

describeOnEachDatabase('agents with their dues', (harness) => {
  let agents: Agents;
  let dues: Dues;

  beforeEach(async () => {
    const deps = { database: harness.database, clock: fixedClock('2026-03-02T09:00:00+01:00') };
    agents = createAgents(deps);
    dues = createDues(deps);
    const rows = ['a1,Zoé Trabelsi,98123456', 'B2,سلمى الطرابلسي,', 'b10,Ali Trabelsi,', 'É1,Amel,'];
    await agents.importCsv(Buffer.from(['agent_id,full_name,phone', ...rows].join('\n')), BY_TEST);
    await dues.importCsv(
      Buffer.from('reference,agent_id,amount_millimes,due_date,memo\nD1,b10,7000,2026-03-01,\nD2,É1,1,2026-03-01,\n'),
      BY_TEST,
    );
    await agents.close('É1', BY_TEST);
  });

  test('are listed in the byte order of their ids, page by page', async () => {
    const first = await dues.agents({ limit: 2 });
    expect(first).toMatchObject({ agents: [{ agentId: 'B2' }, { agentId: 'a1' }], hasMore: true });
    const rest = await dues.agents({ limit: 2, after: 'a1' });
    expect(rest.agents.map(({ agentId, due, status }) => [agentId, due, status])).toEqual([
      ['b10', 7000, 'open'],
      ['É1', 1, 'closed'],
    ]);
    expect(rest.hasMore).toBe(false);
  });

  test('are limited to those who owe, or to a status', async () => {
    const ids = async (query: Omit<Parameters<Dues['agents']>[0], 'limit'>): Promise<string[]> =>
      (await dues.agents({ ...query, limit: 10 })).agents.map(({ agentId }) => agentId);
    expect(await ids({ owing: true })).toEqual(['b10', 'É1']);
    expect(await ids({ owing: true, status: 'open' })).toEqual(['b10']);
    expect(await ids({ status: 'closed' })).toEqual(['É1']);
    expect(await ids({ text: 'trabel' })).toEqual(['a1', 'b10']);
    expect(await ids({ text: 'طرابلسي' })).toEqual(['B2']);
    expect(await ids({ text: '+216 9812' })).toEqual(['a1']);
  });

  test('are found beyond the first rows that the search reads', async () => {
    const rows = Array.from({ length: 2_100 }, (_, index) => `m${String(index).padStart(4, '0')},Agent ${index},`);
    const text = ['agent_id,full_name,phone', ...rows, 'z9,Last Person,'].join('\n');
    await agents.importCsv(Buffer.from(text), BY_TEST);
    expect(await dues.agents({ text: 'last', limit: 5 })).toMatchObject({
      agents: [{ agentId: 'z9' }],
      hasMore: false,
    });
    expect(await dues.agents({ text: 'agent', limit: 5 })).toMatchObject({ hasMore: true });
  });
});
