// Goal: an agent's movements are paged from the last one back, with the balance after each, and no page reads more of
// the ledger than it returns.
// Method: the rooms on both databases; movements that come while the pages are read.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type AgentMovement, createReporting, type MovementKey, type Reporting } from '../../../src/reporting';
import { describeOnEachDatabase } from '../../support/db';
import { BY_TEST } from '../../support/factories';
import { countRowsRead, type RowsRead } from '../../support/rows-read';
import { openRooms, type Rooms } from '../ledger/rooms';

describeOnEachDatabase('the movements of an agent', (harness) => {
  let rooms: Rooms;
  let reads: RowsRead;
  let reporting: Reporting;

  beforeEach(async () => {
    rooms = openRooms(harness.database, '2026-03-02T08:00:00+01:00');
    reads = countRowsRead(harness.database);
    reporting = createReporting({ database: reads.database, clock: rooms.clock, calendar: rooms.calendar });
    await rooms.importAgents('A1', 'A2');
  });

  afterEach(async () => expect(await rooms.reporting.verifyBooks()).toEqual([]));

  const movement = ({ reference, amount, balance }: AgentMovement): unknown[] => [reference, amount, balance];

  test('keep their balances over pages, whatever is recorded meanwhile', async () => {
    await rooms.importDues(['D1', 'A1', 5_000], ['D2', 'A1', 700], ['D3', 'A2', 9]);
    await rooms.confirm({ transactionId: 'T1', agentId: 'A1', amount: 1_000 });
    const whole = (await reporting.agentMovements('A1', { limit: 10 })).rows.map(movement);
    expect(whole).toEqual([
      ['service:T1', -1_000, 4_700],
      ['due:D2', 700, 5_700],
      ['due:D1', 5_000, 5_000],
    ]);
    const paged: unknown[][] = [];
    let after: MovementKey | undefined;
    do {
      const page = await reporting.agentMovements('A1', { limit: 1, after });
      paged.push(...page.rows.map(movement));
      after = page.next;
      await rooms.confirm({ transactionId: `M${paged.length}`, agentId: 'A1', amount: 50 });
    } while (after !== undefined);
    expect(paged).toEqual(whole);
    await rooms.dues.cancel('D2', 'typed twice', BY_TEST);
    expect((await reporting.agentMovements('A1', { limit: 1 })).rows.map(movement)).toEqual([
      ['due-cancel:D2', -700, 3_850],
    ]);
  });

  test('cost the same for every page of a long account', async () => {
    const others = Array.from({ length: 600 }, (_, index) => [`X${index}`, 'A2', 1] as const);
    await rooms.importDues(...Array.from({ length: 300 }, (_, index) => [`D${index}`, 'A1', 10] as const), ...others);
    for (let index = 0; index < 50; index += 1) {
      await rooms.confirm({ transactionId: `T${index}`, agentId: 'A1', amount: 10 });
    }
    reads.take();
    let after: MovementKey | undefined;
    let balance = 10 * 250;
    let count = 0;
    do {
      const page = await reporting.agentMovements('A1', { limit: 50, after });
      expect(reads.take() ?? 0).toBeLessThanOrEqual(4 * 51 + 10);
      for (const each of page.rows) {
        expect(each.balance).toBe(balance);
        balance -= each.amount;
        count += 1;
      }
      after = page.next;
    } while (after !== undefined);
    expect([count, balance]).toEqual([350, 0]);
  });
});
