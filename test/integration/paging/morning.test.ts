// Goal: the figures of the morning and of the plots read few rows, however many payments there are.
import { beforeEach, expect, test } from '@jest/globals';
import { addDays, businessDate, DAY_MS, newId } from '../../../src/kernel';
import { gatewayClearing } from '../../../src/ledger';
import { describeOnEachDatabase } from '../../support/db';
import { openRooms, type Rooms } from '../ledger/rooms';
import { expectFewRowsRead, insertMany } from './paging';

const COUNT = 9_000;
const DAYS = 90;
const LAST = businessDate('2026-03-01');
const CHANNELS = ['agent', 'card', 'wallet', 'pos', 'qr', 'mpayment', 'subscription'] as const;
const id = (index: number): string => `01LISTED${String(index).padStart(18, '0')}`;
const numbers = Array.from({ length: COUNT }, (_, index) => index);
const channelOf = (index: number): (typeof CHANNELS)[number] => CHANNELS[index % CHANNELS.length] ?? 'agent';

describeOnEachDatabase('the figures of the morning', (harness) => {
  let rooms: Rooms;

  beforeEach(async () => {
    rooms = openRooms(harness.database, '2026-03-02T08:00:00+01:00');
    const end = rooms.calendar.startOf(addDays(LAST, 1));
    const timeOf = (index: number): number => end - 1 - (index % DAYS) * DAY_MS;
    await harness.database.transact(async (session) => {
      await insertMany(
        session,
        'ledger_transactions',
        numbers.map((index) => ({
          ...{ id: id(index), reference: `payment:${index}`, code: 'payment', recorded_by: 'test' },
          ...{ occurred_at: timeOf(index), recorded_at: timeOf(index) },
        })),
      );
      await insertMany(
        session,
        'postings',
        numbers.map((index) => ({
          ...{ transaction_id: id(index), position: 1, amount_millimes: 1_000 },
          ...{ debit_account: gatewayClearing(channelOf(index)), credit_account: 'payments_received' },
        })),
      );
      await insertMany(
        session,
        'recon_waiting_items',
        numbers.slice(0, 3_000).map((index) => ({
          ...{ item_id: `payment:${index}`, channel: channelOf(index), amount_millimes: 1_000, is_late: 0 },
          ...{
            succeeded_at: timeOf(index),
            available_at: timeOf(index),
            usually_on: '2026-03-03',
            due_on: '2026-03-05',
          },
        })),
      );
    });
    await rooms.reporting.refreshFigures({ runId: newId(), through: LAST });
  });

  test('are bounded by their days', async () => {
    const read = () => rooms.reporting.morning({ day: undefined, reader: 'test' });
    const found = await expectFewRowsRead(harness, read, 1_000);
    expect(found?.figures).toHaveLength(30 * CHANNELS.length);
    expect(found?.figures.at(-1)).toMatchObject({ date: LAST, channel: 'wallet', payments: 14, succeeded: 14_000n });
    expect(found?.cutOff).toMatchObject({ available: 3_000, availableAmount: 3_000_000n, lastDueOn: '2026-03-05' });
    expect(found?.since).toEqual({ payments: 0, hasMorePayments: false, breaks: 0, statements: 0 });
  });

  test('of the plots are bounded by their days', async () => {
    const found = await expectFewRowsRead(harness, () => rooms.reporting.trends({ reader: 'test' }), 1_500);
    expect(found?.figures).toHaveLength(DAYS * CHANNELS.length);
    expect(found?.figures.reduce((sum, { succeeded }) => sum + succeeded, 0n)).toBe(BigInt(COUNT) * 1_000n);
    expect(found?.expectations).toEqual([{ date: '2026-03-03', items: 3_000, amount: 3_000_000n }]);
  });

  test('count payments after the cut-off up to a limit', async () => {
    const later = rooms.calendar.startOf(addDays(LAST, 1)) + 1;
    await harness.database.transact((session) =>
      insertMany(
        session,
        'ledger_transactions',
        numbers.slice(0, 1_200).map((index) => ({
          ...{ id: id(COUNT + index), reference: `late:${index}`, code: 'payment', recorded_by: 'test' },
          ...{ occurred_at: later, recorded_at: later },
        })),
      ),
    );
    const read = () => rooms.reporting.morning({ day: undefined, reader: 'test' });
    const found = await expectFewRowsRead(harness, read, 1_500);
    expect(found?.since).toMatchObject({ payments: 500, hasMorePayments: true });
  });

  test('are refused for a day after the cut-off', async () => {
    const later = addDays(LAST, 1);
    await expect(rooms.reporting.morning({ day: later, reader: 'test' })).rejects.toMatchObject({ code: 'bad_input' });
  });

  test('are derived again where rows are missing', async () => {
    await harness.database.transact((session) => session('day_figures').where('business_date', LAST).delete());
    await rooms.reporting.refreshFigures({ runId: newId(), through: LAST });
    const found = await rooms.reporting.morning({ day: undefined, reader: 'test' });
    expect(found?.figures.filter(({ date }) => date === LAST)).toHaveLength(CHANNELS.length);
  });
});
