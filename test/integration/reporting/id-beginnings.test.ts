// Goal: a unique beginning of an id names it on both databases, an exact id always wins, and several ids are listed.
// Method: payments with given ids in the table, and the function of the room.
import { beforeEach, expect, test } from '@jest/globals';
import { businessCalendar } from '../../../src/kernel';
import { openPaymentStore } from '../../../src/payments/testing';
import { createReporting, type Reporting } from '../../../src/reporting';
import { describeOnEachDatabase } from '../../support/db';
import { aPayment } from '../../support/factories/a-payment';
import { fixedClock } from '../../support/fakes';

const FIRST = '01KJQ3Z4000000000000000001';
const SECOND = '01KJQ3Z4000000000000000002';
const OTHER = '01KJR000000000000000000009';

describeOnEachDatabase('fullId', (harness) => {
  let reporting: Reporting;

  beforeEach(async () => {
    const clock = fixedClock('2026-03-02T09:00:00+01:00');
    reporting = createReporting({ database: harness.database, clock, calendar: businessCalendar('Africa/Tunis') });
    await harness.database.transact((session) =>
      openPaymentStore(session).add([
        aPayment({ trackingId: FIRST, gatewayId: 'abcd-1', reference: 'ORDER-1' }),
        aPayment({ trackingId: SECOND, gatewayId: 'abcd-10', reference: 'ORDER-10' }),
        aPayment({ trackingId: OTHER, gatewayId: 'ABCD-7', reference: '01KJ' }),
      ]),
    );
  });

  const payment = (text: string): Promise<string> => reporting.fullId(['payment'], text);

  test('returns the only id that begins with the text, in either case for an id of Millime', async () => {
    expect(await payment('01KJR')).toBe(OTHER);
    expect(await payment('01kjr0')).toBe(OTHER);
    expect(await payment(OTHER.toLowerCase())).toBe(OTHER);
    expect(await payment('abcd-10')).toBe('abcd-10');
    expect(await payment('ABCD')).toBe('ABCD-7');
  });

  test('prefers an exact id to the longer ids that it begins', async () => {
    expect(await payment('abcd-1')).toBe('abcd-1');
    expect(await payment('01KJ')).toBe('01KJ');
    expect(await payment('ORDER-1')).toBe('ORDER-1');
  });

  test('refuses a beginning of several ids and lists them', async () => {
    await expect(payment('01KJQ3')).rejects.toMatchObject({
      code: 'bad_input',
      message: `payment: "01KJQ3" begins several ids: ${FIRST}, ${SECOND}; type more characters`,
    });
  });

  test('lists five of more ids', async () => {
    const six = [1, 2, 3, 4, 5, 6].map((each) =>
      aPayment({ trackingId: `01KZ00000000000000000000A${each}`, gatewayId: undefined, reference: undefined }),
    );
    await harness.database.transact((session) => openPaymentStore(session).add(six));
    const refused: unknown = await payment('01KZ').catch((error: unknown) => error);
    expect(String(refused)).toContain('01KZ00000000000000000000A5, …; type more characters');
    expect(String(refused)).not.toContain('A6');
  });

  test('returns a text that names nothing or begins only a reference as it is', async () => {
    expect(await payment('ORDER')).toBe('ORDER');
    expect(await payment('zzzz')).toBe('zzzz');
    expect(await payment('abc%')).toBe('abc%');
  });

  test('refuses a beginning that is too short', async () => {
    await expect(payment('01K')).rejects.toMatchObject({
      code: 'not_found',
      message: 'payment not found: "01K"; type at least 4 characters of the id',
    });
  });
});
