// Goal: requested payments are sent once, in order, and wait while the gateway refuses calls.
// Method: a plan in the tables, runs of the queue against the simulated gateway with ordered faults; its trace is the
// evidence.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { AppError, MINUTE_MS } from '../../../src/kernel';
import { createPayments, type Payment, type Payments } from '../../../src/payments';
import { aClientOf } from '../../support/a-simulator';
import { describeOnEachDatabase } from '../../support/db';
import { BY_TEST } from '../../support/factories';
import { aCollectingScene, type CollectingScene } from './scene';

const HEADER =
  'reference,amount_millimes,kind,agent_id,client_id,accept_card,session_timeout_secs,success_link,fail_link';

describeOnEachDatabase('the queue of payments', (harness) => {
  let scene: CollectingScene;

  beforeEach(async () => {
    scene = await aCollectingScene(harness.database);
  });
  afterEach(() => scene.close());

  const plan = async (count: number): Promise<void> => {
    const rows = Array.from({ length: count }, (_, index) => `order-${index},${1_000 + index},,,,,,,`);
    await scene.payments.importPlan(Buffer.from([HEADER, ...rows, ''].join('\n')), BY_TEST);
  };
  const fail = (fault: object, times = 1): Promise<unknown> =>
    scene.control('POST', '/faults', { fault, operation: 'payments.create', times });
  const stored = async (): Promise<Payment[]> => (await scene.payments.list({ limit: 1_000 })).toReversed();
  const amountsAtTheGateway = async (): Promise<unknown[]> => {
    const { payments } = (await scene.control('GET', '/payments')) as { payments: { amountMillimes: number }[] };
    return payments.map(({ amountMillimes }) => amountMillimes);
  };

  test('sends the oldest payment first, as it was requested', async () => {
    await plan(3);
    await scene.pass(1_000);
    expect(await scene.payments.sendRequested()).toEqual({ sent: 3, refused: 0, unknown: 0, left: 0 });
    expect(await amountsAtTheGateway()).toEqual([1_000, 1_001, 1_002]);
    const now = scene.clock.now();
    for (const payment of await stored()) {
      expect(payment).toMatchObject({
        requestState: 'made',
        isLive: true,
        requestedAt: now - 1_000,
        sentAt: now,
        sessionEndsAt: now + 1_200_000,
        nextCheckAt: now + 30_000,
      });
    }
  });

  test.each([
    ['live', true],
    ['test', false],
  ])('planned for the %s application belongs to the application that sends it', async (_, isTest) => {
    const underSettings = (asTest: boolean): Payments =>
      createPayments({ ...scene.deps, settings: { ...scene.deps.settings, isTest: asTest } });
    await underSettings(!isTest).importPlan(Buffer.from(`${HEADER}\norder-1,1000,,,,,,,\n`), BY_TEST);
    expect(await stored()).toMatchObject([{ isTest: !isTest }]);
    expect(await underSettings(isTest).sendRequested()).toMatchObject({ sent: 1 });
    const [sent] = await stored();
    expect(sent).toMatchObject({ requestState: 'made', isTest });
    await scene.control('POST', `/payments/${sent?.gatewayId}/pay`, {});
    await scene.pass(60_000);
    await underSettings(isTest).poll();
    const [paid] = await stored();
    expect(paid?.status).toBe('SUCCESS');
    expect(paid?.itemId !== undefined).toBe(!isTest);
  });

  test('sends at most 60 payments a run and returns the number left', async () => {
    await plan(70);
    expect(await scene.payments.sendRequested()).toEqual({ sent: 60, refused: 0, unknown: 0, left: 10 });
    expect(await scene.payments.sendRequested()).toEqual({ sent: 10, refused: 0, unknown: 0, left: 0 });
  });

  test('sends no payment twice in two concurrent runs', async () => {
    await plan(20);
    const both = await Promise.all([scene.payments.sendRequested(), scene.payments.sendRequested()]);
    expect(both.reduce((sum, { sent }) => sum + sent, 0)).toBe(20);
    const amounts = await amountsAtTheGateway();
    expect([amounts.length, new Set(amounts).size]).toEqual([20, 20]);
  });

  test.each([
    ['a limit', { kind: 'too_many' }, 1],
    ['a limit that names a time', { kind: 'too_many', retryAfterSecs: 900 }, 15],
    ['a limit that names more than six hours', { kind: 'too_many', retryAfterSecs: 86_400 }, 360],
    ['a ban', { kind: 'status', code: 403, processed: false }, 15],
    ['a bad credential', { kind: 'status', code: 401, processed: false }, 1],
  ])('keeps the payment and all later ones queued after %s', async (_, fault, minutes) => {
    await plan(3);
    await fail(fault);
    expect(await scene.payments.sendRequested()).toEqual({ sent: 0, refused: 0, unknown: 0, left: 3 });
    const waiting = { requestState: 'requested', isLive: true };
    expect(await stored()).toMatchObject([
      { ...waiting, sentAt: scene.clock.now(), requestError: expect.any(String) },
      { ...waiting, sentAt: undefined },
      { ...waiting, sentAt: undefined },
    ]);
    await scene.pass(minutes * MINUTE_MS - 1);
    expect(await scene.payments.sendRequested()).toMatchObject({ sent: 0, left: 3 });
    await scene.pass(1);
    expect(await scene.payments.sendRequested()).toMatchObject({ sent: 3, left: 0 });
    // What was turned away goes behind what was not: it may be turned away each time.
    expect(await amountsAtTheGateway()).toEqual([1_001, 1_002, 1_000]);
  });

  test.each([
    ['a bad credential', 401, [0, 1, 3, 7, 15, 31, 61]],
    ['a ban', 403, [0, 15, 30, 45, 60]],
  ])('retries ever more seldom during %s, even with a single payment', async (_, code, minutes) => {
    await plan(1);
    await fail({ kind: 'status', code, processed: false }, 100);
    const tried: number[] = [];
    for (let minute = 0; minute <= 61; minute += 1) {
      const [before] = await stored();
      await scene.payments.sendRequested();
      const [after] = await stored();
      if (after?.sentAt !== before?.sentAt) tried.push(minute);
      await scene.pass(MINUTE_MS);
    }
    expect(tried).toEqual(minutes);
    expect(await stored()).toMatchObject([{ requestState: 'requested' }]);
  });

  test('waits for each application separately', async () => {
    const { settings } = scene.deps;
    const ofTheOther = createPayments({ ...scene.deps, settings: { ...settings, isTest: !settings.isTest } });
    await plan(2);
    await fail({ kind: 'status', code: 403, processed: false });
    expect(await scene.payments.sendRequested()).toMatchObject({ sent: 0, left: 2 });
    expect(await ofTheOther.sendRequested()).toMatchObject({ sent: 2, left: 0 });
  });

  test('stays unchanged while the gateway is unreachable', async () => {
    await plan(2);
    const closed = await aCollectingScene(harness.database);
    await closed.close();
    const gateway = aClientOf({ baseUrl: closed.baseUrl, simulator: closed.simulator, close: () => closed.close() });
    const unreachable = createPayments({ ...scene.deps, gateway });
    expect(await unreachable.sendRequested()).toEqual({ sent: 0, refused: 0, unknown: 0, left: 2 });
    expect(await scene.payments.sendRequested()).toMatchObject({ sent: 2 });
  });

  test('sends the other payments when the gateway refuses one', async () => {
    await plan(3);
    const body = { result: { status: 400, message: 'Bad Request' }, code: 1 };
    await fail({ kind: 'status', code: 400, body, processed: false });
    expect(await scene.payments.sendRequested()).toEqual({ sent: 2, refused: 1, unknown: 0, left: 0 });
    expect(await stored()).toMatchObject([
      { requestState: 'refused', isLive: false },
      { requestState: 'made' },
      { requestState: 'made' },
    ]);
  });

  test('ends the run at a payment without an answer, which is unknown and is not sent again', async () => {
    await plan(2);
    await fail({ kind: 'reset_after' });
    expect(await scene.payments.sendRequested()).toEqual({ sent: 0, refused: 0, unknown: 1, left: 1 });
    await scene.pass(MINUTE_MS);
    expect(await scene.payments.sendRequested()).toEqual({ sent: 1, refused: 0, unknown: 0, left: 0 });
    expect(await scene.payments.sendRequested()).toEqual({ sent: 0, refused: 0, unknown: 0, left: 0 });
    expect(await amountsAtTheGateway()).toEqual([1_000, 1_001]);
  });

  test.each([
    ['a proxy that answers for it', { kind: 'html_502', processed: false }],
    ['an answer that is cut', { kind: 'reset_before' }],
  ])('sends few rows during an outage (%s) and continues after it', async (_, fault) => {
    await plan(70);
    await fail(fault, 6);
    for (let minute = 0; minute < 60; minute += 1) {
      await scene.payments.sendRequested();
      await scene.pass(MINUTE_MS);
    }
    const counted = { requested: 64, unknown: 6 };
    const states = (await stored()).map(({ requestState }) => requestState);
    for (const [state, count] of Object.entries(counted)) {
      expect(states.filter((each) => each === state)).toHaveLength(count);
    }
    await scene.pass(MINUTE_MS);
    expect(await scene.payments.sendRequested()).toEqual({ sent: 60, refused: 0, unknown: 0, left: 4 });
    expect(await scene.payments.sendRequested()).toEqual({ sent: 4, refused: 0, unknown: 0, left: 0 });
  });

  test('stops waiting when a request by hand is answered', async () => {
    await plan(2);
    await fail({ kind: 'html_502', processed: false });
    expect(await scene.payments.sendRequested()).toMatchObject({ unknown: 1, left: 1 });
    await scene.pass(1);
    expect(await scene.payments.sendRequested()).toMatchObject({ sent: 0, left: 1 });
    await scene.payments.create({ kind: 'standard', amountMillimes: 5_000 }, BY_TEST);
    expect(await scene.payments.sendRequested()).toMatchObject({ sent: 1, left: 0 });
  });

  test('stores the sent payments even if its wait cannot be stored', async () => {
    await plan(1);
    await fail({ kind: 'html_502', processed: false });
    const { database } = scene.deps;
    let transactions = 0;
    const failing: typeof database = {
      ...database,
      async transact(work, options) {
        transactions += 1;
        // After the claim and the outcome comes the wait.
        if (transactions === 3) throw new AppError('unavailable', 'the database is away');
        return database.transact(work, options);
      },
    };
    const payments = createPayments({ ...scene.deps, database: failing });
    expect(await payments.sendRequested()).toEqual({ sent: 0, refused: 0, unknown: 1, left: 0 });
    expect(transactions).toBe(3);
    expect(await stored()).toMatchObject([{ requestState: 'unknown' }]);
  });

  test('does not wait because of a call that a fast clock recorded', async () => {
    await plan(2);
    await fail({ kind: 'html_502', processed: false });
    scene.clock.advance(24 * 60 * MINUTE_MS);
    expect(await scene.payments.sendRequested()).toMatchObject({ unknown: 1, left: 1 });
    scene.clock.advance(-24 * 60 * MINUTE_MS);
    expect(await scene.payments.sendRequested()).toMatchObject({ sent: 1, left: 0 });
  });

  test('sends nothing more in a run that is told to stop', async () => {
    await plan(2);
    expect(await scene.payments.sendRequested(AbortSignal.abort())).toEqual({
      sent: 0,
      refused: 0,
      unknown: 0,
      left: 2,
    });
  });

  test('leaves a payment in transit, not queued, if its answer cannot be stored', async () => {
    await plan(1);
    const { database } = scene.deps;
    let transactions = 0;
    const failing: typeof database = {
      ...database,
      async transact(work, options) {
        transactions += 1;
        if (transactions === 2) throw new Error('the process ends here');
        return database.transact(work, options);
      },
    };
    await expect(createPayments({ ...scene.deps, database: failing }).sendRequested()).rejects.toThrow('ends here');
    expect(await stored()).toMatchObject([{ requestState: 'sending', isLive: true }]);
    expect(await scene.payments.sendRequested()).toEqual({ sent: 0, refused: 0, unknown: 0, left: 0 });
    expect(await amountsAtTheGateway()).toEqual([1_000]);
  });
});
