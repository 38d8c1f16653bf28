// Goal: kill -9 at any moment of a run, a closing or a second person's approval leaves nothing half done: the repeated
// command completes it, with one posting, one seal, one decision.
// Method: the command of the built program kills itself at the first point of its transactions, then at the second, and
// so on until it ends; the command is repeated after each death.
import { beforeEach, expect, test } from '@jest/globals';
import { scenarioNamed } from '../../scripts/evaluate/score/make-world';
import { openBreakStore } from '../../src/breaks';
import { addDays, businessDate, millimes } from '../../src/kernel';
import { inferPayouts } from '../../src/payout-inference';
import { openRooms, type Rooms } from '../integration/ledger/rooms';
import { putWorld } from '../integration/reconciliation/put-world';
import { describeOnOneDatabase } from '../support/db';
import { runCli } from '../support/server-process';
import { Installation } from './support/installation';
import { SignalledCommand } from './support/signalled-command';
import { countRows, selectRows } from './support/tables';

// Each death and each new try is a process.
const LIMIT_MS = 600_000;
const START = '2026-03-02T09:00:00+01:00';
const LONG_AFTER = '2026-12-01T09:00:00+01:00';
/** Far more than any of these commands has: one that never ends is a fault of its own. */
const POINTS_MAX = 40;
const KILLED = { code: null, signal: 'SIGKILL' };

describeOnOneDatabase('a killed command', (harness) => {
  let millime: Installation;
  let rooms: Rooms;

  beforeEach(() => {
    millime = new Installation(harness.url, { clock: LONG_AFTER });
    rooms = openRooms(harness.database, START, inferPayouts);
  });

  /** Calls `round` with a command that dies at the first point, at the second, …, and gives how many it had. */
  async function killEverywhere(
    argsOf: (round: number) => readonly string[],
    again: (round: number, args: readonly string[], ended: boolean) => Promise<void>,
    env: Readonly<Record<string, string>> = {},
  ): Promise<number> {
    for (let point = 1; point <= POINTS_MAX; point += 1) {
      const args = argsOf(point);
      const command = new SignalledCommand(millime, args, { signalAt: { point, signal: 'SIGKILL' }, env });
      const end = await command.ended;
      const isEnded = end.signal === null;
      if (!isEnded) expect(end).toEqual(KILLED);
      await again(point, args, isEnded);
      expect(await millime.brokenInvariants()).toEqual([]);
      if (isEnded) return point - 1;
    }
    throw new Error(`it had more than ${POINTS_MAX} points`);
  }

  test(
    'reconcile: posts each credit once, and the next run gives the answer of an uninterrupted one',
    async () => {
      const world = scenarioNamed('refunds-before')?.generate(1, { items: 300, days: 40 });
      if (world === undefined) throw new Error('the scenario is there');
      await putWorld(harness.database, rooms, world);
      const through = world.files.lines.at(-1)?.bookingDate ?? '';
      const unharmed = await rooms.reconcile(through, { dryRun: true });
      const resolved = unharmed.credits.filter(({ outcome }) => outcome === 'resolved');
      expect(resolved.length).toBeGreaterThan(0);

      const args = ['reconcile', '--through', through, '--json'];
      const points = await killEverywhere(
        () => args,
        async () => Promise.resolve(),
      );
      expect(points).toBeGreaterThan(2);
      expect(await rooms.reconcile(through, { dryRun: true })).toEqual(unharmed);
      expect(await countRows(millime.url, 'payout_matches')).toBe(resolved.length);
      expect(await countRows(millime.url, 'ledger_transactions', "code = 'payout'")).toBe(resolved.length);
    },
    LIMIT_MS,
  );

  test(
    'close-day: seals each day once, and the chain verifies',
    async () => {
      await rooms.importAgents('A1');
      await rooms.confirm({ transactionId: 'T-1', agentId: 'A1', amount: 10_000 });
      await rooms.reconcile('2026-04-30');
      const dayOf = (round: number): string => addDays(businessDate('2026-03-01'), round);
      const points = await killEverywhere(
        (round) => ['close-day', dayOf(round), '--reason', 'no statement yet', '--json'],
        async (_round, args, isEnded) => {
          const { code, stdout, stderr } = await millime.cli(...args);
          expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
          if (isEnded) expect(JSON.parse(stdout)).toMatchObject({ outcome: 'already_closed' });
        },
      );
      expect(points).toBeGreaterThan(2);
      const chain = await millime.json<{ number: number; date: string; stands: boolean }[]>(['close-day', '--list']);
      expect(chain.map(({ number, date, stands }) => [number, date, stands])).toEqual(
        chain.map((_, index) => [index + 1, dayOf(index + 1), true]),
      );
      expect(chain).toHaveLength(points + 1);
    },
    LIMIT_MS,
  );

  test(
    'breaks approve: performs the decision of two people once',
    async () => {
      await rooms.importAgents('A1');
      const breakIds: string[] = [];
      for (let number = 1; number <= POINTS_MAX; number += 1) {
        await rooms.confirm({ transactionId: `T-${number}`, agentId: 'A1', amount: 1_000 + number });
      }
      await harness.database.transact(async (session) => {
        const store = openBreakStore(session);
        const fingerprints = Array.from({ length: POINTS_MAX }, (_, index) => `items:${index + 1}`);
        await store.open(
          fingerprints.map((fingerprint, index) => ({
            fingerprint,
            breakClass: 'amount_differs',
            since: businessDate('2026-03-02'),
            amount: millimes(1_001 + index),
            direction: 'books_have_more',
            subject: { itemIds: [`service:T-${index + 1}`], lineIds: [], facts: {} },
          })),
          rooms.clock.now(),
          'test',
        );
        const found = await store.byFingerprint(fingerprints);
        breakIds.push(...fingerprints.map((fingerprint) => found.get(fingerprint)?.id ?? ''));
      });
      const keyOf = async (name: string): Promise<Readonly<Record<string, string>>> => {
        const args = ['keys', 'create', '--recover', '--reason', 'first', '--name', name, '--scopes', 'all'];
        return { MILLIME_API_KEY: (await millime.cli(...args)).stdout.trim() };
      };
      const [leila, omar] = [await keyOf('leila'), await keyOf('omar')];
      const idOf = (round: number): string => breakIds[round - 1] ?? '';
      const propose = async (round: number): Promise<void> => {
        const proposal = ['breaks', 'propose', idOf(round), '--action', 'write_off', '--reason', 'it will not be paid'];
        expect(await runCli(proposal, { ...millime.env, ...leila })).toMatchObject({ code: 0 });
      };

      await propose(1);
      const points = await killEverywhere(
        (round) => ['breaks', 'approve', idOf(round), '--json'],
        async (round, args) => {
          const { code, stderr } = await runCli(args, { ...millime.env, ...omar });
          // Where it died after its COMMIT, or did not die, the second try learns that it is decided.
          if (code !== 0) expect(stderr).toContain('has no open proposal');
          const id = idOf(round);
          expect(await millime.json(['breaks', 'show', id])).toMatchObject({
            status: 'resolved',
            resolution: 'written_off',
            proposals: [{ decision: { outcome: 'approved', decidedBy: 'omar' } }],
          });
          const posted = `select reference from ledger_transactions where reference like 'write-off:${id}%'`;
          expect(await selectRows(millime.url, posted)).toEqual([{ reference: `write-off:${id}` }]);
          await propose(round + 1);
        },
        omar,
      );
      expect(points).toBeGreaterThan(2);
    },
    LIMIT_MS,
  );
});
