// Goal: a run respects the decisions of people and other runs between its reading and its writing.
// Method: a run whose first write waits until the others are done, on both databases; then the books are checked.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { businessDate } from '../../../src/kernel';
import { BANK_UNMATCHED, openLedger } from '../../../src/ledger';
import { silentLogger } from '../../../src/logging';
import type { FeeRule } from '../../../src/payout-inference';
import { createReconciliation, type FeeSchedule, type Reconciliation } from '../../../src/reconciliation';
import { describeOnEachDatabase } from '../../support/db';
import { TESTER } from '../../support/factories';
import { runsFirst } from '../../support/runs-first';
import { ONE_PERCENT, sweepBySums } from '../../support/sweep-by-sums';
import { openRooms, PAYOUT_TEXT, type Rooms } from '../ledger/rooms';
import { decideByTwo, openWorkflow } from './two-people';

const THROUGH = '2026-03-13';
const COMMISSION = 1;
const BY_TESTER = { actor: TESTER, dryRun: false };
/** Learned of credits that are all of their items. */
const NOTHING: FeeRule = { ...ONE_PERCENT, ratePpm: 0, tvaPpm: 0 };

describeOnEachDatabase('a run during which facts change', (harness) => {
  let rooms: Rooms;

  beforeEach(async () => {
    rooms = openRooms(harness.database, '2026-03-02T08:00:00+01:00');
    await rooms.importAgents('A1');
    rooms.clock.set('2026-03-13T18:00:00+01:00');
    await rooms.importStatement([['03/03/2026', PAYOUT_TEXT, 12_500]]);
    // The bank has told of later days, and kept its commission.
    await rooms.importStatement([['12/03/2026', 'COMMISSION', -COMMISSION]]);
  });

  afterEach(async () => expect(await rooms.reporting.verifyBooks()).toEqual([]));

  const confirmBoth = async (): Promise<void> => {
    await rooms.confirm({ transactionId: 'T1', agentId: 'A1', amount: 10_000 }, '2026-03-02T09:00:00+01:00');
    await rooms.confirm({ transactionId: 'T2', agentId: 'A1', amount: 2_500 }, '2026-03-02T15:00:00+01:00');
    rooms.clock.set('2026-03-13T19:00:00+01:00');
  };
  const schedules = async (): Promise<readonly FeeSchedule[]> =>
    (await rooms.reconciliation.feeSchedules({ limit: 10 })).rows;
  const unmatchedMoney = async (): Promise<number> =>
    Number(await harness.database.read((session) => openLedger(session).sumOf(BANK_UNMATCHED)));

  /** Its runs learn these rules if no person has entered others. */
  function learning(learned: readonly FeeRule[], database = harness.database): Reconciliation {
    const { clock, calendar, workingDays } = rooms;
    const deps = { database, clock, calendar, workingDays, logger: silentLogger };
    return createReconciliation({ ...deps, infer: sweepBySums(learned) });
  }

  /** A run that has read its facts, and worked all out, when the others do theirs. */
  async function runWhile(
    others: () => Promise<void>,
    learned: readonly FeeRule[] = [],
  ): Promise<Awaited<ReturnType<Rooms['reconcile']>>> {
    return learning(learned, runsFirst(others, harness.database)).run({ ...BY_TESTER, through: businessDate(THROUGH) });
  }

  test('leaves a credit for manual review that another run matched and a person unmatched', async () => {
    await confirmBoth();
    const result = await runWhile(async () => {
      const { credits } = await rooms.reconcile(THROUGH);
      const lineId = credits[0]?.line_id ?? '';
      await rooms.reconciliation.unmatch({ lineId, reason: 'the bank says so', actor: TESTER, dryRun: false });
    });
    expect(result.credits).toMatchObject([{ outcome: 'ambiguous', proposal: ['service:T1', 'service:T2'] }]);
    expect(await unmatchedMoney()).toBe(COMMISSION - 12_500);
  });

  test('matches the line that stays if a join of two names repeats the other line', async () => {
    await confirmBoth();
    const [planned] = (await rooms.reconcile(THROUGH, { dryRun: true })).credits;
    expect(planned).toMatchObject({ outcome: 'resolved' });
    const result = await runWhile(async () => {
      await rooms.importStatement([['03/03/2026', PAYOUT_TEXT, 12_500]], 'OTHER-1');
      const names = { name: '11222333333333333344', into: 'OTHER-1' };
      await rooms.statements.joinAccounts({ ...names, reason: 'one account', actor: TESTER });
    });
    expect(result.credits).toMatchObject([{ outcome: 'resolved' }]);
    expect(result.credits[0]?.line_id).not.toBe(planned?.line_id);
    expect(await unmatchedMoney()).toBe(COMMISSION);
  });

  test('leaves a credit unmatched that two persons write off', async () => {
    await rooms.reconcile(THROUGH);
    const [missing] = (await rooms.breaks.list({})).filter(({ breakClass }) => breakClass === 'missing_in_book');
    await confirmBoth();
    const result = await runWhile(async () => {
      const workflow = openWorkflow(harness.database, rooms);
      await decideByTwo(workflow, missing?.id ?? '', 'write_off', { account: BANK_UNMATCHED });
    });
    expect(result.credits).toEqual([]);
    expect(await unmatchedMoney()).toBe(COMMISSION);
  });

  test('opens no break for what another run matched first', async () => {
    await confirmBoth();
    await runWhile(async () => {
      await rooms.reconcile(THROUGH);
    });
    expect(await rooms.breaks.list({ includeResolved: true })).toEqual([]);
    expect(await unmatchedMoney()).toBe(COMMISSION);
  });

  test('keeps fees that a person confirms, whatever the run learned', async () => {
    await confirmBoth();
    await runWhile(async () => {
      await learning([NOTHING]).run({ ...BY_TESTER, through: businessDate(THROUGH) });
      await rooms.reconciliation.confirmFees({ ...BY_TESTER, reason: 'the contract says so' });
    }, [NOTHING]);
    expect(await schedules()).toMatchObject([{ rules: [NOTHING], confirmedBy: TESTER.name }]);
  });

  test('keeps known fees that a person confirms while the run learns others', async () => {
    await confirmBoth();
    await learning([NOTHING]).run({ ...BY_TESTER, through: businessDate(THROUGH) });
    for (const day of ['04', '05', '06']) {
      await rooms.confirm({ transactionId: `T${day}`, agentId: 'A1', amount: 10_000 }, `2026-03-${day}T09:00:00+01:00`);
    }
    rooms.clock.set('2026-03-13T20:00:00+01:00');
    await rooms.importStatement(['05', '06', '09'].map((day) => [`${day}/03/2026`, PAYOUT_TEXT, 9_900] as const));
    await runWhile(async () => {
      await rooms.reconciliation.confirmFees({ ...BY_TESTER, reason: 'the contract says so' });
    }, [{ ...NOTHING, ratePpm: 10_000 }]);
    expect(await schedules()).toMatchObject([{ rules: [NOTHING], confirmedBy: TESTER.name }]);
  });

  test('keeps fees that a person enters', async () => {
    await confirmBoth();
    await runWhile(async () => {
      await rooms.reconciliation.giveFees({ ...BY_TESTER, rules: [], reason: 'the contract says so' });
    }, [NOTHING]);
    expect(await schedules()).toMatchObject([{ rules: [], lineIds: [], confirmedBy: TESTER.name }]);
    expect(await unmatchedMoney()).toBe(COMMISSION);
  });
});
