// Goal: every payment by a QR code is posted once, whichever source reports it first, and a code is created once.
// Method: the simulated gateway behind HTTP; both clocks stand still and move together.
import { afterEach, expect, test } from '@jest/globals';
import { openAgentDirectory } from '../../../src/agents';
import { createBreaks, type ReconBreak } from '../../../src/breaks';
import { postItem } from '../../../src/gateway-items';
import { OPERATOR } from '../../../src/identity';
import { DAY_MS, MINUTE_MS } from '../../../src/kernel';
import { gatewayClearing, openLedger, PAYMENTS_RECEIVED } from '../../../src/ledger';
import { openQrPayments } from '../../../src/payment-channels/testing';
import { createPayments, type Payment } from '../../../src/payments';
import { brokenInvariants } from '../../../src/reporting/testing';
import { describeOnEachDatabase } from '../../support/db';
import { aCollectingScene, type CollectingScene, type SceneOverrides } from '../payments/scene';

const MERCHANT = 4_711;
const OPTIONS = { actor: OPERATOR, dryRun: false };

describeOnEachDatabase('a QR payment', (harness) => {
  let scene: CollectingScene | undefined;
  afterEach(async () => {
    await scene?.close();
    scene = undefined;
    expect(await harness.database.read(brokenInvariants)).toEqual([]);
  });

  const begin = async ({ settings, ...overrides }: SceneOverrides = {}): Promise<CollectingScene> => {
    scene = await aCollectingScene(harness.database, { ...overrides, settings: { merchantId: MERCHANT, ...settings } });
    return scene;
  };
  const create = async ({ channels }: CollectingScene, more: object = {}): Promise<Payment> => {
    const outcome = await channels.createQr({ amountMillimes: 5_000, ...more }, OPTIONS);
    if (outcome.kind !== 'created') throw new Error(`the creation ended ${outcome.kind}`);
    return outcome.payment;
  };
  const check = async ({ payments }: CollectingScene, { trackingId }: Payment): Promise<Payment> => {
    const outcome = await payments.checkStatus(trackingId);
    if (outcome.kind !== 'looked') throw new Error(`the look ended ${outcome.kind}`);
    return outcome.payment;
  };
  const pay = ({ control }: CollectingScene, { gatewayId }: Payment, times = 1) =>
    control('POST', `/qr/${gatewayId ?? ''}/pay`, { times });
  const readHistory = ({ channels, clock }: CollectingScene) =>
    channels.readQrHistory({ from: clock.now() - DAY_MS, until: clock.now() });
  const sums = () =>
    harness.database.read(async (session) => {
      const ledger = openLedger(session);
      return [await ledger.sumOf(gatewayClearing('qr')), await ledger.sumOf(PAYMENTS_RECEIVED)];
    });
  const breaks = (): Promise<ReconBreak[]> => createBreaks({ database: harness.database }).list({});

  test('gets a code with Millime’s operation uuid and is pending until it is paid', async () => {
    const at = await begin();
    const code = await create(at, { reference: 'R1' });
    expect(code).toMatchObject({ kind: 'qr', requestState: 'made', link: expect.any(String), isLive: true });
    expect(code.terms).toMatchObject({ merchantId: MERCHANT, operationUuid: code.gatewayId });
    expect(await at.channels.createQr({ amountMillimes: 5_000, reference: 'R1' }, OPTIONS)).toMatchObject({
      kind: 'existing',
      payment: { trackingId: code.trackingId },
    });
    await at.pass(30_000);
    expect(await check(at, code)).toMatchObject({ status: 'PENDING', nextCheckAt: at.clock.now() + 90_000 });
  });

  test('is posted once, at its payment time', async () => {
    const at = await begin();
    const code = await create(at);
    await at.pass(MINUTE_MS);
    await pay(at, code);
    const paidAt = at.clock.now();
    await at.pass(MINUTE_MS);
    expect(await check(at, code)).toMatchObject({ status: 'SUCCESS', succeededAfter: paidAt, succeededUntil: paidAt });
    await at.pass(MINUTE_MS);
    await check(at, code);
    expect(await readHistory(at)).toBe(0);
    expect(await sums()).toEqual([5_000n, -5_000n]);
    expect(await breaks()).toEqual([]);
  });

  test('that repeats for one code is posted, and its break grows', async () => {
    const at = await begin();
    const code = await create(at);
    await pay(at, code, 2);
    await at.pass(MINUTE_MS);
    await check(at, code);
    const fingerprint = `qr_paid_twice:${code.trackingId}`;
    expect(await breaks()).toMatchObject([{ fingerprint, amount: 5_000 }]);
    await pay(at, code);
    await at.pass(MINUTE_MS);
    await check(at, code);
    expect(await breaks()).toMatchObject([{ fingerprint, amount: 10_000, subject: { facts: { payments: 3 } } }]);
    expect(await sums()).toEqual([15_000n, -15_000n]);
  });

  test('that is no longer listed stays paid and posted, and opens a break', async () => {
    const at = await begin();
    const code = await create(at);
    await pay(at, code);
    await at.pass(MINUTE_MS);
    const paid = await check(at, code);
    at.simulator.simulation.world.qr.payments.length = 0;
    await at.pass(MINUTE_MS);
    const { succeededAfter, succeededUntil } = paid;
    expect(await check(at, code)).toMatchObject({ status: 'SUCCESS', succeededAfter, succeededUntil });
    const fingerprint = `settlement_regressed:${code.trackingId}:vanished`;
    expect(await breaks()).toMatchObject([{ fingerprint, amount: 5_000, status: 'open' }]);
    await at.pass(MINUTE_MS);
    const fault = { kind: 'status', code: 404, body: { success: false, code: 404, message: 'none' }, processed: false };
    await at.control('POST', '/faults', { operation: 'qr.verify', fault, times: 1 });
    expect(await check(at, code)).toMatchObject({ status: 'SUCCESS' });
    expect(await breaks()).toMatchObject([{ fingerprint, amount: 5_000 }]);
    expect(await sums()).toEqual([5_000n, -5_000n]);
  });

  test('of test money is stored and not posted', async () => {
    const at = await begin({ settings: { isTest: true } });
    const code = await create(at);
    await pay(at, code);
    await at.pass(MINUTE_MS);
    expect(await check(at, code)).toMatchObject({ status: 'SUCCESS' });
    expect(await sums()).toEqual([0n, 0n]);
  });

  test('is requested again if the creation of the code has outcome unknown', async () => {
    const at = await begin();
    await at.control('POST', '/faults', { operation: 'qr.generate', fault: { kind: 'html_502' }, times: 3 });
    const outcome = await at.channels.createQr({ amountMillimes: 5_000 }, OPTIONS);
    if (outcome.kind !== 'unknown') throw new Error(`the creation ended ${outcome.kind}`);
    await at.pass(30_000);
    const found = await check(at, outcome.payment);
    expect(found).toMatchObject({ requestState: 'made', link: expect.any(String), status: 'PENDING' });
    expect(found.gatewayId).toBe(outcome.payment.gatewayId);
    expect(await at.control('GET', '/qr')).toMatchObject({ codes: [{ operationUuid: found.gatewayId }] });
  });

  test('with outcome unknown is not requested again by the other application', async () => {
    const at = await begin();
    await at.control('POST', '/faults', { operation: 'qr.generate', fault: { kind: 'html_502' }, times: 3 });
    const outcome = await at.channels.createQr({ amountMillimes: 5_000 }, OPTIONS);
    if (outcome.kind !== 'unknown') throw new Error(`the creation ended ${outcome.kind}`);
    await at.pass(30_000);
    const asTest = createPayments({ ...at.deps, settings: { ...at.deps.settings, isTest: true } });
    expect(await asTest.checkStatus(outcome.payment.trackingId)).toMatchObject({ kind: 'later' });
    expect((await at.payments.show(outcome.payment.trackingId)).payment).toMatchObject({ requestState: 'unknown' });
    expect(await check(at, outcome.payment)).toMatchObject({ requestState: 'made', isTest: false });
  });

  test('by a code whose checks ended is found in the history', async () => {
    const at = await begin();
    const code = await create(at);
    await at.pass(8 * DAY_MS);
    expect(await check(at, code)).toMatchObject({ status: 'PENDING', nextCheckAt: undefined });
    await at.pass(MINUTE_MS);
    await pay(at, code);
    await at.pass(MINUTE_MS);
    expect(await readHistory(at)).toBe(1);
    expect((await at.payments.show(code.trackingId)).payment).toMatchObject({ status: 'SUCCESS' });
    expect(await sums()).toEqual([5_000n, -5_000n]);
  });

  test('by a foreign code is found in the history and posted once', async () => {
    const at = await begin();
    const ours = await create(at);
    const { operationUuid } = await at.deps.gateway.qr.generate({ amountMillimes: 5_000, merchantId: MERCHANT });
    await at.control('POST', `/qr/${operationUuid}/pay`, {});
    await at.pass(7 * 60 * MINUTE_MS);
    expect(await readHistory(at)).toBe(1);
    expect(await readHistory(at)).toBe(0);
    expect((await at.payments.show(ours.trackingId)).payment).toMatchObject({ status: 'PENDING', checks: 1 });
    expect(await sums()).toEqual([5_000n, -5_000n]);
  });

  test('posted as foreign is linked to its code later, and a person moves its money', async () => {
    const at = await begin();
    const agent = { agentId: 'A1', fullName: 'Leila', phone: '21620000001' };
    const now = at.clock.now();
    await harness.database.transact((session) => openAgentDirectory(session).add([agent], now, 'test'));
    const code = await create(at, { agentId: 'A1' });
    await pay(at, code);
    // The gateway's list of the code is behind that of the merchant: the history told the payment first.
    const [listed] = await at.deps.gateway.qr.history({ merchantId: MERCHANT });
    if (listed === undefined) throw new Error('the payment is listed');
    const { transactionUniqueId, amountMillimes: amount } = listed;
    const itemId = `payment:${transactionUniqueId}`;
    await harness.database.transact(async (session) => {
      const stranger = { trackingId: undefined, channel: undefined, paidAt: now, firstSeenAt: now };
      await openQrPayments(session).add({ transactionUniqueId, amount, itemId, ...stranger });
      const item = { itemId, channel: 'qr', amount, agentId: undefined, refundOf: undefined, occurredAt: now } as const;
      await postItem(session, item, { recordedAt: now, recordedBy: 'test' });
    });
    for (let checks = 0; checks < 2; checks += 1) {
      await at.pass(MINUTE_MS);
      await check(at, code);
    }
    const known = await harness.database.read((session) => openQrPayments(session).find([transactionUniqueId]));
    expect(known.get(transactionUniqueId)).toMatchObject({ trackingId: code.trackingId, itemId });
    expect(await sums()).toEqual([5_000n, -5_000n]);
    const fingerprint = `webhook_mismatch:${code.trackingId}:agent:${transactionUniqueId}`;
    expect(await breaks()).toMatchObject([{ fingerprint, status: 'open' }]);
  });

  test('is not posted as foreign while a code of Millime cannot be checked', async () => {
    const at = await begin();
    const code = await create(at);
    await pay(at, code);
    await at.pass(MINUTE_MS);
    await at.control('POST', '/faults', { operation: 'qr.verify', fault: { kind: 'html_502' }, times: 3 });
    await expect(readHistory(at)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await sums()).toEqual([0n, 0n]);
    expect(await readHistory(at)).toBe(1);
    expect(await sums()).toEqual([5_000n, -5_000n]);
  });

  test('needs a merchant and the API key, and the error names the missing one', async () => {
    const at = await begin({ settings: { merchantId: undefined } });
    await expect(at.channels.createQr({ amountMillimes: 5_000 }, OPTIONS)).rejects.toMatchObject({
      code: 'bad_input',
      message: 'merchantId: expected a merchant, got nothing; name one, or set GATEWAY_MERCHANT_ID',
    });
    await at.close();
    const keyless = await begin({ client: { apiKey: undefined } });
    await expect(keyless.channels.createQr({ amountMillimes: 5_000 }, OPTIONS)).rejects.toMatchObject({
      code: 'misconfigured',
      message: expect.stringContaining('GATEWAY_API_KEY'),
    });
    expect(await keyless.payments.list({ limit: 10 })).toEqual([]);
  });

  test('is not stored in a dry run or with an invalid amount', async () => {
    const at = await begin();
    expect(await at.channels.createQr({ amountMillimes: 5_000 }, { actor: OPERATOR, dryRun: true })).toEqual({
      kind: 'checked',
    });
    await expect(at.channels.createQr({ amountMillimes: -1 }, OPTIONS)).rejects.toMatchObject({ code: 'bad_input' });
    expect(await at.payments.list({ limit: 10 })).toEqual([]);
  });
});
