// Goal: field-ops lists and finds agents with what they owe, page by page, in the same order on both databases.
import { beforeEach, expect, test } from '@jest/globals';
import { type Agents, createAgents } from '../../../src/agents';
import { createDues, type Dues } from '../../../src/dues';
import { describeOnEachDatabase } from '../../support/db';
import { BY_TEST } from '../../support/factories';
import { fixedClock } from '../../support/fakes';
import { countRowsRead } from '../../support/rows-read';

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
    expect(first).toMatchObject({ rows: [{ agentId: 'B2' }, { agentId: 'a1' }], next: 'a1' });
    const rest = await dues.agents({ limit: 2, after: 'a1' });
    expect(rest.rows.map(({ agentId, due, status }) => [agentId, due, status])).toEqual([
      ['b10', 7000, 'open'],
      ['É1', 1, 'closed'],
    ]);
    expect(rest.next).toBeUndefined();
  });

  test('are limited to those who owe, or to a status', async () => {
    const ids = async (query: Omit<Parameters<Dues['agents']>[0], 'limit'>): Promise<string[]> =>
      (await dues.agents({ ...query, limit: 10 })).rows.map(({ agentId }) => agentId);
    expect(await ids({ owing: true })).toEqual(['b10', 'É1']);
    expect(await ids({ owing: true, status: 'open' })).toEqual(['b10']);
    expect(await ids({ status: 'closed' })).toEqual(['É1']);
  });

  test('are found by a text, with what they owe', async () => {
    const found = await dues.search('trabel', 10);
    expect(found.agents.map(({ agentId, due }) => [agentId, due])).toEqual([
      ['a1', 0],
      ['b10', 7000],
    ]);
    expect(found).toMatchObject({ hasMore: false, tooMany: false });
  });

  test('are read in short pages that examine at most 2,000 rows, where few of many owe', async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => `m${String(index).padStart(4, '0')},Agent ${index},`);
    await agents.importCsv(Buffer.from(['agent_id,full_name,phone', ...many, 'z9,Last,'].join('\n')), BY_TEST);
    await dues.importCsv(
      Buffer.from('reference,agent_id,amount_millimes,due_date,memo\nD3,z9,5,2026-03-01,\n'),
      BY_TEST,
    );
    const reads = countRowsRead(harness.database);
    const counted = createDues({ database: reads.database, clock: fixedClock('2026-03-02T09:00:00+01:00') });
    const found: string[] = [];
    let pages = 0;
    for (let after: string | undefined, isLast = false; !isLast;) {
      const page = await counted.agents({ owing: true, limit: 50, after });
      expect(reads.take() ?? 0).toBeLessThanOrEqual(2_020);
      found.push(...page.rows.map(({ agentId }) => agentId));
      after = page.next;
      isLast = after === undefined;
      pages += 1;
    }
    expect(found).toEqual(['b10', 'z9', 'É1']);
    expect(pages).toBe(4);
    await counted.agents({ limit: 50, after: 'm1' });
    expect(reads.take() ?? 0).toBeLessThanOrEqual(2 * 52);
  });
});
