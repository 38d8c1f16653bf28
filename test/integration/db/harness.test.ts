import { expect, test } from '@jest/globals';
import type { RowDataPacket } from 'mysql2/promise';
import { migrate, openDatabase } from '../../../src/db';
import { silentLogger } from '../../../src/logging';
import {
  describeOnEachDatabase,
  describeOnMariaDb,
  freshDatabase,
  parsedUrl,
  rawConnection,
  unmigratedDatabaseUrl,
} from '../../support/db';

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

  test.each(['first', 'second'])('gives the %s test of a suite empty tables, even append-only ones', async (name) => {
    expect(await counted()).toEqual([0, 0]);
    await insert(name);
    expect(await counted()).toEqual([1, 1]);
  });

  test('provides another database that shares nothing with the suite', async () => {
    const other = (await harness.fresh()).open();
    await insert('here');
    const there = await other.read((session) => session('agents').select('agent_id'));
    expect(there).toEqual([]);
  });
});

describeOnMariaDb('another database on mariadb', () => {
  test('has what the migrations create: columns, indexes, foreign keys, checks and triggers', async () => {
    const migrated = await unmigratedDatabaseUrl('mariadb');
    const database = openDatabase(parsedUrl(migrated), silentLogger);
    await migrate(database, silentLogger);
    await database.close();
    const made = await describedAs(migrated);
    expect(made.length).toBeGreaterThan(100);
    expect(await describedAs((await freshDatabase('mariadb')).url)).toEqual(made);
  });
});

/** What the server says of each table and trigger, and the names of the migrations that were run. */
async function describedAs(url: string): Promise<readonly string[]> {
  const connection = await rawConnection(url);
  try {
    const namesOf = async (sql: string): Promise<readonly string[]> => {
      const [rows] = await connection.query<RowDataPacket[]>({ sql, rowsAsArray: true });
      return rows.map((row) => String(row[0]));
    };
    const tables = await namesOf(
      'select table_name from information_schema.tables where table_schema = database() order by 1',
    );
    const triggers = await namesOf(
      'select trigger_name from information_schema.triggers where trigger_schema = database() order by 1',
    );
    const said: string[] = [...(await namesOf('select name from schema_migrations order by id'))];
    for (const [what, names] of [['table', tables] as const, ['trigger', triggers] as const]) {
      for (const name of names) {
        const [rows] = await connection.query<RowDataPacket[]>(`show create ${what} \`${name}\``);
        said.push(String(rows[0]?.['Create Table'] ?? rows[0]?.['SQL Original Statement']));
      }
    }
    return said;
  } finally {
    await connection.end();
  }
}
