import { expect, test } from '@jest/globals';
import { describeOnEachDatabase } from '../../support/db';

describeOnEachDatabase('the harness', (harness) => {
  const insert = (name: string) =>
    harness.database.transact(async (session) => {
      await session('agents').insert({
        agent_id: name,
        full_name: 'Amel Trabelsi',
        phone: '+21620000000',
        status: 'open',
        created_at: 1,
        updated_at: 1,
        recorded_by: 'test',
      });
      await session('dues').insert({
        reference: name,
        agent_id: name,
        amount_millimes: 1,
        due_date: '2026-03-02',
        memo: '',
        recorded_at: 1,
        recorded_by: 'test',
      });
    });
  const counted = () =>
    harness.database.read(async (session) => [
      (await session('agents').select('agent_id')).length,
      (await session('dues').select('reference')).length,
    ]);

  test.each(['first', 'second'])('gives the %s test of a suite empty tables, append-only ones too', async (name) => {
    expect(await counted()).toEqual([0, 0]);
    await insert(name);
    expect(await counted()).toEqual([1, 1]);
  });

  test('gives a further database that shares nothing with the suite', async () => {
    const other = (await harness.fresh()).open();
    await insert('here');
    const there = await other.read((session) => session('agents').select('agent_id'));
    expect(there).toEqual([]);
  });
});
