// Goal: a business day is proven and closed once, nothing is recorded in it afterwards, and two people can reopen it.
// Method: the closing on both databases, with postings made directly in the ledger. Monday 2 March 2026 is the first
// day.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { openBreakStore } from '../../../../src/breaks';
import { OPERATOR } from '../../../../src/identity';
import { businessDate, isAppError, newId, parseInstant } from '../../../../src/kernel';
import { openPeriodLock } from '../../../../src/ledger';
import type { CloseOutcome } from '../../../../src/reconciliation';
import { openSealStore } from '../../../../src/reconciliation/testing';
import { describeOnEachDatabase } from '../../../support/db';
import { contents } from '../../ledger/row-counts';
import { NO_BANK, OMAR, openScene, SALMA, type Scene } from './scene';

const MONDAY = '2026-03-02';
const TUESDAY = '2026-03-03';
const LINE = '0'.repeat(25);

describeOnEachDatabase('closing a day', (harness) => {
  let scene: Scene;

  beforeEach(async () => {
    scene = openScene(harness.database, '2026-03-04T09:00:00+01:00');
    await scene.paid('card', 'P0', 5_000, '2026-02-27T12:00:00+01:00');
    await scene.paid('card', 'P1', 10_000, '2026-03-02T09:00:00+01:00');
    await scene.paid('wallet', 'W1', 3_000, '2026-03-02T10:00:00+01:00');
    await scene.reconciled(TUESDAY);
  });

  const openBreaks = () =>
    harness.database.read(async (session) => openBreakStore(session).list({ classes: ['clearing_unexplained'] }));

  describe('proves each channel from the postings', () => {
    test('by opening, movements and closing balance, with what waits and since when', async () => {
      const refund = {
        reference: 'refund:R1',
        code: 'refund',
        amount: 1_000,
        at: '2026-03-02T11:00:00+01:00',
      } as const;
      await scene.post({ ...refund, debit: 'payments_received', credit: 'gateway_clearing:card' });
      const fee = { reference: 'fee:payment:P0', code: 'fee', amount: 75, at: '2026-03-02T12:00:00+01:00' } as const;
      await scene.post({ ...fee, debit: 'gateway_fees', credit: 'gateway_clearing:card' });
      await scene.paidOut(`${LINE}1`, 'card', { 'payment:P0': 5_000 }, 4_925, '2026-03-02T13:00:00+01:00');
      const { proof } = await scene.close(MONDAY);
      expect(proof.channels).toEqual([
        {
          channel: 'card',
          openingMillimes: 5_000,
          movements: movements({ succeeded: 10_000, refunded: -1_000, fees: -75, payouts: -4_925 }),
          closingMillimes: 9_000,
          lines: [line('pending', 9_000, 2, MONDAY, 0), line('unexplained', 0)],
        },
        {
          channel: 'wallet',
          openingMillimes: 0,
          movements: movements({ succeeded: 3_000 }),
          closingMillimes: 3_000,
          lines: [line('pending', 3_000, 1, MONDAY, 0), line('unexplained', 0)],
        },
      ]);
      expect(await openBreaks()).toEqual([]);
    });

    test('with the fee of an unpaid item, and a returned payout', async () => {
      const fee = { reference: 'fee:payment:P1', code: 'fee', amount: 150, at: '2026-03-02T12:00:00+01:00' } as const;
      await scene.post({ ...fee, debit: 'gateway_fees', credit: 'gateway_clearing:card' });
      const payout = await scene.paidOut(
        `${LINE}1`,
        'card',
        { 'payment:P0': 5_000 },
        5_000,
        '2026-03-02T13:00:00+01:00',
      );
      await scene.post({
        ...{ reference: 'payout-returned:1', code: 'reversal', amount: 5_000, at: '2026-03-03T13:00:00+01:00' },
        ...{ debit: 'gateway_clearing:card', credit: 'bank_unmatched', reverses: payout },
      });
      const monday = (await scene.close(MONDAY)).proof.channels[0];
      expect(monday?.lines).toEqual([line('pending', 9_850, 1, MONDAY, 0), line('unexplained', 0)]);
      const tuesday = (await scene.close(TUESDAY)).proof.channels[0];
      expect(tuesday).toMatchObject({
        openingMillimes: 9_850,
        movements: movements({ payoutsReturned: 5_000 }),
        closingMillimes: 14_850,
        lines: [line('pending', 14_850, 2, '2026-02-27', 2), line('unexplained', 0)],
      });
    });

    test('with write-offs and corrections carried to the following days', async () => {
      const at = '2026-03-02T12:00:00+01:00';
      const credit = 'gateway_clearing:card';
      await scene.post({ reference: 'write-off:1', code: 'reversal', amount: 40, at, debit: 'write_off', credit });
      await scene.post({ reference: 'other:1', code: 'opening_balance', amount: 7, at, debit: 'bank_other', credit });
      await scene.close(MONDAY);
      const [card] = (await scene.close(TUESDAY)).proof.channels;
      expect(card?.lines).toEqual([
        line('pending', 15_000, 2, '2026-02-27', 2),
        line('written_off', -40),
        line('corrected', -7),
        line('unexplained', 0),
      ]);
    });

    test('with a separate line for what two persons forced', async () => {
      await scene.paidOut(`${LINE}1`, 'card', { 'payment:P0': 5_000 }, 4_990, '2026-03-02T13:00:00+01:00', -10);
      const [card] = (await scene.close(MONDAY)).proof.channels;
      expect(card?.lines).toEqual([
        line('forced', 10, 1, MONDAY, 0),
        line('pending', 10_000, 1, MONDAY, 0),
        line('unexplained', 0),
      ]);
    });

    test('with items in open breaks apart', async () => {
      await harness.database.transact((session) =>
        openBreakStore(session).open([missing('payment:P0')], scene.clock.now(), 'test'),
      );
      const [card] = (await scene.close(MONDAY)).proof.channels;
      expect(card?.lines).toEqual([
        line('in_breaks', 5_000, 1, '2026-02-27', 1),
        line('pending', 10_000, 1, MONDAY, 0),
        line('unexplained', 0),
      ]);
    });

    test('with a break for what nothing explains, which a later closing resolves', async () => {
      const at = '2026-03-02T13:00:00+01:00';
      const wrong = { reference: 'payout:X', code: 'payout', amount: 200, at } as const;
      const id = await scene.post({ ...wrong, debit: 'bank_unmatched', credit: 'gateway_clearing:card' });
      const [card] = (await scene.close(MONDAY)).proof.channels;
      expect(card?.lines).toContainEqual(line('unexplained', -200));
      expect(await openBreaks()).toMatchObject([
        { since: MONDAY, amount: -200, subject: { facts: { channel: 'card' } } },
      ]);
      await scene.post({
        ...{ reference: 'taken-back:X', code: 'reversal', amount: 200, at: '2026-03-03T13:00:00+01:00' },
        ...{ debit: 'gateway_clearing:card', credit: 'bank_unmatched', reverses: id },
      });
      await scene.close(TUESDAY);
      expect(await openBreaks()).toEqual([]);
      expect(await scene.closing.verify()).toEqual([]);
    });
  });

  describe('is rejected', () => {
    const refusal = async (date: string, reason?: string): Promise<unknown> => {
      try {
        const given = { date: businessDate(date), actor: SALMA, dryRun: false };
        await scene.closing.close({ ...given, ...(reason === undefined ? {} : { reason }) });
        return 'closed';
      } catch (error) {
        if (!isAppError(error)) throw error;
        return [error.code, ...error.details];
      }
    };

    test('without a statement of the day, unless a person gives a reason', async () => {
      expect(await refusal(MONDAY)).toEqual([
        'conflict',
        'no statement covers it; import one, or state with --reason why the day is closed without it',
      ]);
      expect(await refusal(MONDAY, ' ')).toEqual(['bad_input']);
      expect(await refusal(MONDAY, NO_BANK)).toBe('closed');
    });

    test('before the day has ended, and before a run has covered it', async () => {
      expect(await refusal('2026-03-04', NO_BANK)).toEqual([
        'conflict',
        'the day can be closed from 2026-03-05 00:01:00',
        'no run has reconciled it since it ended; run "millime reconcile --through 2026-03-04"',
      ]);
      expect(await scene.rows('day_seals')).toEqual([]);
    });

    test('while the only run covered it before it ended, or covered an earlier day', async () => {
      await scene.close(MONDAY);
      await scene.close('2026-03-03');
      scene.clock.set('2026-03-04T11:00:00+01:00');
      await scene.reconciled('2026-03-04');
      scene.clock.set('2026-03-05T09:00:00+01:00');
      await scene.reconciled('2026-03-03');
      const obstacle = 'no run has reconciled it since it ended; run "millime reconcile --through 2026-03-04"';
      expect(await refusal('2026-03-04', NO_BANK)).toEqual(['conflict', obstacle]);
      await scene.reconciled('2026-03-04');
      expect(await refusal('2026-03-04', NO_BANK)).toBe('closed');
    });

    test('out of order', async () => {
      await scene.close(MONDAY);
      scene.clock.set('2026-03-06T09:00:00+01:00');
      await scene.reconciled('2026-03-04');
      expect(await refusal('2026-03-04', NO_BANK)).toEqual(['conflict', '2026-03-03 must be closed first']);
      expect(await refusal('2026-02-27', NO_BANK)).toEqual([
        'conflict',
        'the ledger is already closed through 2026-03-02',
      ]);
    });

    test('for a key without the scope', async () => {
      const actor = { ...SALMA, scopes: new Set(['reconciliation:run'] as const) };
      await expect(scene.close(MONDAY, actor)).rejects.toMatchObject({ code: 'forbidden' });
    });
  });

  test('shows the proof and the obstacles in a dry run, and stores nothing', async () => {
    const before = await contents(harness.database);
    const date = businessDate('2026-03-04');
    const outcome = await scene.closing.close({ date, actor: SALMA, dryRun: true });
    expect(outcome).toMatchObject({ kind: 'dry_run', number: undefined });
    expect(outcome.obstacles.map(({ code }) => code)).toEqual(['day_not_over', 'not_reconciled', 'no_statement']);
    expect(outcome.proof.channels.map(({ closingMillimes }) => closingMillimes)).toEqual([15_000, 3_000]);
    expect(await contents(harness.database)).toEqual(before);
  });

  test('checks a day in a dry run as if the days before were closed, each with the same proof as its seal', async () => {
    const check = async (day: string, closedThrough?: string): Promise<CloseOutcome> =>
      scene.closing.close({
        ...{ date: businessDate(day), actor: SALMA, reason: NO_BANK, dryRun: true },
        ...(closedThrough === undefined ? {} : { closedThrough: businessDate(closedThrough) }),
      });
    const [monday, tuesday] = [await check(MONDAY), await check(TUESDAY, MONDAY)];
    expect([monday.obstacles, tuesday.obstacles]).toEqual([[], []]);
    expect((await scene.close(MONDAY)).proof).toEqual(monday.proof);
    expect((await scene.close(TUESDAY)).proof).toEqual(tuesday.proof);
    expect((await check('2026-03-05', '2026-03-03')).obstacles).toContainEqual({
      ...{ code: 'earlier_day_open', params: { date: '2026-03-04' }, text: '2026-03-04 must be closed first' },
      command: undefined,
    });
  });

  test('returns the same seal for a closed day, and writes nothing', async () => {
    const first = await scene.close(MONDAY);
    const before = await contents(harness.database);
    expect(await scene.close(MONDAY, OMAR)).toEqual({ ...first, kind: 'already_closed' });
    expect(await contents(harness.database)).toEqual(before);
  });

  test('creates one seal in several concurrent closings, and the others return it', async () => {
    const outcomes = await Promise.all([scene.close(MONDAY), scene.close(MONDAY, OMAR), scene.close(MONDAY)]);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['already_closed', 'already_closed', 'closed']);
    expect(new Set(outcomes.map(({ digest }) => digest)).size).toBe(1);
    expect(await scene.rows('day_seals')).toHaveLength(1);
    expect(await scene.closing.verify()).toEqual([]);
  });

  test('begins again after an interruption, despite the period lock and the pages that it left', async () => {
    await harness.database.transact(async (session) => {
      await openPeriodLock(session).raise(parseInstant('2026-03-03T00:00:00+01:00') ?? 0);
      await openSealStore(session).addPage(newId(), { position: 1, kind: 'ledger', content: '[]' });
    });
    expect(await scene.close(MONDAY)).toMatchObject({ kind: 'closed', number: 1 });
    expect(await scene.closing.verify()).toEqual([]);
  });

  describe('a late posting', () => {
    test('is recorded at the start of the next open day, and names the day that it belongs to', async () => {
      await scene.close(MONDAY);
      const id = await scene.paid('card', 'P2', 700, '2026-03-02T23:59:00+01:00');
      const start = parseInstant('2026-03-03T00:00:00+01:00');
      const [late] = (await scene.rows('ledger_transactions')).filter((row) => row['id'] === id);
      expect(Number(late?.['recorded_at'])).toBe(start);
      expect(Number(late?.['occurred_at'])).toBe(parseInstant('2026-03-02T23:59:00+01:00'));
      const pointers = (await scene.rows('ledger_late_transactions')).map((row) => [
        row['ledger_transaction_id'],
        Number(row['belongs_at']),
        Number(row['recorded_at']),
      ]);
      expect(pointers).toEqual([[id, parseInstant('2026-03-02T23:59:00+01:00'), start]]);
      const { proof } = await scene.close(TUESDAY);
      expect(proof).toMatchObject({
        lateTransactions: 1,
        channels: [{ openingMillimes: 15_000, closingMillimes: 15_700 }, {}],
      });
      expect(await scene.closing.verify()).toEqual([]);
    });

    test('is not one that is recorded at the first instant of the open day', async () => {
      await scene.close(MONDAY);
      const at = '2026-03-03T00:00:00+01:00';
      const id = await scene.paid('card', 'P2', 700, at);
      const [posted] = (await scene.rows('ledger_transactions')).filter((row) => row['id'] === id);
      expect(Number(posted?.['recorded_at'])).toBe(parseInstant(at));
      expect(await scene.rows('ledger_late_transactions')).toEqual([]);
    });

    test('is in the day or after it, whenever the closing comes between the postings', async () => {
      const postings = Array.from({ length: 40 }, (_, index) => index);
      const at = '2026-03-02T23:59:59+01:00';
      const work = postings.map((index) => scene.paid('qr', `Q${index}`, 100, at));
      const closed = scene.close(MONDAY);
      await Promise.all([...work, closed]);
      expect(await scene.closing.verify()).toEqual([]);
      await scene.close(TUESDAY);
      const { channels } = (await scene.close(MONDAY)).proof;
      const ofMonday = channels.find(({ channel }) => channel === 'qr')?.movements['succeededMillimes'] ?? 0;
      const late = await scene.rows('ledger_late_transactions');
      expect(Number(ofMonday) + late.length * 100).toBe(4_000);
    });

    test('is sealed with the next day if it is a break event of a slow clock', async () => {
      const event = (at: string, fingerprint: string) =>
        harness.database.transact((session) =>
          openBreakStore(session).open([{ ...missing('payment:P0'), fingerprint }], parseInstant(at) ?? 0, 'test'),
        );
      await event('2026-03-02T09:00:00+01:00', 'first');
      await scene.close(MONDAY);
      await event('2026-03-02T10:00:00+01:00', 'late');
      expect(await scene.closing.verify()).toEqual([]);
      await scene.close(TUESDAY);
      const sealed = await scene.rows('day_sealed_breaks');
      expect(sealed.map((row) => Number(row['number'])).sort()).toEqual([1, 2]);
      expect(await scene.closing.verify()).toEqual([]);
    });
  });

  describe('reopening it', () => {
    const propose = (date: string, actor = SALMA) =>
      scene.closing.proposeReopening({ date: businessDate(date), reason: 'a payout is missing', actor, dryRun: false });
    const approve = (date: string, actor = OMAR) =>
      scene.closing.approveReopening({ date: businessDate(date), actor, dryRun: false });

    test('needs a second person, keeps both seals, and seals what was added meanwhile', async () => {
      const first = await scene.close(MONDAY);
      await propose(MONDAY);
      await expect(approve(MONDAY, SALMA)).rejects.toMatchObject({ code: 'forbidden' });
      expect(await approve(MONDAY)).toMatchObject({
        kind: 'reopened',
        number: 1,
        proposedBy: 'salma',
        approvedBy: 'omar',
      });
      await scene.paid('card', 'P2', 700, '2026-03-02T15:00:00+01:00');
      const second = await scene.close(MONDAY);
      expect(second).toMatchObject({ kind: 'closed', number: 3 });
      expect(second.digest).not.toBe(first.digest);
      expect(second.proof.channels[0]?.closingMillimes).toBe(15_700);
      expect(await scene.rows('ledger_late_transactions')).toEqual([]);
      const { rows, next } = await scene.closing.list({
        from: businessDate(MONDAY),
        to: businessDate(MONDAY),
        limit: 2,
      });
      expect(rows).toMatchObject([
        { number: 3, kind: 'closed', stands: true, proposal: undefined },
        { number: 2, kind: 'reopened', stands: false, recordedBy: 'omar' },
      ]);
      expect(
        await scene.closing.list({ from: businessDate(MONDAY), to: businessDate(MONDAY), after: next, limit: 2 }),
      ).toMatchObject({
        rows: [{ number: 1, kind: 'closed', stands: false, proposal: { reason: 'a payout is missing' } }],
        next: undefined,
      });
      expect(await scene.closing.verify()).toEqual([]);
    });

    test('is rejected for an open day, for one before another, and without or after a proposal', async () => {
      await expect(propose(MONDAY)).rejects.toMatchObject({ code: 'not_found' });
      await scene.close(MONDAY);
      await expect(approve(MONDAY)).rejects.toMatchObject({ code: 'not_found' });
      await scene.close(TUESDAY);
      await expect(propose(MONDAY)).rejects.toMatchObject({ code: 'conflict' });
      await propose(TUESDAY);
      await expect(propose(TUESDAY, OMAR)).rejects.toMatchObject({ code: 'conflict' });
    });

    test('is rejected for a key that may only close days, for the proposal and for its approval', async () => {
      const closes = { ...OMAR, scopes: new Set(['days:close'] as const) };
      await scene.close(MONDAY);
      await expect(propose(MONDAY, closes)).rejects.toMatchObject({ code: 'forbidden' });
      await propose(MONDAY);
      await expect(approve(MONDAY, closes)).rejects.toMatchObject({ code: 'forbidden' });
      expect(await scene.rows('day_seals')).toHaveLength(1);
    });

    test('counts a shell without a key as no person, also in what version 0.1.0 stored', async () => {
      await scene.close(MONDAY);
      const noPerson = { code: 'forbidden', problem: { code: 'person_needed', params: { name: 'cli' } } };
      await expect(propose(MONDAY, OPERATOR)).rejects.toMatchObject(noPerson);
      expect(await scene.rows('day_reopening_proposals')).toEqual([]);
      const stored = { number: 1, reason: 'a payout is missing', proposed_at: 1, proposed_by: 'cli' };
      await harness.database.transact((session) => session('day_reopening_proposals').insert(stored));
      await expect(approve(MONDAY)).rejects.toMatchObject(noPerson);
      await expect(approve(MONDAY, OPERATOR)).rejects.toMatchObject(noPerson);
      expect(await scene.rows('day_seals')).toHaveLength(1);
    });

    test('happens once, however many persons approve concurrently', async () => {
      await scene.close(MONDAY);
      await propose(MONDAY);
      const outcomes = await Promise.allSettled([approve(MONDAY), approve(MONDAY), approve(MONDAY)]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await scene.rows('day_seals')).toHaveLength(2);
    });

    test('releases the break events of the day, and the next seal has them', async () => {
      const at = parseInstant('2026-03-02T09:00:00+01:00') ?? 0;
      await harness.database.transact((session) => openBreakStore(session).open([missing('payment:P0')], at, 'test'));
      await scene.close(MONDAY);
      await propose(MONDAY);
      await approve(MONDAY);
      await scene.close(MONDAY);
      const sealed = await scene.rows('day_sealed_breaks');
      expect(sealed.map((row) => Number(row['number'])).sort()).toEqual([1, 3]);
    });
  });

  const missing = (itemId: string) =>
    ({
      fingerprint: `missing_in_bank:${newId()}`,
      breakClass: 'missing_in_bank',
      since: businessDate(MONDAY),
      amount: undefined,
      direction: 'unknown',
      subject: { itemIds: [itemId], lineIds: [], facts: {} },
    }) as const;
});

function movements(given: Readonly<Record<string, number>>): Record<string, number> {
  const kinds = ['succeeded', 'refunded', 'fees', 'tva', 'payouts', 'payoutsReturned', 'writtenOff', 'corrected'];
  return Object.fromEntries(kinds.map((kind) => [`${kind}Millimes`, given[kind] ?? 0]));
}

function line(
  label: string,
  amount: number,
  items = 0,
  oldest: string | null = null,
  age: number | null = null,
): unknown {
  return { label, amountMillimes: amount, items, oldest, ageWorkingDays: age };
}
