import { beforeEach, expect, test } from '@jest/globals';
import { type AuditKey, type AuditQuery, type AuditRecord, createIdentity, type Identity } from '../../../src/identity';
import { silentLogger } from '../../../src/logging';
import { describeOnEachDatabase } from '../../support/db';
import { fixedClock } from '../../support/fakes';
import { expectFewRowsRead, insertMany, walk } from './paging';

const START = Date.parse('2026-05-04T08:00:00Z');
const RECORDS = 5_000;
const id = (index: number): string => `01AUDIT${String(index).padStart(19, '0')}`;

/** Two records share each instant; one in a thousand is about the agent 7, and all of the last are by salma. */
const records = Array.from({ length: RECORDS }, (_, index) => ({
  id: id(index),
  at: START + Math.floor(index / 2),
  actor_kind: 'operator',
  actor_name: index < 10 ? 'ali' : 'salma',
  key_id: index % 2 === 0 ? id(9_999) : null,
  action: index % 500 === 0 ? 'agent.closed' : 'agent.added',
  subject: index % 1_000 === 0 ? 'agent:7' : 'agent:8',
  detail: '{}',
}));

describeOnEachDatabase('the list of audit records', (harness) => {
  let identity: Identity;
  beforeEach(async () => {
    identity = createIdentity({ database: harness.database, clock: fixedClock(START), logger: silentLogger });
    await harness.database.transact((session) => insertMany(session, 'audit_records', records));
  });

  const page = (query: Partial<AuditQuery> = {}) =>
    expectFewRowsRead(harness, () => identity.auditRecords({ limit: 3, ...query }));
  const indexes = (found: readonly AuditRecord[]): number[] => found.map(({ id: each }) => Number(each.slice(7)));
  const all = async (query: Partial<AuditQuery>): Promise<number[]> =>
    indexes(
      await walk<AuditRecord, AuditKey>(200, (after, limit) => identity.auditRecords({ ...query, after, limit })),
    );

  test('returns each record once, newest first, although two have one time', async () => {
    expect(await all({})).toEqual(records.map((_, index) => RECORDS - 1 - index));
    const first = await page();
    expect(indexes(first.rows)).toEqual([4_999, 4_998, 4_997]);
    expect(indexes((await page({ after: first.next })).rows)).toEqual([4_996, 4_995, 4_994]);
  });

  test('finds the records of one subject, action and key, and those of a period', async () => {
    expect(await all({ subject: 'agent:7' })).toEqual([4_000, 3_000, 2_000, 1_000, 0]);
    expect(await all({ subject: 'agent:7', action: 'agent.added' })).toEqual([]);
    expect(await all({ action: 'agent.closed', keyId: id(9_999), until: START + 500 })).toEqual([500, 0]);
    expect(await all({ since: START + 10, until: START + 11 })).toEqual([21, 20]);
    expect((await page({ subject: 'agent:7', limit: 5 })).next).toBeUndefined();
    const after = [START + 1_000, id(2_001)] as const;
    const query = { action: 'agent.added', subject: 'agent:8', after, limit: 2 };
    const deep = await expectFewRowsRead(harness, () => identity.auditRecords(query), 60);
    expect(indexes(deep.rows)).toEqual([1_999, 1_998]);
  });

  test('ends a page after 2,000 records that do not match, and goes on from there', async () => {
    const first = await page({ actorName: 'ali' });
    expect(first).toEqual({ rows: [], next: [START + 1_500 - 1 + 1, id(3_000)] });
    expect(await all({ actorName: 'ali' })).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
  });

  test('keeps its pages while records are added', async () => {
    const first = await page();
    const later = { ...records[0], id: id(6_000), at: START + RECORDS };
    await harness.database.transact((session) => insertMany(session, 'audit_records', [later]));
    expect(indexes((await page({ after: first.next })).rows)).toEqual([4_996, 4_995, 4_994]);
  });
});

describeOnEachDatabase('the list of keys', (harness) => {
  test('has pages, newest first', async () => {
    const identity = createIdentity({ database: harness.database, clock: fixedClock(START), logger: silentLogger });
    const made: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      made.push((await identity.recoverKey({ name, reason: 'a test', dryRun: false })).key.id);
    }
    const first = await identity.listKeys({ limit: 2 });
    expect(first.rows.map(({ id: each }) => each)).toEqual([made[2], made[1]]);
    expect(await identity.listKeys({ limit: 2, after: first.next })).toMatchObject({
      rows: [{ id: made[0], state: 'active' }],
      next: undefined,
    });
  });
});
