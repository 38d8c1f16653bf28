// Goal: an erased agent has no name and no phone left in the database, the ledger is as before, and neither an import nor
// a statement of SQL returns them.
// Method: the rooms on both databases; every other table is compared row by row.
import { beforeEach, expect, test } from '@jest/globals';
import { requireOpenAgent } from '../../../src/agents';
import { openDatabase, type Session } from '../../../src/db';
import { createErasures, type EraseOutcome, type Erasures } from '../../../src/erasures';
import { type Actor, createIdentity } from '../../../src/identity';
import { AppError, millimes, newId } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { openPaymentStore } from '../../../src/payments/testing';
import { until } from '../../e2e/support/until';
import { describeOnEachDatabase, parsedUrl } from '../../support/db';
import { BY_TEST, TESTER } from '../../support/factories';
import { aPayment } from '../../support/factories/a-payment';
import { openRooms, type Rooms } from '../ledger/rooms';
import { contents } from '../ledger/row-counts';

const START = '2026-03-02T09:00:00+01:00';
const NAME = 'Salma Canaria Ben Youssef';
const PHONE = '+216 98 765 432';
const REASON = 'request 2026-17';

describeOnEachDatabase('erasing an agent', (harness) => {
  let rooms: Rooms;
  let erasures: Erasures;

  beforeEach(async () => {
    rooms = openRooms(harness.database, START);
    erasures = createErasures({ database: harness.database, clock: rooms.clock });
    await importText(`A-1,${NAME},${PHONE}`, 'A-2,Amel Trabelsi,20');
  });

  const file = (...lines: readonly string[]): Buffer => Buffer.from(['agent_id,full_name,phone', ...lines].join('\n'));
  const importText = (...lines: readonly string[]) => rooms.agents.importCsv(file(...lines), BY_TEST);
  const erase = (
    agentId: string,
    { reason = REASON, dryRun = false, actor = TESTER }: { reason?: string; dryRun?: boolean; actor?: Actor } = {},
  ): Promise<EraseOutcome> => erasures.eraseAgent(agentId, { actor, reason, dryRun });
  const detailsOf = async (work: Promise<unknown>): Promise<readonly string[]> => {
    const error: unknown = await work.catch((reason: unknown) => reason);
    return error instanceof AppError ? error.details : [];
  };

  test('S32: leaves no name and no phone in any table, and every other row as it was', async () => {
    await rooms.importDues(['D-1', 'A-1', 12_000]);
    await rooms.confirm({ transactionId: 'T-1', agentId: 'A-1', amount: 12_000 });
    const changed = ['agents', 'agent_search_words', 'audit_records'];
    const before = await contents(harness.database, ...changed);
    rooms.clock.advance(60_000);

    expect(await erase('A-1')).toBe('erased');

    const at = rooms.clock.now();
    expect(await rooms.agents.find('A-1')).toMatchObject({
      ...{ fullName: 'erased', phone: '', status: 'closed', closedAt: at, erasedAt: at },
    });
    expect(await rooms.agents.find('A-2')).toMatchObject({ fullName: 'Amel Trabelsi', status: 'open' });
    expect(await contents(harness.database, ...changed)).toEqual(before);
    expect(JSON.stringify(await contents(harness.database))).not.toMatch(/Canaria|Youssef|98 ?765/i);
    expect(await rooms.reporting.verifyBooks()).toEqual([]);
    const identity = createIdentity({ database: harness.database, clock: rooms.clock, logger: silentLogger });
    expect((await identity.auditRecords({ limit: 10, subject: 'agent:A-1' })).rows).toMatchObject([
      { at, actorName: 'test', action: 'agent.erased', detail: { reason: REASON } },
    ]);
  });

  test('S32: changes nothing the second time, and keeps the instant at which a closed agent was closed', async () => {
    await rooms.agents.close('A-1', BY_TEST);
    const closedAt = rooms.clock.now();
    rooms.clock.advance(60_000);
    expect(await erase('A-1')).toBe('erased');
    expect(await rooms.agents.find('A-1')).toMatchObject({ closedAt, erasedAt: rooms.clock.now() });
    const before = await contents(harness.database);
    rooms.clock.advance(60_000);
    expect(await erase('A-1')).toBe('already_erased');
    expect(await rooms.agents.close('A-1', BY_TEST)).toBe('already_closed');
    expect(await contents(harness.database)).toEqual(before);
  });

  test('S32: stores nothing in a dry run, and names the same refusals', async () => {
    await rooms.importDues(['D-1', 'A-2', 500]);
    const before = await contents(harness.database);
    expect(await erase('A-1', { dryRun: true })).toBe('erased');
    await expect(erase('A-2', { dryRun: true })).rejects.toMatchObject({ code: 'conflict' });
    expect(await contents(harness.database)).toEqual(before);
  });

  test('S32: refuses an agent who owes, and one who has a credit', async () => {
    await rooms.importDues(['D-1', 'A-1', 12_000]);
    await expect(erase('A-1')).rejects.toMatchObject({
      code: 'conflict',
      message:
        'agent A-1 owes 12,000 DT; collect it, or cancel the due, then erase the agent; nothing was erased; ' +
        'run "millime dues cancel <reference> --reason <text>" to cancel a due',
    });
    await rooms.confirm({ transactionId: 'T-1', agentId: 'A-1', amount: 12_500 });
    await expect(erase('A-1')).rejects.toMatchObject({
      code: 'conflict',
      message:
        'agent A-1 has a credit of 0,500 DT; pay it back and import a due of that amount, then erase the agent; ' +
        'nothing was erased',
    });
    expect(await rooms.agents.find('A-1')).toMatchObject({ fullName: NAME, phone: PHONE, status: 'open' });
  });

  test('S32: refuses an agent whose payment may still succeed, and accepts one whose payment is posted', async () => {
    const open = aPayment({ agentId: 'A-1', nextCheckAt: rooms.clock.now() + 1 });
    const posted = aPayment({
      trackingId: newId(),
      gatewayId: 'pay_2',
      agentId: 'A-2',
      itemId: 'payment:x',
      nextCheckAt: rooms.clock.now() + 1,
    });
    await harness.database.transact((session) => openPaymentStore(session).add([open, posted]));
    await expect(erase('A-1')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`has a payment that may still succeed; wait for its end`) as unknown,
    });
    expect(await erase('A-2')).toBe('erased');
  });

  test('S32: refuses an agent whose subscription may still be charged, and accepts one whose subscription ended', async () => {
    const subscription = {
      ...{ amount_millimes: 5_000, terms: '{}', is_test: 0, request_state: 'made', requested_at: 1 },
      ...{ cycles_completed: 0, cancel_at_period_end: 0, looks: 0, failed_looks: 0, recorded_by: 'test' },
    };
    await harness.database.transact((session) =>
      session('subscriptions').insert([
        { ...subscription, tracking_id: newId(), agent_id: 'A-1', status: 'active', next_look_at: 2 },
        { ...subscription, tracking_id: newId(), agent_id: 'A-2', status: 'canceled', next_look_at: null },
      ]),
    );
    await expect(erase('A-1')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(
        'has a subscription that may still be charged; end it at the gateway',
      ) as unknown,
    });
    expect(await erase('A-2')).toBe('erased');
  });

  test('S32: waits for a payment that is being created, and is then refused', async () => {
    const other = openDatabase(parsedUrl(harness.url), silentLogger);
    const payment = aPayment({ agentId: 'A-1', nextCheckAt: rooms.clock.now() + 1 });
    let erased: Promise<unknown> | undefined;
    // As a creation does: the agent is held until the attempt is stored.
    await other.transact(async (session) => {
      await requireOpenAgent(session, 'A-1');
      erased ??= erase('A-1').catch((error: unknown) => error);
      if (session.dialect === 'mariadb') await until('the erasure waits', () => isWaiting(session));
      await openPaymentStore(session).add([payment]);
    });
    await other.close();
    expect(await erased).toMatchObject({ code: 'conflict' });
    expect(await rooms.agents.find('A-1')).toMatchObject({ fullName: NAME });
  });

  test('S32: refuses an unknown agent, a key without the scope, and a reason that is empty', async () => {
    await expect(erase('A-9')).rejects.toMatchObject({ code: 'not_found' });
    const actor: Actor = { kind: 'api_key', name: 'omar', keyId: '0'.repeat(26), scopes: new Set(['agents:write']) };
    await expect(erase('A-1', { actor })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(erase('A-1', { reason: ' ' })).rejects.toMatchObject({ code: 'bad_input' });
    expect(await rooms.agents.find('A-1')).toMatchObject({ fullName: NAME });
  });

  test.each(['asked by canaria', 'request of SALMA', 'called from 98765432', 'from (+216) 98.765.432'])(
    'S32: refuses the reason "%s", because the audit trail would keep the name or the phone',
    async (reason) => {
      await expect(erase('A-1', { reason })).rejects.toMatchObject({ code: 'bad_input', problem: { field: 'reason' } });
      expect(await rooms.agents.find('A-1')).toMatchObject({ fullName: NAME });
    },
  );

  test('S32: imports no file with an erased agent, and names its line', async () => {
    await erase('A-1');
    const before = await contents(harness.database);
    const fault = 'line 3: agent_id: names an erased agent; remove the line, or give the person another id';
    expect(await detailsOf(importText('A-3,Nour Said,', `A-1,${NAME},${PHONE}`))).toEqual([fault]);
    const record = { agentId: 'A-1', fullName: NAME, phone: PHONE };
    await expect(rooms.agents.add(record, BY_TEST)).rejects.toMatchObject({
      code: 'conflict',
      message: 'agent A-1 was erased; give the person another id',
    });
    const due = 'reference,agent_id,amount_millimes,due_date,memo\nD-1,A-1,500,2026-03-01,';
    expect(await detailsOf(rooms.dues.importCsv(Buffer.from(due), BY_TEST))).toEqual([
      'line 2: agent_id: names an erased agent',
    ]);
    expect(await contents(harness.database)).toEqual(before);
    expect(await importText('A-3,Nour Said,')).toMatchObject({ added: 1 });
  });

  test('S32: refuses every later change of the row, also by other programs', async () => {
    await erase('A-1');
    const changes = [{ full_name: NAME }, { phone: PHONE }, { status: 'open' }, { erased_at: null }];
    for (const change of changes) {
      await expect(
        harness.database.transact((session) => session('agents').where('agent_id', 'A-1').update(change)),
      ).rejects.toThrow();
    }
    for (const agentId of ['A-1', 'A-2']) {
      await expect(
        harness.database.transact((session) => session('agents').where('agent_id', agentId).delete()),
      ).rejects.toThrow();
    }
    expect(await rooms.agents.find('A-1')).toMatchObject({ fullName: 'erased', phone: '', status: 'closed' });
  });

  test('S32: lists erased agents apart, and finds none by the former name or phone', async () => {
    await erase('A-1');
    await rooms.agents.close('A-2', BY_TEST);
    const idsOf = async (query: Parameters<Rooms['dues']['agents']>[0]): Promise<string[]> =>
      (await rooms.dues.agents(query)).rows.map(({ agentId }) => agentId);
    expect(await idsOf({ status: 'erased', limit: 10 })).toEqual(['A-1']);
    expect(await idsOf({ status: 'closed', limit: 10 })).toEqual(['A-1', 'A-2']);
    expect((await rooms.agents.search('Amel', 10)).agents).toHaveLength(1);
    for (const former of ['Salma', 'youssef', '98765432', 'erased']) {
      expect((await rooms.agents.search(former, 10)).agents).toEqual([]);
    }
    expect((await rooms.agents.search('A-1', 10)).agents).toMatchObject([{ agentId: 'A-1', fullName: 'erased' }]);
  });

  test('S32: erases once when two people erase at once', async () => {
    const outcomes = await Promise.all([erase('A-1'), erase('A-1'), erase('A-1')]);
    expect(outcomes.sort()).toEqual(['already_erased', 'already_erased', 'erased']);
    expect((await contents(harness.database))['audit_records']?.filter((row) => row.includes('erased'))).toHaveLength(
      1,
    );
  });

  test('S32: never has the name again, whichever of an erasure and an import comes first', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `R-${index}`);
    await importText(...ids.map((id) => `${id},Old ${NAME},`));
    const results = await Promise.all(
      ids.flatMap((id, index) => {
        const imported = importText(`${id},New ${NAME},${index}`).then(
          () => 'imported',
          (error: unknown) => (error instanceof AppError ? error.code : 'failed'),
        );
        return [erase(id), imported];
      }),
    );
    for (const [index, id] of ids.entries()) {
      expect(results[2 * index]).toBe('erased');
      expect(['imported', 'bad_input']).toContain(results[2 * index + 1]);
      expect(await rooms.agents.find(id)).toMatchObject({ fullName: 'erased', phone: '' });
    }
  });

  test('S32: leaves no erased agent with a due, whichever of an erasure and an import of dues comes first', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `R-${index}`);
    await importText(...ids.map((id) => `${id},Old Name,`));
    const settled = (work: Promise<unknown>): Promise<unknown> =>
      work.catch((error: unknown) => (error instanceof AppError ? error.code : error));
    const results = await Promise.all(
      ids.map(async (id) =>
        Promise.all([settled(erase(id)), settled(rooms.importDues([`D-${id}`, id, millimes(700)]))]),
      ),
    );
    for (const [index, id] of ids.entries()) {
      const { due } = await rooms.dues.dueOf(id);
      const { erasedAt } = await rooms.agents.find(id);
      expect([results[index]?.[0], due, erasedAt !== undefined]).toEqual(
        due === 0 ? ['erased', 0, true] : ['conflict', 700, false],
      );
    }
    expect(await rooms.reporting.verifyBooks()).toEqual([]);
  });
});

async function isWaiting(session: Session): Promise<boolean> {
  const waiting = await session.raw(
    "select 1 from information_schema.processlist where db = database() and info like '%agents%for update%' " +
      'and id <> connection_id()',
  );
  return waiting.length > 0;
}
