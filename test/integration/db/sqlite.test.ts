// Goal: known faults of better-sqlite3 and knex stay repaired.
import { readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type BetterSqlite3 from 'better-sqlite3';
import { openDatabase, sqliteDriver } from '../../../src/db';
import { silentLogger } from '../../../src/logging';
import { describeOnEachDatabase, parsedUrl } from '../../support/db';
import { agentIds, agentRow } from './rows';

describeOnEachDatabase('an embedded database', (harness) => {
  if (harness.dialect !== 'sqlite') {
    test('has its tests on sqlite only', () => expect(harness.dialect).toBe('mariadb'));
    return;
  }

  const second = (): BetterSqlite3.Database =>
    new (sqliteDriver())(harness.url.slice('sqlite:'.length), { timeout: 0 });

  test('loses nothing after a failed COMMIT', async () => {
    const attempt = harness.database.transact(async (session) => {
      await session.raw('pragma defer_foreign_keys = on');
      await session('postings').insert({
        transaction_id: 'of a transaction that is not there',
        position: 1,
        debit_account: 'a',
        credit_account: 'b',
        amount_millimes: 1,
      });
    });
    await expect(attempt).rejects.toMatchObject({ code: 'internal' });

    await harness.database.transact((session) => session('agents').insert(agentRow('later')));
    const other = second();
    try {
      // Both fail while the failed transaction is still open: its lock is held and "later" is inside it.
      expect(other.prepare('select agent_id from agents').pluck().all()).toEqual(['later']);
      expect(other.prepare('select count(*) from postings').pluck().get()).toBe(0);
      other.exec('begin immediate; commit');
    } finally {
      other.close();
    }
  });

  test('waits for the write lock of another process without blocking this one', async () => {
    const HELD_MS = 2_000;
    const other = second();
    let ticks = 0;
    let longestGapMs = 0;
    let tickedAt = performance.now();
    const ticker = setInterval(() => {
      ticks += 1;
      longestGapMs = Math.max(longestGapMs, performance.now() - tickedAt);
      tickedAt = performance.now();
    }, 5);
    try {
      other.exec('begin immediate');
      let released = false;
      const releasing = sleep(HELD_MS).then(() => {
        released = true;
        other.exec('commit');
      });
      const writing = harness.database.transact(async (session) => {
        expect(released).toBe(true);
        await session('agents').insert(agentRow('A1'));
      });
      await Promise.all([releasing, writing]);
      expect(ticks).toBeGreaterThan(5);
      expect(longestGapMs).toBeLessThan(HELD_MS / 2);
    } finally {
      clearInterval(ticker);
      other.close();
    }
    expect(await harness.database.read(agentIds)).toEqual(['A1']);
  });

  test('is unavailable if the lock is held past the deadline, and works again afterwards', async () => {
    const other = second();
    try {
      other.exec('begin immediate');
      const attempt = harness.database.transact(agentIds, { deadlineMs: 200 });
      await expect(attempt).rejects.toMatchObject({ code: 'unavailable' });
      other.exec('commit');
      expect(await harness.database.transact(agentIds)).toEqual([]);
    } finally {
      other.close();
    }
  });

  test('reads while another process holds the write lock', async () => {
    const other = second();
    try {
      other.exec('begin immediate');
      expect(await harness.database.read(agentIds)).toEqual([]);
      expect(await harness.database.read(agentIds, { snapshot: true })).toEqual([]);
      other.exec('commit');
    } finally {
      other.close();
    }
  });

  test('F15: reports a full disk as storage_broken and serves again when there is room', async () => {
    const pages = async (sql: string): Promise<number> => {
      const [row] = await harness.database.read((session) => session.raw(sql));
      return Number(Object.values(row ?? {})[0]);
    };
    const used = await pages('pragma page_count');
    await harness.database.read((session) => session.raw(`pragma max_page_count = ${used}`));
    const write = () =>
      harness.database.transact((session) =>
        session('agents').insert(Array.from({ length: 200 }, (_, index) => agentRow(`${'x'.repeat(200)}${index}`))),
      );
    await expect(write()).rejects.toMatchObject({ code: 'storage_broken' });
    expect(await harness.database.read(agentIds)).toEqual([]);
    await harness.database.read((session) => session.raw('pragma max_page_count = 1000000'));
    await write();
    expect(await harness.database.read(agentIds)).toHaveLength(200);
  });

  // A process that closes any descriptor of a file loses its locks on it, and another program may then remove the log.
  test('keeps its lock on the file while a further connection of the process opens and closes', async () => {
    await harness.database.transact((session) => session('agents').insert(agentRow('A1')));
    expect(locksOn(harness.url)).toBeGreaterThan(0);
    const further = openDatabase(parsedUrl(harness.url), silentLogger);
    expect(await further.read(agentIds)).toEqual(['A1']);
    await further.close();
    expect(locksOn(harness.url)).toBeGreaterThan(0);
  });

  test('is synchronous, checks foreign keys and writes ahead', async () => {
    const pragmas = await harness.database.read(async (session) =>
      Promise.all(['synchronous', 'foreign_keys', 'journal_mode'].map((name) => session.raw(`pragma ${name}`))),
    );
    expect(pragmas).toEqual([[{ synchronous: 2 }], [{ foreign_keys: 1 }], [{ journal_mode: 'wal' }]]);
  });
});

/** Returns the number of locks on the file, as Linux lists them. */
function locksOn(url: string): number {
  const { ino } = statSync(url.slice('sqlite:'.length));
  const lines = readFileSync('/proc/locks', 'utf8').split('\n');
  return lines.filter((line) => line.includes(`:${ino} `)).length;
}
