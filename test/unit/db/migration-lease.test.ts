import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { type RunOne, underLease } from '../../../src/db/migration-lease';

/** Two minutes in tens of seconds. */
const LEASE_UNITS = 12;

/** A member of a cluster as far as a lease concerns it: one row, and a clock that the test sets. */
class Member {
  end = 0;
  unit = 100;
  isCluster = true;
  refuses = false;

  readonly run: RunOne = async (sql) => {
    if (sql.startsWith('show variables')) return [this.isCluster ? [{}] : []];
    if (sql.startsWith('insert ignore')) return [{ affectedRows: 0 }];
    if (sql.startsWith('select unix_timestamp()')) return [[{ unit: this.unit }]];
    if (this.refuses) throw Object.assign(new Error('no write now'), { code: 'ETIMEDOUT' });
    const [, end, from = ''] = /set is_locked = (\d+) where `index` = 2 and is_locked (.*)$/.exec(sql) ?? [];
    const [, least] = /^< (\d+)$/.exec(from) ?? [];
    const isMatch =
      least === undefined ? from.slice(4, -1).split(', ').map(Number).includes(this.end) : this.end < Number(least);
    if (isMatch) this.end = Number(end);
    return [{ affectedRows: isMatch ? 1 : 0 }];
  };
}

function under<T>(member: Member, work: () => Promise<T>, stop = jest.fn()): Promise<T> {
  return underLease({ run: member.run, runBeside: member.run, restart: () => undefined, stop, renewalMs: 1 }, work);
}

async function when(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(1);
}

describe('underLease', () => {
  test('takes the lease for two minutes, renews it while the work lasts, and gives it back', async () => {
    const member = new Member();
    const ends: number[] = [];
    const result = await under(member, async () => {
      ends.push(member.end);
      member.unit += 5;
      await when(() => member.end > ends[0]!);
      ends.push(member.end);
      return 'done';
    });
    expect(result).toBe('done');
    expect(ends).toEqual([100 + LEASE_UNITS, 105 + LEASE_UNITS]);
    expect(member.end).toBe(0);
  });

  test('gives it back after work that fails', async () => {
    const member = new Member();
    await expect(under(member, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(member.end).toBe(0);
  });

  test('waits for the lease of another process and takes it when it has ended', async () => {
    const member = new Member();
    member.end = 105;
    let isRunning = false;
    const working = under(member, async () => {
      isRunning = true;
    });
    await pause(20);
    expect(isRunning).toBe(false);
    member.unit = 106;
    await working;
    expect(isRunning).toBe(true);
  });

  test('keeps a lease whose renewals were not answered for a while', async () => {
    const member = new Member();
    const stop = jest.fn();
    await under(
      member,
      async () => {
        member.refuses = true;
        await pause(20);
        member.refuses = false;
        member.unit = 130; // its end has passed, and no other process has come
        await when(() => member.end === 130 + LEASE_UNITS);
      },
      stop,
    );
    expect(stop).not.toHaveBeenCalled();
  });

  test('stops the work when another process has taken the lease, and leaves that one alone', async () => {
    const member = new Member();
    const stop = jest.fn();
    const lost = under(
      member,
      async () => {
        member.unit = 130;
        member.end = 200;
        await when(() => stop.mock.calls.length > 0);
        throw new Error('the connection was ended');
      },
      stop,
    );
    await expect(lost).rejects.toMatchObject({ code: 'unavailable', message: 'another process migrates the database' });
    expect(member.end).toBe(200);
  });

  test('runs the work without a lease on a single server', async () => {
    const member = new Member();
    member.isCluster = false;
    await under(member, async () => expect(member.end).toBe(0));
    expect(member.end).toBe(0);
  });
});
