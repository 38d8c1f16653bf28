// Goal: every change in a closed day is found, and the first changed row is named.
// Method: a closed day in a database without its guards; each damage in turn, with the result of the check.
import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { openBreakStore } from '../../../../src/breaks';
import type { Database, Session } from '../../../../src/db';
import { businessDate } from '../../../../src/kernel';
import { describeOnEachDatabase } from '../../../support/db';
import { OMAR, openScene, SALMA, type Scene } from './scene';

const MONDAY = '2026-03-02';
const LINE = `${'0'.repeat(25)}1`;
const GHOST = 'G'.repeat(26);

type Damage = readonly [what: string, damage: (session: Session) => Promise<unknown>, found: Record<string, unknown>];

const idOf = async (session: Session, reference: string): Promise<string> => {
  const [row] = await session('ledger_transactions').select('id').where('reference', reference);
  return String(row?.['id']);
};

const DAMAGES: readonly Damage[] = [
  [
    'a posting of one millime more',
    async (session) =>
      session('postings')
        .where('transaction_id', await idOf(session, 'payment:P2'))
        .update({ amount_millimes: 2_001 }),
    { fault: 'touched', kind: 'ledger', row: 'payment:P2' },
  ],
  [
    'another reference',
    (session) => session('ledger_transactions').where('reference', 'payment:P1').update({ reference: 'payment:P9' }),
    { fault: 'touched', kind: 'ledger', row: 'payment:P1' },
  ],
  [
    'a transaction that was moved to another day',
    (session) => session('ledger_transactions').where('reference', 'payment:P2').update({ recorded_at: 1 }),
    { fault: 'touched', kind: 'ledger', row: 'payment:P2' },
  ],
  [
    'a transaction that is gone',
    async (session) => {
      const id = await idOf(session, 'payment:P1');
      await session('postings').where('transaction_id', id).delete();
      return session('ledger_transactions').where('id', id).delete();
    },
    { fault: 'deleted', kind: 'ledger', row: 'payment:P1' },
  ],
  [
    'a transaction more',
    async (session) => {
      const [row] = await session('ledger_transactions').select('*').where('reference', 'payment:P1');
      return session('ledger_transactions').insert({ ...row, id: GHOST, reference: 'payment:GHOST' });
    },
    { fault: 'inserted', kind: 'ledger', row: 'payment:GHOST' },
  ],
  [
    'a posting more',
    async (session) => {
      const transactionId = await idOf(session, 'payment:P2');
      const accounts = { debit_account: 'bank_other', credit_account: 'write_off' };
      return session('postings').insert({
        transaction_id: transactionId,
        position: 2,
        ...accounts,
        amount_millimes: 1,
      });
    },
    { fault: 'touched', kind: 'ledger', row: 'payment:P2' },
  ],
  [
    'an item taken out of a match',
    (session) => session('payout_match_items').where('item_id', 'payment:P1').delete(),
    { fault: 'touched', kind: 'match', row: expect.stringContaining(`of line ${LINE}`) },
  ],
  [
    'another actor in the history of a break',
    (session) => session('recon_break_events').update({ actor: 'unknown' }),
    { fault: 'touched', kind: 'break_event', row: expect.stringMatching(/^event 1 of break /) },
  ],
  [
    'an event before the first of a break',
    async (session) => {
      const [row] = await session('recon_break_events').select('*');
      return session('recon_break_events').insert({ ...row, position: 0 });
    },
    { fault: 'inserted', kind: 'break_event', row: expect.stringMatching(/^event 0 of break /) },
  ],
  [
    'an event more, and a seal that reaches over it',
    async (session) => {
      const [row] = await session('recon_break_events').select('*');
      await session('recon_break_events').insert({ ...row, position: 2, kind: 'linked' });
      return session('day_sealed_breaks').update({ through_position: 2 });
    },
    { fault: 'inserted', kind: 'break_event', row: expect.stringMatching(/^event 2 of break /) },
  ],
  [
    'a history that was taken out of the seal',
    (session) => session('day_sealed_breaks').delete(),
    { fault: 'seal', kind: 'seal', row: 'how far seal 1 reaches into the histories of breaks was changed' },
  ],
  [
    'a fence that was lowered into the day',
    (session) => session('ledger_fence').increment('open_from', -1),
    { fault: 'seal', kind: 'seal', row: `the period lock of the ledger is before the end of ${MONDAY}` },
  ],
  [
    'a fence that is gone',
    (session) => session('ledger_fence').delete(),
    { fault: 'seal', kind: 'seal', row: `the period lock of the ledger is before the end of ${MONDAY}` },
  ],
  [
    'a proof with another figure',
    async (session) => {
      const [row] = await session('day_seals').select('content').where('number', 1);
      const content = String(row?.['content']).replaceAll('3000', '3001');
      return session('day_seals').where('number', 1).update({ content });
    },
    { fault: 'seal', kind: 'seal', row: 'seal 1 was changed' },
  ],
  [
    'another person who closed the day',
    (session) => session('day_seals').where('number', 1).update({ recorded_by: 'unknown' }),
    { fault: 'seal', kind: 'seal', row: 'seal 1 was changed' },
  ],
  [
    'a page that fits the damage',
    (session) => session('day_seal_pages').where('position', 1).update({ content: '[]' }),
    { fault: 'seal', kind: 'seal', row: 'page 1 of seal 1 was changed' },
  ],
];

describeOnEachDatabase('a closed day', (harness) => {
  let database: Database;
  let scene: Scene;

  beforeAll(async () => {
    database = (await harness.fresh()).open();
    await dropGuards(database);
    scene = openScene(database, '2026-03-04T09:00:00+01:00');
    const at = '2026-03-02T09:00:00+01:00';
    await scene.paid('card', 'P1', 1_000, at);
    await scene.paid('card', 'P2', 2_000, at);
    await scene.paidOut(LINE, 'card', { 'payment:P1': 1_000 }, 1_000, at);
    const found = {
      ...{ fingerprint: 'missing_in_bank:1', breakClass: 'missing_in_bank' as const, since: businessDate(MONDAY) },
      ...{ amount: undefined, direction: 'unknown' as const, subject: { itemIds: [], lineIds: [], facts: {} } },
    };
    await database.transact((session) => openBreakStore(session).open([found], Date.parse(at), 'test'));
    await scene.reconciled('2026-03-03');
    await scene.close(MONDAY);
  });

  let kept: Record<string, Record<string, unknown>[]>;
  beforeEach(async () => {
    kept = {};
    for (const table of TABLES) kept[table] = (await scene.rows(table)).map((row) => ({ ...row }));
  });

  afterEach(async () => {
    await database.transact(async (session) => {
      for (const table of [...TABLES].reverse()) await session(table).delete();
      for (const table of TABLES) if ((kept[table]?.length ?? 0) > 0) await session(table).insert(kept[table]);
    });
    expect(await scene.closing.verify()).toEqual([]);
  });

  test.each(DAMAGES)('S24: reports %s, and names the row', async (_what, damage, found) => {
    await database.transact(damage);
    expect(await scene.closing.verify()).toEqual([{ seal: 1, date: MONDAY, ...found }]);
  });

  test('reports it in the first of two seals even after a reopening, without the rows added then', async () => {
    const date = businessDate(MONDAY);
    await scene.closing.proposeReopening({ date, reason: 'a test', actor: SALMA, dryRun: false });
    await scene.closing.approveReopening({ date, actor: OMAR, dryRun: false });
    await scene.paid('card', 'P3', 3_000, '2026-03-02T10:00:00+01:00');
    await scene.close(MONDAY);
    expect(await scene.closing.verify()).toEqual([]);
    await database.transact((session) =>
      session('ledger_transactions').where('reference', 'payment:P1').update({ recorded_by: 'unknown' }),
    );
    const fault = { date: MONDAY, fault: 'touched', kind: 'ledger', row: 'payment:P1' };
    expect(await scene.closing.verify()).toEqual([
      { seal: 1, ...fault },
      { seal: 3, ...fault },
    ]);
  });

  test('reports a link that was removed from the chain', async () => {
    await scene.close('2026-03-03');
    await database.transact(async (session) => {
      await session('day_sealed_breaks').where('number', 1).delete();
      return session('day_seals').where('number', 1).delete();
    });
    expect(await scene.closing.verify()).toMatchObject([{ seal: 2, fault: 'seal', row: 'seal 1 is missing' }]);
  });
});

/** In an order in which rows may be put back. */
const TABLES = [
  ...['ledger_fence', 'ledger_transactions', 'postings', 'recon_breaks', 'recon_break_events', 'payout_matches'],
  ...['payout_match_items', 'day_seals', 'day_seal_pages', 'day_sealed_breaks', 'day_reopening_proposals'],
];

async function dropGuards(database: Database): Promise<void> {
  await database.transact(async (session) => {
    const triggers = await session.raw(
      session.dialect === 'sqlite'
        ? "select name from sqlite_master where type = 'trigger'"
        : 'select trigger_name as name from information_schema.triggers where trigger_schema = database()',
    );
    for (const row of triggers) await session.raw('drop trigger ??', [String(row['name'])]);
  });
}
