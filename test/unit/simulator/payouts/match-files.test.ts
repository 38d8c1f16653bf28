import { describe, expect, test } from '@jest/globals';
import { readCsvTable } from '../../../../src/kernel';
import { itemsCsv, observationsCsv, statementCsv } from '../../../../src/simulator/payouts/match-files';
import { anItem, at, bookAfter, planOf } from './pack';

const payment = anItem('payment:p1', 12_500, { channel: 'card', available: '2026-03-03 09:00' });
const refund = anItem('refund:p1', -12_500, {
  channel: 'card',
  available: '2026-03-02 12:00',
  refundOf: 'payment:p1',
});

describe('The input files of "millime match"', () => {
  test('list items in the order of availability, refunds with their payments', () => {
    expect(itemsCsv([{ ...payment, succeededAt: at('2026-03-02 11:00') }, refund]).split('\r\n')).toEqual([
      'item_id,channel,amount_millimes,succeeded_at,refund_of',
      'refund:p1,card,-12500,2026-03-02T11:00:00.000Z,payment:p1',
      'payment:p1,card,12500,2026-03-02T10:00:00.000Z,',
      '',
    ]);
  });

  test('state between which observations an item became available, if that is known', () => {
    const seenAvailable = { after: at('2026-03-03 08:00'), until: at('2026-03-03 10:00') };
    const open = { after: undefined, until: at('2026-03-03 10:00') };
    const items = [{ ...payment, seenAvailable }, { ...anItem('q', 1), seenAvailable: open }, refund];
    expect(itemsCsv(items).split('\r\n')).toEqual([
      'item_id,channel,amount_millimes,succeeded_at,refund_of,available_after,available_until',
      'q,agent,1,2026-03-02T09:00:00.000Z,,,2026-03-03T09:00:00.000Z',
      'refund:p1,card,-12500,2026-03-02T11:00:00.000Z,payment:p1,,',
      'payment:p1,card,12500,2026-03-03T08:00:00.000Z,,2026-03-03T07:00:00.000Z,2026-03-03T09:00:00.000Z',
      '',
    ]);
  });

  test('list observations in their order', () => {
    const seen = { itemId: 'payment:p1', status: 'SUCCESS' };
    expect(
      observationsCsv([
        { ...seen, observedAt: at('2026-03-03 10:00'), settlementStatus: 'AVAILABLE' },
        { ...seen, observedAt: at('2026-03-03 09:00'), settlementStatus: '' },
      ]).split('\r\n'),
    ).toEqual([
      'item_id,observed_at,status,settlement_status',
      'payment:p1,2026-03-03T09:00:00.000Z,SUCCESS,AVAILABLE',
      'payment:p1,2026-03-03T08:00:00.000Z,SUCCESS,',
      '',
    ]);
  });

  test('contain each line of the statement with its exact text', () => {
    const remittance = 'VIR "A", {cut}; É ';
    const { lines } = bookAfter(planOf({ remittance }), [['2026-03-02 16:00', [anItem('a', 1_000)]]]);
    const columns = ['line_id', 'booking_date', 'value_date', 'amount_millimes', 'counterparty', 'remittance'] as const;
    const { rows, faults } = readCsvTable(Buffer.from(statementCsv(lines)), columns);
    expect(faults).toEqual([]);
    expect(rows.map(({ values }) => values)).toEqual([
      {
        line_id: lines[0]?.lineId,
        booking_date: '2026-03-03',
        value_date: '2026-03-03',
        amount_millimes: '1000',
        counterparty: 'SERVICE DE PAIEMENT SA',
        remittance: 'VIR "A", 2026-03-02; É ',
      },
    ]);
  });
});
