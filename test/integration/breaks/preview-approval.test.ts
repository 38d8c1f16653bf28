// Goal: an approver sees what an approval changes, in the ledger and of the break, before it happens.
// Method: money in the clearing; each preview is compared with the approval after it, and stores nothing.
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { openBreakStore, type ProposedAction } from '../../../src/breaks';
import { millimes } from '../../../src/kernel';
import { gatewayClearing, openLedger, WRITE_OFF } from '../../../src/ledger';
import { describeOnEachDatabase } from '../../support/db';
import { openRooms, type Rooms } from '../ledger/rooms';
import { contents } from '../ledger/row-counts';
import { aBreak, LEILA, OMAR, type WorkflowBench, workflowBench } from './workflow-bench';

const CLEARING = gatewayClearing('agent');
const SUBJECT = { itemIds: ['service:T1'], lineIds: [], facts: {} };

describeOnEachDatabase('the preview of an approval', (harness) => {
  let bench: WorkflowBench;
  let rooms: Rooms;
  let id: string;

  beforeEach(async () => {
    bench = workflowBench(harness.database);
    rooms = openRooms(harness.database, '2026-03-04T10:00:00+01:00');
    await rooms.importAgents('A1');
    // Recorded at the instant of the preview as well: it must not count as a part of the effect.
    await rooms.confirm({ transactionId: 'T1', agentId: 'A1', amount: 50_000 });
    id = await bench.open(aBreak('items', { amount: millimes(5_000), subject: SUBJECT }));
  });

  afterEach(async () => {
    expect(await rooms.reporting.verifyBooks()).toEqual([]);
  });

  const propose = async (action: ProposedAction, actor = LEILA): Promise<string> =>
    (await bench.workflow.propose({ about: { breakId: id }, action, reason: 'it will not be paid', actor })).proposalId;
  const balances = (): Promise<bigint[]> =>
    harness.database.read(async (session) => {
      const ledger = openLedger(session);
      return [await ledger.sumOf(CLEARING), await ledger.sumOf(WRITE_OFF)];
    });

  test('states the accounts and the break before and after a write-off, and stores nothing', async () => {
    const proposalId = await propose({ kind: 'write_off', payload: { amountMillimes: 2_000 } });
    const before = await contents(harness.database);
    const transact = jest.spyOn(harness.database, 'transact');
    const shown = await bench.workflow.preview(id);
    expect(transact).toHaveBeenCalledTimes(1);
    transact.mockRestore();
    expect(await contents(harness.database)).toEqual(before);
    expect(shown).toMatchObject({
      proposal: { id: proposalId, proposedBy: 'leila', reason: 'it will not be paid' },
      reconBreak: { id, direction: 'books_have_more', amount: 5_000 },
      refusal: undefined,
      effect: {
        done: { posted: { amount: 2_000 }, detail: { account: CLEARING, direction: 'loss' } },
        accounts: [
          { account: CLEARING, before: 50_000n, after: 48_000n },
          { account: WRITE_OFF, before: 0n, after: 2_000n },
        ],
        states: { before: { status: 'proposed', left: 5_000 }, after: { status: 'open', left: 3_000 } },
      },
    });
    await bench.workflow.approve({ id, actor: OMAR });
    expect(await balances()).toEqual(shown.effect?.accounts.map(({ after }) => after));
    expect((await bench.workflow.show(id)).breakView).toMatchObject({ status: 'open', writtenOff: 2_000 });
  });

  test('is in a dry run what it is once the proposal is stored', async () => {
    const command = { about: { breakId: id }, reason: 'it will not be paid', actor: LEILA };
    const action = { kind: 'write_off', payload: { amountMillimes: 2_000 } };
    const before = await contents(harness.database);
    const { preview } = await bench.workflow.propose({ ...command, action, dryRun: true });
    expect(await contents(harness.database)).toEqual(before);
    await propose(action);
    const { effect, refusal } = await bench.workflow.preview(id);
    const [tried, stored] = [preview?.effect, effect].map((each) => [each?.accounts, each?.states]);
    expect([tried, preview?.refusal]).toEqual([stored, refusal]);
    expect(effect?.accounts).toHaveLength(2);
  });

  test('states a gain if the bank has more', async () => {
    id = await bench.open(aBreak('gain', { amount: millimes(5_000), direction: 'bank_has_more', subject: SUBJECT }));
    await propose({ kind: 'write_off', payload: {} });
    const { effect } = await bench.workflow.preview(id);
    expect(effect).toMatchObject({
      done: { detail: { account: CLEARING, direction: 'gain' } },
      accounts: [
        { account: CLEARING, before: 50_000n, after: 55_000n },
        { account: WRITE_OFF, before: 0n, after: -5_000n },
      ],
      states: { after: { status: 'resolved', resolution: 'written_off', left: 0 } },
    });
  });

  test('moves no account for an accepted difference, and moves the money back when two people reopen it', async () => {
    await propose({ kind: 'accept', payload: {} });
    expect((await bench.workflow.preview(id)).effect).toMatchObject({
      accounts: [],
      states: { before: { left: 5_000 }, after: { status: 'resolved', resolution: 'accepted', left: 0 } },
    });
    await bench.workflow.reject({ id, reason: 'write it off', actor: OMAR });
    await propose({ kind: 'write_off', payload: {} });
    await bench.workflow.approve({ id, actor: OMAR });
    bench.clock.advance(1_000);
    await propose({ kind: 'reopen', payload: {} });
    expect((await bench.workflow.preview(id)).effect).toMatchObject({
      accounts: [
        { account: CLEARING, before: 45_000n, after: 50_000n },
        { account: WRITE_OFF, before: 5_000n, after: 0n },
      ],
      states: { before: { status: 'resolved', left: 0 }, after: { status: 'open', left: 5_000 } },
    });
  });

  test('says why a proposal cannot be approved now', async () => {
    await propose({ kind: 'write_off', payload: {} });
    const changed = aBreak('items', { amount: millimes(6_000), subject: SUBJECT });
    await harness.database.transact((session) =>
      openBreakStore(session).change(id, changed, bench.clock.now(), 'run:2'),
    );
    const shown = await bench.workflow.preview(id);
    expect(shown).toMatchObject({
      effect: undefined,
      refusal: { text: expect.stringContaining('changed after the proposal') },
    });
  });

  test('refuses a proposal that is decided, and a break without one', async () => {
    await expect(bench.workflow.preview(id)).rejects.toMatchObject({ code: 'conflict' });
    const proposalId = await propose({ kind: 'accept', payload: {} });
    await bench.workflow.approve({ id, actor: OMAR });
    await expect(bench.workflow.preview(proposalId)).rejects.toMatchObject({ code: 'conflict' });
  });
});
