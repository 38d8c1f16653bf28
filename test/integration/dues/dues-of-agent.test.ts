// Goal: an agent's dues are read in pages of a bounded number of rows, with the cancelled ones among them or apart.
import { beforeEach, expect, test } from '@jest/globals';
import { createAgents } from '../../../src/agents';
import { createDues, type DueKey, type Dues, type DuesOfAgentQuery } from '../../../src/dues';
import { describeOnEachDatabase } from '../../support/db';
import { BY_TEST } from '../../support/factories';
import { fixedClock } from '../../support/fakes';
import { countRowsRead, type RowsRead } from '../../support/rows-read';

const HEADER = 'reference,agent_id,amount_millimes,due_date,memo';

describeOnEachDatabase('the dues of an agent', (harness) => {
  const clock = fixedClock('2026-03-02T09:00:00+01:00');
  let reads: RowsRead;
  let dues: Dues;

  beforeEach(async () => {
    reads = countRowsRead(harness.database);
    const deps = { database: reads.database, clock };
    dues = createDues(deps);
    await createAgents(deps).importCsv(Buffer.from('agent_id,full_name,phone\nA1,Amel,\na1,Sami,\n'), BY_TEST);
  });

  const importDues = (rows: readonly string[]) => dues.importCsv(Buffer.from([HEADER, ...rows].join('\n')), BY_TEST);

  async function walk(agentId: string, query: Omit<DuesOfAgentQuery, 'after'>): Promise<string[][]> {
    const pages: string[][] = [];
    let after: DueKey | undefined;
    do {
      reads.take();
      const page = await dues.ofAgent(agentId, { ...query, after });
      expect(reads.take() ?? 0).toBeLessThanOrEqual(2_020);
      pages.push(page.rows.map(({ reference }) => reference));
      after = page.next;
    } while (after !== undefined);
    return pages;
  }

  test('come with the latest due date first, and with their cancellation', async () => {
    await importDues([
      ...['D1,A1,7000,2026-03-01,rent', 'D2,A1,1,2026-04-01,', 'D3,A1,2,2026-03-01,', 'D4,a1,9,2026-05-01,'],
    ]);
    await dues.cancel('D3', 'typed twice', BY_TEST);
    expect(await walk('A1', { limit: 2 })).toEqual([['D2', 'D3'], ['D1']]);
    expect(await walk('A1', { limit: 1 })).toEqual([['D2'], ['D3'], ['D1']]);
    expect(await walk('A1', { isOpen: true, limit: 5 })).toEqual([['D2', 'D1']]);
    expect(await walk('A1', { isOpen: false, limit: 5 })).toEqual([['D3']]);
    expect(await walk('NONE', { limit: 5 })).toEqual([[]]);
    const { rows } = await dues.ofAgent('A1', { limit: 3 });
    expect(rows.slice(1)).toEqual([
      {
        ...{ reference: 'D3', agentId: 'A1', amount: 2, dueDate: '2026-03-01', memo: '' },
        cancellation: { at: clock.now(), reason: 'typed twice' },
      },
      {
        ...{ reference: 'D1', agentId: 'A1', amount: 7000, dueDate: '2026-03-01', memo: 'rent' },
        cancellation: undefined,
      },
    ]);
  });

  test('are read in short pages that read about 2,000 rows at most, where few of many are cancelled', async () => {
    const rows = Array.from({ length: 1_500 }, (_, index) => ({
      reference: `D${index}`,
      agent_id: 'A1',
      amount_millimes: 1,
      due_date: new Date(Date.UTC(2020, 0, 1 + index)).toISOString().slice(0, 10),
      ...{ memo: '', recorded_at: 1, recorded_by: 'test' },
    }));
    const cancelled = { reference: 'D3', reason: 'typed twice', recorded_at: 1, recorded_by: 'test' };
    await harness.database.transact((session) =>
      session.insert([
        { table: 'dues', rows },
        { table: 'due_cancellations', rows: [cancelled] },
      ]),
    );
    expect(await walk('A1', { isOpen: false, limit: 10 })).toEqual([[], ['D3']]);
    await dues.ofAgent('A1', { limit: 10 });
    expect(reads.take() ?? 0).toBeLessThanOrEqual(2 * 12);
  });
});
