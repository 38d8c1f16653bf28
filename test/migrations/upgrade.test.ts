// Goal: a database that an older version wrote is migrated without loss, and the work that was open in it goes on.
// Method: each fixture of test/fixtures/upgrade is loaded as it was and migrated; then the use cases of today work on it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compose, type Millime } from '../../src/compose';
import { loadConfig } from '../../src/config';
import { openDatabase } from '../../src/db';
import { type Actor, SCOPES } from '../../src/identity';
import { addDays, type BusinessDate } from '../../src/kernel';
import { silentLogger } from '../../src/logging';
import { describeOnEachDialect, parsedUrl } from '../support/db';
import { type Reply, ScriptedGateway } from '../support/scripted-gateway';
import { idOf, rowsOfFile } from '../support/statement-rows';
import { testRun } from '../support/test-run';
import { fixtureTime, loadFixture, UPGRADE_FIXTURES } from './upgrade-fixture';

const RUNS_MAX = 50;
const INBOX_MAX = 1_000;
/** Those of the simulated gateway, which sent the webhooks of the fixtures. */
const GATEWAY = {
  GATEWAY_PUBLIC_KEY: 'pk_simulator',
  GATEWAY_PRIVATE_KEY: 'sk_simulator',
  GATEWAY_API_KEY: 'ak_simulator',
};
/** Did nothing in any fixture, so that no proposal is their own. */
const LEILA: Actor = { kind: 'api_key', name: 'leila', keyId: 'leila', scopes: new Set(SCOPES) };

async function addHalfLoadedFile(url: string): Promise<void> {
  const database = openDatabase(parsedUrl(url), silentLogger);
  await database.transact(async (session) => {
    for (const [table, row] of rowsOfFile('HALF', 'loading')) {
      // It would repeat a line of its own statement, which no import writes.
      if (table !== 'statement_line_repeats') await session(table).insert(row);
    }
  });
  await database.close();
}

describe.each(UPGRADE_FIXTURES)('a database of version %s', (name) => {
  describeOnEachDialect('after the migration', (dialect) => {
    let folder: string;
    let millime: Millime;
    let gateway: ScriptedGateway;

    /** What the gateway says of the payments whose webhooks wait: what these reported. It knows nothing else. */
    const answers = new Map<string, Reply>();
    const learnAnswers = async (): Promise<void> => {
      const { rows } = await millime.webhooks.list({ family: 'payment_v2', limit: INBOX_MAX });
      for (const { paymentId, event } of rows) {
        if (paymentId === undefined) continue;
        const { amount, trackingId } = (await millime.payments.show(paymentId)).payment;
        const status = event === 'payment.succeeded' ? 'SUCCESS' : 'FAILURE';
        const facts = { type: 'wallet', amount, status, details: {}, settlement_status: 'PROCESSING' };
        answers.set(`/api/v2/verify_payment/${paymentId}`, {
          kind: 'answer',
          body: { success: true, result: { ...facts, developer_tracking_id: trackingId } },
        });
      }
    };

    beforeAll(async () => {
      folder = mkdtempSync(join(testRun.folder, 'upgrade-'));
      const clock = join(folder, 'clock');
      writeFileSync(clock, fixtureTime(name));
      gateway = await ScriptedGateway.start((_n, { target }) => answers.get(target) ?? { kind: 'answer', status: 503 });
      const address = { GATEWAY_BASE_URL: gateway.baseUrl };
      const url = await loadFixture(name, dialect);
      const env = { ...GATEWAY, ...address, CLOCK_FILE: clock, DATABASE_URL: url };
      await addHalfLoadedFile(url);
      millime = compose(loadConfig(env), silentLogger);
      await millime.migrate();
      await learnAnswers();
    });

    afterAll(async () => {
      await millime.close();
      await gateway.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    const brokenBooks = async (): Promise<unknown[]> => [
      ...(await millime.reporting.verifyBooks()),
      ...(await millime.dayClosing.verify()),
    ];

    const lastClosedDay = async (): Promise<BusinessDate> => {
      const { rows: seals } = await millime.dayClosing.list({ limit: 100 });
      const closed = seals.find(({ stands }) => stands);
      if (closed === undefined) throw new Error(`the fixture ${name} has no closed day`);
      return closed.date;
    };

    test('has no pending migration, and ledger and closed days verify', async () => {
      expect(await millime.pendingMigrations()).toEqual([]);
      expect(await brokenBooks()).toEqual([]);
    });

    test('removes the rows of an import that was interrupted before it, which nobody sees', async () => {
      const halfLoaded = { file_id: idOf('HALF') };
      const rows = (): Promise<unknown[]> =>
        millime.database.read((session) => session('statement_loads').select('state').where(halfLoaded));
      const listed = (await millime.statements.list({ limit: 100 })).rows;
      expect(listed.map(({ file }) => file.id)).not.toContain(halfLoaded.file_id);
      expect(await rows()).toEqual([{ state: 'loading' }]);
      await millime.statements.recover();
      expect(await rows()).toEqual([]);
      expect((await millime.statements.list({ limit: 100 })).rows).toEqual(listed);
    });

    test('replays each recorded run on the same facts, and names the engine where its answer differs', async () => {
      const runs = (await millime.reconciliation.runs({ limit: RUNS_MAX })).rows;
      expect(runs.length).toBeGreaterThanOrEqual(3);
      for (const { id } of runs) {
        const replay = await millime.reconciliation.replay(id);
        expect(replay.recorded.engineVersion).not.toBe(replay.repeated.engineVersion);
        expect([[], ['answer', 'engine']]).toContainEqual(replay.differsIn);
        expect(replay.isSame).toBe(replay.differsIn.length === 0);
      }
    });

    test('reads the stored bank files again with the same result', async () => {
      const listed = (await millime.statements.list({ limit: 100 })).rows;
      expect(new Set(listed.map(({ statement }) => statement.verdict))).toEqual(new Set(['ok', 'unbalanced']));
      for (const { statement } of listed) {
        expect((await millime.statements.reread(statement.id)).differences).toEqual([]);
      }
    });

    test('processes the waiting webhooks and updates their payments', async () => {
      const { rows: waiting } = await millime.webhooks.list({ states: ['received'], limit: INBOX_MAX });
      const families = new Set(waiting.map(({ family }) => family));
      expect([...families].sort()).toEqual(['hint', 'payment_v2', 'subscription']);
      await millime.webhooks.processInbox();
      const { rows: after } = await millime.webhooks.list({ limit: INBOX_MAX });
      for (const { id, family, event, paymentId } of waiting) {
        const entry = after.find((each) => each.id === id);
        // The gateway of this test knows no subscription, so that one is read and waits for a better answer.
        if (family === 'subscription') expect(entry).toMatchObject({ state: 'received', tries: 1 });
        else expect(entry).toMatchObject({ state: 'done', error: undefined });
        if (family !== 'payment_v2') continue;
        const { payment } = await millime.payments.show(paymentId ?? '');
        expect(payment.status).toBe(event === 'payment.succeeded' ? 'SUCCESS' : 'FAILURE');
      }
      expect(await brokenBooks()).toEqual([]);
    });

    test('accepts a statement without effect and posts its lines', async () => {
      const [listed] = (await millime.statements.list({ waiting: true, limit: 100 })).rows;
      const id = listed?.statement.id ?? '';
      const accepted = await millime.statements.accept({ id, reason: 'the bank confirmed it', actor: LEILA });
      expect(accepted.kind).toBe('accepted');
      expect(await brokenBooks()).toEqual([]);
    });

    test('approves and rejects open proposals', async () => {
      const { rows: waiting } = await millime.breakWorkflow.proposals({ waiting: true, limit: 10 });
      expect(waiting.length).toBeGreaterThanOrEqual(2);
      const [first, ...others] = waiting.map(({ id }) => id);
      expect(await millime.breakWorkflow.reject({ id: first ?? '', reason: 'not yet', actor: LEILA })).toMatchObject({
        outcome: 'rejected',
      });
      for (const id of others) {
        expect(await millime.breakWorkflow.approve({ id, actor: LEILA })).toMatchObject({ outcome: 'approved' });
      }
      expect((await millime.breakWorkflow.proposals({ waiting: true, limit: 10 })).rows).toEqual([]);
      expect(await brokenBooks()).toEqual([]);
    });

    test('closes the day after the last closed one', async () => {
      const date = addDays(await lastClosedDay(), 1);
      const { obstacles } = await millime.dayClosing.close({ date, actor: LEILA, dryRun: true });
      // The statement that was accepted above.
      expect(obstacles.map(({ code }) => code)).toEqual(['lines_unread']);
      const [last] = (await millime.reconciliation.runs({ limit: 1 })).rows;
      await millime.reconciliation.run({ through: last?.through ?? date, actor: LEILA, dryRun: false });
      const closed = await millime.dayClosing.close({ date, actor: LEILA, dryRun: false });
      expect(closed).toMatchObject({ kind: 'closed', date, obstacles: [] });
      expect(await lastClosedDay()).toBe(date);
      expect(await brokenBooks()).toEqual([]);
    });

    test('S32: erases an agent, and closed days, replays and reports are as before except for the name', async () => {
      // The credit is paid back first: an agent with open money is not erased.
      const { fullName, credit } = await millime.dues.dueOf('A-1');
      const due = `reference,agent_id,amount_millimes,due_date,memo\nPAID-BACK,A-1,${credit},2026-03-01,`;
      await millime.dues.importCsv(Buffer.from(due), { actor: LEILA, dryRun: false });
      const told = async (): Promise<string> => {
        const day = await lastClosedDay();
        const { agents, reporting, reconciliation } = millime;
        const runs = (await reconciliation.runs({ limit: RUNS_MAX })).rows;
        const replays = await Promise.all(runs.map(({ id }) => reconciliation.replay(id)));
        const lines: string[] = [];
        await reporting.exportLedger('csv', async (text) => lines.push(text) > 0);
        const reports = [await reporting.daily(day), await reporting.agents(reporting.usualPeriod(day))];
        const parts = [
          reports,
          replays,
          lines,
          await millime.dayClosing.list({ limit: 100 }),
          await agents.find('A-2'),
        ];
        return JSON.stringify(parts, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
      };
      const before = await told();
      expect(before).toContain(fullName);
      const decision = { actor: LEILA, reason: 'request 2026-17', dryRun: false };
      expect(await millime.erasures.eraseAgent('A-1', decision)).toBe('erased');
      expect(await told()).toBe(before.replaceAll(fullName, 'erased'));
      expect(await brokenBooks()).toEqual([]);
    });
  });
});
