// Goal: a repeated request for a reference gets the state of its existing attempt, or a reason.
// Method: the use case with a call that the test answers; no gateway.
import { beforeEach, expect, test } from '@jest/globals';
import { businessCalendar, millimes, MINUTE_MS, WorkingDays } from '../../../src/kernel';
import { observeChannel } from '../../../src/payment-channels';
import { type CreateOutcome, type PaymentsDeps, sendAttempt } from '../../../src/payments';
import { openPaymentStore } from '../../../src/payments/testing';
import { describeOnEachDatabase } from '../../support/db';
import { BY_TEST } from '../../support/factories';
import { aPayment } from '../../support/factories/a-payment';
import { type FixedClock, fixedClock, recordingLogger } from '../../support/fakes';

const START = 1_772_438_400_000;
const IN_FLIGHT = 'the request is still being sent; try again in a moment';

describeOnEachDatabase('an attempt of a channel without sessions', (harness) => {
  let clock: FixedClock;
  let calls: number;

  beforeEach(() => {
    clock = fixedClock(START);
    calls = 0;
  });

  const depsOf = (isTest: boolean): PaymentsDeps => ({
    database: harness.database,
    observeChannel,
    clock,
    logger: recordingLogger(),
    calendar: businessCalendar('Africa/Tunis'),
    workingDays: new WorkingDays([]),
    gateway: undefined,
    settings: {
      publicUrl: undefined,
      hintToken: undefined,
      successLink: undefined,
      failLink: undefined,
      isTest,
      merchantId: undefined,
    },
  });
  const send = (trackingId: string, isTest = false): Promise<CreateOutcome> =>
    sendAttempt(
      depsOf(isTest),
      {
        trackingId,
        kind: 'wallet',
        terms: {},
        amountMillimes: 5_000,
        reference: 'R1',
        agentId: undefined,
        check: () => undefined,
        call: async () => {
          calls += 1;
          return {};
        },
        unknownCodes: [],
      },
      BY_TEST,
    );

  test.each([
    ['test', true],
    ['live', false],
  ])('of the %s application does not count as one of the other application', async (name, isTest) => {
    expect(await send('01KJQ3Z4000000000000000001', isTest)).toMatchObject({ kind: 'created', payment: { isTest } });
    await expect(send('01KJQ3Z4000000000000000002', !isTest)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`the live attempt belongs to the ${name} application`),
    });
    expect(calls).toBe(1);
  });

  test('is reported as in flight for five minutes, then as outcome unknown', async () => {
    const inFlight = aPayment({
      kind: 'wallet',
      reference: 'R1',
      isLive: true,
      amount: millimes(5_000),
      requestState: 'sending',
      gatewayId: undefined,
      requestedAt: START,
    });
    await harness.database.transact((session) => openPaymentStore(session).add([inFlight]));
    clock.advance(5 * MINUTE_MS);
    expect(await send('01KJQ3Z4000000000000000002')).toMatchObject({ kind: 'unknown', reason: IN_FLIGHT });
    clock.advance(1);
    expect(await send('01KJQ3Z4000000000000000002')).toMatchObject({
      kind: 'unknown',
      reason: expect.stringContaining('no known outcome'),
    });
    expect(calls).toBe(0);
  });
});
