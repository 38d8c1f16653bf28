// Goal: a write-off by two people keeps the ledger correct, never exceeds the break, and can be reversed.
// Method: confirms and bank lines through the rooms, breaks over them, and every invariant of the books after each
// test.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { directionOf, type NewBreak } from '../../../src/breaks';
import { writeOffHandler } from '../../../src/breaks/testing';
import { rowsOf, type Session } from '../../../src/db';
import { millimes, newId } from '../../../src/kernel';
import {
  type Account,
  BANK_UNMATCHED,
  gatewayClearing,
  type NewLedgerTransaction,
  openLedger,
  reverseTransaction,
  WRITE_OFF,
} from '../../../src/ledger';
import { describeOnEachDatabase } from '../../support/db';
import { giveBack, receive } from '../ledger/gateway-money';
import { openRooms, type Rooms } from '../ledger/rooms';
import { contents } from '../ledger/row-counts';
import { aBreak, LEILA, OMAR, person, type WorkflowBench, workflowBench } from './workflow-bench';

const CLEARING = gatewayClearing('agent');

describeOnEachDatabase('a write-off', (harness) => {
  let bench: WorkflowBench;
  let rooms: Rooms;

  beforeEach(async () => {
    bench = workflowBench(harness.database);
    rooms = openRooms(harness.database, '2026-03-02T09:00:00+01:00');
    await rooms.importAgents('A1');
    await rooms.confirm({ transactionId: 'T1', agentId: 'A1', amount: 50_000 });
    await rooms.importStatement([
      ['03/03/2026', 'VERSEMENT', 80_000],
      ['03/03/2026', 'FRAIS', -2_000],
    ]);
  });

  afterEach(async () => {
    expect(await rooms.reporting.verifyBooks()).toEqual([]);
  });

  const overItems = (amount: number, ...itemIds: readonly string[]): NewBreak =>
    aBreak('items', {
      amount: millimes(amount),
      direction: directionOf(amount),
      subject: { itemIds, lineIds: [], facts: {} },
    });

  async function overLine(amount: number): Promise<NewBreak> {
    const [line] = await harness.database.read((session) =>
      rowsOf(session('bank_statement_lines as l').select('l.id').where('l.amount_minor', amount)),
    );
    const lineIds = [String(line?.['id'])];
    const size = { amount: millimes(Math.abs(amount)), direction: directionOf(-amount) };
    return aBreak('line', { ...size, subject: { itemIds: [], lineIds, facts: {} } });
  }

  const balance = (account: Account): Promise<number> =>
    harness.database.read(async (session) => Number(await openLedger(session).sumOf(account)));

  const proposeFor = (breakId: string, payload: Readonly<Record<string, unknown>> = {}) =>
    bench.workflow.propose({
      about: { breakId },
      action: { kind: 'write_off', payload },
      reason: 'it will not be paid',
      actor: LEILA,
    });

  async function writeOff(breakId: string, payload: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await proposeFor(breakId, payload);
    await bench.workflow.approve({ id: breakId, actor: OMAR });
  }

  const unchangedBy = async (work: () => Promise<unknown>, code: string): Promise<void> => {
    const before = await contents(harness.database);
    await expect(work()).rejects.toMatchObject({ code });
    expect(await contents(harness.database)).toEqual(before);
  };

  test('posts missing money as a loss from the clearing of its channel, and closes the break', async () => {
    const id = await bench.open(overItems(50_000, 'service:T1'));
    const { wouldDo } = await proposeFor(id);
    expect(wouldDo).toMatchObject({ posted: { reference: `write-off:${id}`, amount: 50_000 } });
    expect([await balance(CLEARING), await balance(WRITE_OFF)]).toEqual([50_000, 0]);
    await bench.workflow.approve({ id, actor: OMAR });
    expect([await balance(CLEARING), await balance(WRITE_OFF)]).toEqual([0, 50_000]);
    const { breakView, proposals } = await bench.workflow.show(id);
    expect(breakView).toMatchObject({ status: 'resolved', resolution: 'written_off' });
    expect(proposals).toMatchObject([{ decision: { postedAs: `write-off:${id}`, amount: 50_000 } }]);
  });

  test('posts money that the gateway never reclaimed as a gain', async () => {
    const id = await bench.open(overItems(-3_000, 'service:T1'));
    await writeOff(id);
    expect([await balance(CLEARING), await balance(WRITE_OFF)]).toEqual([53_000, -3_000]);
  });

  test.each([
    [80_000, -80_000],
    [-2_000, 2_000],
  ])('posts a bank line of %i with the sign of the line', async (amount, given) => {
    const id = await bench.open(await overLine(amount));
    const before = await balance(BANK_UNMATCHED);
    await writeOff(id);
    expect(await balance(BANK_UNMATCHED)).toBe(before + amount);
    expect(await balance(WRITE_OFF)).toBe(given);
  });

  test('leaves the break open with the rest after a part, and never exceeds its amount', async () => {
    const id = await bench.open(overItems(50_000, 'service:T1'));
    await bench.workflow.assign({ id, assignee: 'salma', actor: LEILA });
    await writeOff(id, { amountMillimes: 20_000 });
    expect((await bench.workflow.show(id)).breakView.status).toBe('assigned');
    await unchangedBy(() => proposeFor(id, { amountMillimes: 30_001 }), 'conflict');
    await writeOff(id, { amountMillimes: 29_999 });
    await writeOff(id);
    expect((await bench.workflow.show(id)).breakView).toMatchObject({ status: 'resolved', resolution: 'written_off' });
    expect([await balance(CLEARING), await balance(WRITE_OFF)]).toEqual([0, 50_000]);
  });

  test('is posted once when two people approve concurrently', async () => {
    const id = await bench.open(overItems(50_000, 'service:T1'));
    await proposeFor(id);
    await Promise.allSettled(
      [OMAR, person('salma'), person('nour')].map((actor) => bench.workflow.approve({ id, actor })),
    );
    expect(await balance(WRITE_OFF)).toBe(50_000);
  });

  test('is reversed when two people reopen the break, and can be repeated', async () => {
    const id = await bench.open(overItems(50_000, 'service:T1'));
    await writeOff(id, { amountMillimes: 20_000 });
    await writeOff(id);
    const reopen = { about: { breakId: id }, action: { kind: 'reopen', payload: {} }, reason: 'it came after all' };
    await bench.workflow.propose({ ...reopen, actor: OMAR });
    await bench.workflow.approve({ id, actor: LEILA });
    expect([await balance(CLEARING), await balance(WRITE_OFF)]).toEqual([50_000, 0]);
    expect((await bench.workflow.show(id)).breakView.status).toBe('open');
    await writeOff(id, { amountMillimes: 50_000 });
    expect(await balance(WRITE_OFF)).toBe(50_000);
    await bench.workflow.propose({ ...reopen, actor: OMAR });
    await bench.workflow.approve({ id, actor: LEILA });
    expect(await balance(WRITE_OFF)).toBe(0);
  });

  test('reverses a part while the break is open, and keeps the assignee', async () => {
    const id = await bench.open(overItems(50_000, 'service:T1'));
    await bench.workflow.assign({ id, assignee: 'salma', actor: LEILA });
    const reopen = { about: { breakId: id }, action: { kind: 'reopen', payload: {} }, reason: 'it came after all' };
    await unchangedBy(() => bench.workflow.propose({ ...reopen, actor: OMAR }), 'conflict');
    await writeOff(id, { amountMillimes: 20_000 });
    const { wouldDo } = await bench.workflow.propose({ ...reopen, actor: OMAR });
    expect(wouldDo).toMatchObject({ breakBecomes: { kind: 'kept' }, posted: { amount: 20_000 } });
    await bench.workflow.approve({ id, actor: LEILA });
    expect([await balance(CLEARING), await balance(WRITE_OFF)]).toEqual([50_000, 0]);
    expect((await bench.workflow.show(id)).breakView).toMatchObject({ status: 'assigned', assignee: 'salma' });
    await writeOff(id);
    expect(await balance(WRITE_OFF)).toBe(50_000);
  });

  test('needs the account of a break that holds money in several', async () => {
    await receive(harness.database, { id: 'P1', channel: 'card', amount: 10_000 }, bench.clock.now());
    const id = await bench.open(overItems(60_000, 'service:T1', 'payment:P1'));
    await unchangedBy(() => proposeFor(id), 'conflict');
    await writeOff(id, { account: 'gateway_clearing:card', amountMillimes: 10_000 });
    expect(await balance(gatewayClearing('card'))).toBe(0);
    expect(await balance(CLEARING)).toBe(50_000);
  });

  describe('of a break that holds money of several channels', () => {
    const WALLET = gatewayClearing('wallet');
    const CARD = gatewayClearing('card');
    let id: string;

    beforeEach(async () => {
      await receive(harness.database, { id: 'P1', channel: 'card', amount: 10_000 }, bench.clock.now());
      await receive(harness.database, { id: 'P2', channel: 'wallet', amount: 3_000 }, bench.clock.now());
      id = await bench.open(overItems(63_000, 'service:T1', 'payment:P1', 'payment:P2'));
    });

    const balances = async (): Promise<number[]> => Promise.all([CLEARING, CARD, WALLET, WRITE_OFF].map(balance));
    const shown = async (): Promise<unknown> => {
      const { status, resolution, writtenOff } = (await bench.workflow.show(id)).breakView;
      return [status, resolution, writtenOff];
    };

    test('writes off what the break brought to each account, and closes it with the last one', async () => {
      await writeOff(id, { account: CLEARING });
      expect(await balances()).toEqual([0, 10_000, 3_000, 50_000]);
      expect(await shown()).toEqual(['open', undefined, 50_000]);
      await writeOff(id, { account: WALLET, amountMillimes: 1_000 });
      await writeOff(id, { account: CARD });
      expect(await shown()).toEqual(['open', undefined, 61_000]);
      // The account has not to be named where only one has anything left.
      await writeOff(id);
      expect(await balances()).toEqual([0, 0, 0, 63_000]);
      expect(await shown()).toEqual(['resolved', 'written_off', 63_000]);
    });

    test('refuses more than is left and names what is left in each account', async () => {
      const refused = (payload: Record<string, unknown>, ...words: readonly string[]): Promise<void> =>
        unchangedBy(async () => {
          try {
            await proposeFor(id, payload);
          } catch (error) {
            for (const word of words) expect(String(error)).toContain(word);
            throw error;
          }
        }, 'conflict');
      await refused({ account: CARD, amountMillimes: 10_001 }, '10,001 DT', '10,000 DT', CARD);
      await writeOff(id, { account: CARD, amountMillimes: 4_000 });
      await refused({ account: CARD, amountMillimes: 6_001 }, '6,000 DT', CARD);
      await writeOff(id, { account: CARD });
      await refused({ account: CARD }, `break ${id} has nothing left to write off in ${CARD}`, CLEARING, WALLET);
      await refused({}, `50,000 DT in ${CLEARING}, 3,000 DT in ${WALLET}`);
    });

    test('counts reversed write-offs as left', async () => {
      await writeOff(id, { account: CLEARING });
      await writeOff(id, { account: CARD });
      await writeOff(id, { account: WALLET });
      const reopen = { about: { breakId: id }, action: { kind: 'reopen', payload: {} }, reason: 'it came after all' };
      await bench.workflow.propose({ ...reopen, actor: OMAR });
      await bench.workflow.approve({ id, actor: LEILA });
      expect(await shown()).toEqual(['open', undefined, 0]);
      await unchangedBy(() => proposeFor(id), 'conflict');
      await writeOff(id, { account: CLEARING });
      expect(await balances()).toEqual([0, 10_000, 3_000, 50_000]);
    });

    test('posts a loss in one account and a gain in the other if the break nets them', async () => {
      const of = { id: 'P1', channel: 'card', amount: 10_000 } as const;
      await giveBack(harness.database, { id: 'R1', of, amount: 10_000 }, bench.clock.now());
      const netted = await bench.open({
        ...overItems(-7_000, 'payment:P2', 'refund:R1'),
        fingerprint: 'netted',
      });
      await writeOff(netted, { account: WALLET });
      expect((await bench.workflow.show(netted)).breakView).toMatchObject({ status: 'open', writtenOff: 3_000 });
      await writeOff(netted);
      expect(await balances()).toEqual([50_000, 10_000, 0, -7_000]);
      expect((await bench.workflow.show(netted)).breakView).toMatchObject({ status: 'resolved', writtenOff: -7_000 });
    });

    test('counts every row of a break with many rows', async () => {
      const unposted = Array.from({ length: 500 }, (_, at) => `service:U${at}`);
      const itemIds = ['payment:P1', ...unposted, 'payment:P2', 'service:T1'];
      const large = await bench.open({ ...overItems(63_000, ...itemIds), fingerprint: 'large' });
      for (const account of [CLEARING, CARD, WALLET]) await writeOff(large, { account });
      expect(await balances()).toEqual([0, 0, 0, 63_000]);
      expect((await bench.workflow.show(large)).breakView).toMatchObject({ status: 'resolved', writtenOff: 63_000 });
    });

    test('leaves a break open with the amount of an unposted row', async () => {
      const more = await bench.open({ ...overItems(12_000, 'payment:P1', 'payment:unknown'), fingerprint: 'more' });
      await writeOff(more);
      expect(await balances()).toEqual([50_000, 0, 3_000, 10_000]);
      expect((await bench.workflow.show(more)).breakView).toMatchObject({ status: 'open', writtenOff: 10_000 });
      await unchangedBy(() => proposeFor(more), 'conflict');
    });
  });

  test('shows a written-off part in the list and at the break, with the sign of the amount', async () => {
    const id = await bench.open(overItems(50_000, 'service:T1'));
    const other = await bench.open({ ...overItems(-3_000, 'service:T1'), fingerprint: 'other' });
    await writeOff(id, { amountMillimes: 20_000 });
    await writeOff(other, { amountMillimes: 1_000 });
    const { rows: listed } = await bench.workflow.list({ limit: 10 });
    expect(listed.map((each) => [each.id, each.amount, each.writtenOff])).toEqual(
      expect.arrayContaining([
        [id, 50_000, 20_000],
        [other, -3_000, -1_000],
      ]),
    );
    const line = await bench.open(await overLine(-2_000));
    await writeOff(line, { amountMillimes: 500 });
    expect((await bench.workflow.show(line)).breakView.writtenOff).toBe(500);
  });

  test.each<[string, NewBreak, Record<string, unknown>, string]>([
    ['rows that are not posted', overItems(50_000, 'service:unknown'), {}, 'conflict'],
    ['no rows', overItems(50_000), {}, 'conflict'],
    ['an amount that is not known', { ...overItems(1, 'service:T1'), amount: undefined }, {}, 'conflict'],
    ['an amount of 0', overItems(0, 'service:T1'), {}, 'conflict'],
    ['an account that none of its rows is in', overItems(1, 'service:T1'), { account: 'bank_unmatched' }, 'bad_input'],
    ['an account of an agent', overItems(1, 'service:T1'), { account: 'agent_receivable:A1' }, 'bad_input'],
    ['more than its amount', overItems(9, 'service:T1'), { amountMillimes: 10 }, 'conflict'],
    ['a part of 0', overItems(9, 'service:T1'), { amountMillimes: 0 }, 'bad_input'],
    ['a negative part', overItems(9, 'service:T1'), { amountMillimes: -1 }, 'bad_input'],
    ['a part of a millime', overItems(9, 'service:T1'), { amountMillimes: 0.5 }, 'bad_input'],
    ['a word it does not know', overItems(9, 'service:T1'), { amount: 5 }, 'bad_input'],
  ])('is refused for a break with %s', async (_what, given, payload, code) => {
    const id = await bench.open(given);
    await unchangedBy(() => proposeFor(id, payload), code);
  });

  test('refuses a line that a payout explained, until the match is reversed', async () => {
    const given = await overLine(80_000);
    const id = await bench.open(given);
    await proposeFor(id);
    const { breakView: reconBreak, proposals } = await bench.workflow.show(id);
    const [proposal] = proposals;
    if (proposal === undefined) throw new Error('it was proposed');
    const line = given.subject.lineIds.join();
    const at = bench.clock.now();
    const facts = { occurredAt: at, recordedAt: at, recordedBy: 'test' };
    const payout = (reference: string): NewLedgerTransaction => ({
      ...{ id: newId(), reference, code: 'payout', ...facts },
      postings: [{ debit: BANK_UNMATCHED, credit: CLEARING, amount: millimes(80_000) }],
    });
    /** Tries the approval after what others posted meanwhile, and takes all of it back. */
    const after = (meanwhile: (session: Session) => Promise<unknown>) =>
      harness.database.transact(
        async (session) => {
          await meanwhile(session);
          return writeOffHandler()(session, { ...proposal, reconBreak }, OMAR, at);
        },
        { dryRun: true },
      );
    const explain = (session: Session) => openLedger(session).post([payout(`payout:${line}`)]);
    const takeBack = (session: Session) =>
      reverseTransaction(session, {
        ...{ originalReference: `payout:${line}`, reference: 'payout-back:1', code: 'reversal' },
        ...facts,
      });
    const explained = { code: 'conflict', message: expect.stringContaining('no posting to write off') };
    await expect(after(explain)).rejects.toMatchObject(explained);
    const done = await after(async (session) => [await explain(session), await takeBack(session)]);
    expect(done.posted?.amount).toBe(80_000);
    const matchedAnew = after(async (session) => {
      await explain(session);
      await takeBack(session);
      await openLedger(session).post([payout(`payout:${line}:2`)]);
    });
    await expect(matchedAnew).rejects.toMatchObject(explained);
  });
});
