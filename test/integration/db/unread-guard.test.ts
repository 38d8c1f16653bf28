// Goal: a table whose guards a server could not read takes rows again at once, and stays guarded. A member of a cluster
// that aborts a transaction while it opens a table keeps such a copy of it, and refuses INSERTs that use the copy.
// Method: the file with the table's triggers is spoiled while the server opens the table.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Connection, createConnection } from 'mysql2/promise';
import { type Database, openDatabase } from '../../../src/db';
import { type Logger, silentLogger } from '../../../src/logging';
import { describeWithOwnMariaDb, parsedUrl } from '../../support/db';
import { MariaDbServer } from '../../support/mariadb-server';

describeWithOwnMariaDb('a table whose guards were not read', () => {
  const warnings: unknown[] = [];
  const logger: Logger = { ...silentLogger, warn: (_, fields) => warnings.push(fields) };
  let server: MariaDbServer;
  let root: Connection;
  let database: Database;
  let file: string;
  let guards: string;

  beforeAll(async () => {
    server = await MariaDbServer.create();
    await server.start();
    root = await createConnection({ uri: server.url('mysql'), multipleStatements: true });
    await root.query('create database books; use books; create table entries (id int primary key)');
    await root.query("create user clerk@'127.0.0.1'; grant select, insert on books.entries to clerk@'127.0.0.1'");
    await root.query(
      `create trigger entries_no_delete before delete on entries for each row
       signal sqlstate '45000' set message_text = 'entries is append-only'`,
    );
    file = join(server.dataFolder, 'books', 'entries.TRG');
    guards = readFileSync(file, 'latin1');
    database = openDatabase(parsedUrl(server.url('books').replace('root', 'clerk')), logger);
  });

  afterAll(async () => {
    await database.close();
    await root.end();
    await server.remove();
  });

  async function openSpoiled(without: string, message: string): Promise<void> {
    writeFileSync(file, guards.replace(without, ''));
    await root.query('flush tables');
    await expect(insert(root, 0)).rejects.toThrow(message);
  }

  const insert = (connection: Connection, id: number) => connection.query('insert into entries values (?)', [id]);

  test.each([
    [1, 'sqlstate', "Trigger 'entries_no_delete' has an error in its body"],
    [3, ' trigger', 'Unknown trigger has an error in its body'],
  ])('it is opened anew, and the transaction runs again (%i)', async (id, without, message) => {
    warnings.length = 0;
    await openSpoiled(without, message);
    writeFileSync(file, guards);
    await expect(insert(root, 0)).rejects.toThrow(message); // the server still uses the copy that it opened

    await database.transact((session) => session.raw(`insert into entries values (${id})`));
    expect(warnings).toEqual([{ event: 'db.table_reopened', table: 'entries' }]);
    await insert(root, id + 1);
    expect((await root.query('select id from entries where id >= ?', [id]))[0]).toEqual([{ id }, { id: id + 1 }]);
    await expect(root.query('delete from entries')).rejects.toThrow('entries is append-only');
  });

  test('whose triggers are spoiled for good, the database is unavailable, and stores nothing', async () => {
    await openSpoiled('sqlstate', 'has an error in its body');
    const work = database.transact((session) => session.raw('insert into entries values (9)'), { deadlineMs: 300 });
    await expect(work).rejects.toMatchObject({ code: 'unavailable' });
    writeFileSync(file, guards);
    await root.query('flush tables');
    expect((await root.query('select id from entries where id = 9'))[0]).toEqual([]);
  });
});
