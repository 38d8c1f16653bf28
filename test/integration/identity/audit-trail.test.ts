import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Database } from '../../../src/db';
import { type Actor, type AuditRecord, createIdentity, type Identity, type Scope, SCOPES } from '../../../src/identity';
import { businessDate, newId, sha256Hex } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { bankFileOfBytes } from '../../../src/statements';
import { statementBytes } from '../../fixtures/statements/statement-bytes';
import { describeOnEachDatabase } from '../../support/db';
import { TESTER } from '../../support/factories';
import { ribOf } from '../../support/rib';
import { openRooms, type Rooms } from '../ledger/rooms';
import { contents } from '../ledger/row-counts';

// Goal: every change needs its scope, and is stored together with its audit record or not at all.
// Method: one table of all use cases that a person or a script starts; each runs with, without and beyond its scope,
// dry, twice, and with an audit trail that cannot be written.

const START = '2026-05-04T09:00:00+01:00';
const AGENTS_FILE = Buffer.from('agent_id,full_name,phone\nA2,Nour Said,+21622222222\n');
const DUES_FILE = Buffer.from('reference,agent_id,amount_millimes,due_date,memo\nD-2,A1,7000,2026-03-01,\n');
const STATEMENT_FILE = statementBytes({ account: ribOf('112223333333333333') });
/** Of another account: one that does not add up. */
const UNPROVEN_FILE = statementBytes({ account: '2', closing: 1 });
const KEY_ID = newId();

interface UseCase {
  readonly scope: Scope;
  readonly action: string;
  readonly subject: RegExp;
  readonly detail: object;
  /** What it stores the second time. */
  readonly again: 'nothing' | 'refused' | 'more';
  readonly run: (world: World, actor: Actor, dryRun: boolean) => Promise<unknown>;
  /** A statement is tried out by reading it, which needs no right. */
  readonly hasDryRun?: false;
}

interface World {
  readonly rooms: Rooms;
  readonly identity: Identity;
}

const USE_CASES: readonly UseCase[] = [
  {
    scope: 'agents:write',
    action: 'agent.added',
    subject: /^agent:A3$/,
    detail: {},
    again: 'refused',
    run: ({ rooms }, actor, dryRun) =>
      rooms.agents.add({ agentId: 'A3', fullName: 'Ali Said', phone: '+21633333333' }, { actor, dryRun }),
  },
  {
    scope: 'agents:write',
    action: 'agent.closed',
    subject: /^agent:A1$/,
    detail: {},
    again: 'nothing',
    run: ({ rooms }, actor, dryRun) => rooms.agents.close('A1', { actor, dryRun }),
  },
  {
    scope: 'agents:write',
    action: 'agents.imported',
    subject: new RegExp(`^file:${sha256Hex(AGENTS_FILE)}$`),
    detail: { rows: 1, sha256: sha256Hex(AGENTS_FILE) },
    again: 'nothing',
    run: ({ rooms }, actor, dryRun) => rooms.agents.importCsv(AGENTS_FILE, { actor, dryRun }),
  },
  {
    scope: 'dues:write',
    action: 'dues.imported',
    subject: new RegExp(`^file:${sha256Hex(DUES_FILE)}$`),
    detail: { rows: 1, sha256: sha256Hex(DUES_FILE) },
    again: 'nothing',
    run: ({ rooms }, actor, dryRun) => rooms.dues.importCsv(DUES_FILE, { actor, dryRun }),
  },
  {
    scope: 'dues:write',
    action: 'due.cancelled',
    subject: /^due:D-1$/,
    detail: { reason: 'entered twice' },
    again: 'nothing',
    run: ({ rooms }, actor, dryRun) => rooms.dues.cancel('D-1', 'entered twice', { actor, dryRun }),
  },
  {
    scope: 'statements:write',
    action: 'statement.imported',
    subject: /^statement_file:[0-9A-Z]{26}$/,
    detail: { fileId: expect.any(String), sha256: sha256Hex(STATEMENT_FILE), statements: 1 },
    again: 'nothing',
    run: ({ rooms }, actor) => rooms.statements.import({ file: bankFileOfBytes('bank.csv', STATEMENT_FILE), actor }),
    hasDryRun: false,
  },
  {
    scope: 'statements:accept',
    action: 'statement.accepted',
    subject: /^statement:[0-9A-Z]{26}$/,
    detail: { reason: 'seen on paper', verdict: 'unbalanced' },
    again: 'nothing',
    async run({ rooms }, actor) {
      const [listed] = (await rooms.statements.list({ account: '2', limit: 100 })).rows;
      return rooms.statements.accept({ id: listed?.statement.id ?? '', reason: 'seen on paper', actor });
    },
    hasDryRun: false,
  },
  {
    scope: 'reconciliation:run',
    action: 'reconciliation.run',
    subject: /^run:[0-9A-Z]{26}$/,
    detail: { through: '2026-04-30', verdict: expect.any(String) },
    again: 'nothing',
    run: ({ rooms }, actor, dryRun) => rooms.reconciliation.run({ through: businessDate('2026-04-30'), actor, dryRun }),
  },
  {
    scope: 'keys:manage',
    action: 'key.created',
    subject: /^key:[0-9A-Z]{26}$/,
    detail: { name: 'omar', scopes: 'keys:manage', expiresAt: null },
    again: 'more',
    run: ({ identity }, actor, dryRun) => identity.createKey({ name: 'omar', scopes: ['keys:manage'], actor, dryRun }),
  },
  {
    scope: 'keys:manage',
    action: 'key.revoked',
    subject: /^key:[0-9A-Z]{26}$/,
    detail: { name: 'lost', reason: 'lost in a train' },
    again: 'nothing',
    async run({ identity }, actor, dryRun) {
      const lost = (await identity.listKeys({ limit: 100 })).rows.find(({ name }) => name === 'lost');
      return identity.revokeKey({ keyId: lost?.id ?? '', reason: 'lost in a train', actor, dryRun });
    },
  },
];

const withScopes = (...scopes: readonly Scope[]): Actor => ({
  kind: 'api_key',
  name: 'salma',
  keyId: KEY_ID,
  scopes: new Set(scopes),
});

/** An agent who owes something, a statement that does not add up, and a key: made by somebody else, before anybody looks. */
async function openWorld(database: Database): Promise<World> {
  const rooms = openRooms(database, START);
  const identity = createIdentity({ database, clock: rooms.clock, logger: silentLogger });
  await rooms.importAgents('A1');
  await rooms.importDues(['D-1', 'A1', 5_000]);
  await rooms.statements.import({ file: bankFileOfBytes('unproven.csv', UNPROVEN_FILE), actor: TESTER });
  await identity.recoverKey({ name: 'lost', reason: 'a test', dryRun: false });
  rooms.clock.advance(1_000);
  return { rooms, identity };
}

const bySalma = async ({ identity }: World): Promise<AuditRecord[]> =>
  (await identity.auditRecords({ limit: 100 })).rows.filter(({ actorName }) => actorName === 'salma');

describeOnEachDatabase('the audit trail', (harness) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(harness.database);
  });

  describe.each(USE_CASES)('of $action', ({ scope, action, subject, detail, again, run, hasDryRun = true }) => {
    test('needs the scope: a key with every other one is refused, and a dry run stores nothing', async () => {
      const before = await contents(harness.database);
      const others = SCOPES.filter((each) => each !== scope);
      await expect(run(world, withScopes(...others), false)).rejects.toMatchObject({ code: 'forbidden' });
      if (hasDryRun) await run(world, withScopes(scope), true);
      expect(await contents(harness.database)).toEqual(before);
    });

    test('records actor, key, time, action and reason once, and nothing without a change', async () => {
      await run(world, withScopes(scope), false);
      const records = await bySalma(world);
      expect(records).toEqual([
        {
          id: expect.stringMatching(/^[0-9A-Z]{26}$/),
          at: world.rooms.clock.now(),
          actorKind: 'api_key',
          actorName: 'salma',
          keyId: KEY_ID,
          action,
          subject: expect.stringMatching(subject),
          detail,
        },
      ]);
      // Nor what an agent is called, nor his phone.
      for (const word of ['Said', '+216', 'Agent A1']) expect(JSON.stringify(records)).not.toContain(word);

      const before = await contents(harness.database);
      world.rooms.clock.advance(1_000);
      const second = run(world, withScopes(scope), false);
      if (again === 'refused') await expect(second).rejects.toMatchObject({ code: 'conflict' });
      else await second;
      expect(await bySalma(world)).toHaveLength(again === 'more' ? 2 : 1);
      if (again !== 'more') expect(await contents(harness.database)).toEqual(before);
    });
  });
});

describeOnEachDatabase('an unwritable audit trail', (harness) => {
  test('stops the change', async () => {
    const database = (await harness.fresh()).open();
    const world = await openWorld(database);
    await database.transact((session) => session.raw('drop table audit_records'));
    const before = await contents(database);
    for (const { scope, action, run } of USE_CASES) {
      await expect(run(world, withScopes(scope), false)).rejects.toBeDefined();
      expect({ action, contents: await contents(database) }).toEqual({ action, contents: before });
    }
  });
});

describeOnEachDatabase('the audit trail of a file with several pages', (harness) => {
  test('has one record, with the first page that changes anything', async () => {
    const world = await openWorld(harness.database);
    const rows = Array.from({ length: 250 }, (_, index) => `B${index},Agent B${index},`);
    const file = (count: number): Buffer =>
      Buffer.from(['agent_id,full_name,phone', ...rows.slice(0, count)].join('\n'));
    const actor = withScopes('agents:write', 'dues:write');
    await world.rooms.agents.importCsv(file(120), { actor, dryRun: false });
    await world.rooms.agents.importCsv(file(250), { actor, dryRun: false }); // its first page is known
    expect((await bySalma(world)).map(({ detail }) => detail)).toEqual([
      { rows: 250, sha256: sha256Hex(file(250)) },
      { rows: 120, sha256: sha256Hex(file(120)) },
    ]);
    const dues = Array.from({ length: 250 }, (_, index) => `E-${index},B${index},1000,2026-03-01,`);
    const duesFile = ['reference,agent_id,amount_millimes,due_date,memo', ...dues].join('\n');
    await world.rooms.dues.importCsv(Buffer.from(duesFile), { actor, dryRun: false });
    const records = await bySalma(world);
    expect(records.map(({ action }) => action)).toEqual(['dues.imported', 'agents.imported', 'agents.imported']);
    expect(records[0]?.detail).toMatchObject({ rows: 250 });
  });
});

describeOnEachDatabase('audit list', (harness) => {
  test('lists the newest first, filtered by subject and limited', async () => {
    const world = await openWorld(harness.database);
    const options = { actor: withScopes('agents:write', 'dues:write'), dryRun: false };
    const longest = 'é'.repeat(127) + 'x';
    await world.rooms.agents.add({ agentId: longest, fullName: 'Zoé', phone: '' }, options);
    world.rooms.clock.advance(1);
    await world.rooms.agents.close(longest, options);
    await world.rooms.dues.cancel('D-1', 'a test', options); // in the same millisecond
    const actions = async (query: { limit: number; subject?: string }): Promise<string[]> =>
      (await world.identity.auditRecords(query)).rows.map(({ action }) => action);
    expect(await actions({ limit: 3 })).toEqual(['due.cancelled', 'agent.closed', 'agent.added']);
    expect(await actions({ limit: 1 })).toEqual(['due.cancelled']);
    expect(await actions({ limit: 9, subject: `agent:${longest}` })).toEqual(['agent.closed', 'agent.added']);
    expect(await actions({ limit: 9, subject: 'agent:none' })).toEqual([]);
  });
});
