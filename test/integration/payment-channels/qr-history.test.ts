// Goal: a payment by a foreign code is posted once, perhaps late, and never while it may belong to a code of Millime.
// Method: the simulated gateway behind HTTP; both clocks stand still and move together.
import { afterEach, expect, test } from '@jest/globals';
import { OPERATOR } from '../../../src/identity';
import { DAY_MS, HOUR_MS } from '../../../src/kernel';
import { gatewayClearing, openLedger } from '../../../src/ledger';
import { readQrHistory } from '../../../src/payment-channels/testing';
import type { Payment } from '../../../src/payments';
import { brokenInvariants } from '../../../src/reporting/testing';
import { describeOnEachDatabase } from '../../support/db';
import { aCollectingScene, type CollectingScene } from '../payments/scene';

const MERCHANT = 4_711;
const OPTIONS = { actor: OPERATOR, dryRun: false };
const UNKNOWN_CODE = { success: false, code: 404, message: 'precondition fails, code 3' };

describeOnEachDatabase('the QR history', (harness) => {
  let scene: CollectingScene | undefined;
  afterEach(async () => {
    await scene?.close();
    scene = undefined;
    expect(await harness.database.read(brokenInvariants)).toEqual([]);
  });

  const begin = async (): Promise<CollectingScene> => {
    scene = await aCollectingScene(harness.database, { settings: { merchantId: MERCHANT } });
    return scene;
  };
  const ours = async ({ channels }: CollectingScene, amountMillimes: number): Promise<Payment> => {
    const outcome = await channels.createQr({ amountMillimes }, OPTIONS);
    if (outcome.kind !== 'created') throw new Error(`the creation ended ${outcome.kind}`);
    return outcome.payment;
  };
  /** A customer pays a code that was printed elsewhere. */
  const payForeign = async ({ deps, control }: CollectingScene, amountMillimes: number): Promise<void> => {
    const { operationUuid } = await deps.gateway.qr.generate({ amountMillimes, merchantId: MERCHANT });
    await control('POST', `/qr/${operationUuid}/pay`, {});
  };
  const read = ({ deps, clock }: CollectingScene, codesCheckedMax?: number): Promise<number> =>
    readQrHistory(deps, { from: clock.now() - 3 * DAY_MS, until: clock.now() }, codesCheckedMax);
  const failVerify = ({ control }: CollectingScene): Promise<unknown> =>
    control('POST', '/faults', { operation: 'qr.verify', fault: { kind: 'html_502' }, times: 3 });
  const checksOf = async ({ payments }: CollectingScene, codes: readonly Payment[]): Promise<number[]> =>
    Promise.all(codes.map(async ({ trackingId }) => (await payments.show(trackingId)).payment.checks));
  const booked = () => harness.database.read((session) => openLedger(session).sumOf(gatewayClearing('qr')));

  test('posts a foreign payment over several runs, each of which continues the previous one', async () => {
    const at = await begin();
    const codes: Payment[] = [];
    while (codes.length < 5) codes.push(await ours(at, 5_000));
    await payForeign(at, 5_000);
    await at.pass(7 * HOUR_MS);
    for (const checks of [
      [0, 0, 0, 1, 1],
      [0, 1, 1, 1, 1],
    ]) {
      await expect(read(at, 2)).rejects.toMatchObject({ code: 'interrupted' });
      expect(await checksOf(at, codes)).toEqual(checks);
      expect(await booked()).toBe(0n);
      await at.pass(HOUR_MS);
    }
    expect(await read(at, 2)).toBe(1);
    expect(await checksOf(at, codes)).toEqual([1, 1, 1, 1, 1]);
    expect(await booked()).toBe(5_000n);
  });

  test('posts foreign payments of other amounts even if one run cannot check every code of an amount', async () => {
    const at = await begin();
    for (let codes = 0; codes < 3; codes += 1) await ours(at, 5_000);
    await payForeign(at, 5_000);
    await payForeign(at, 7_000);
    await at.pass(7 * HOUR_MS);
    await expect(read(at, 2)).rejects.toMatchObject({ code: 'interrupted' });
    expect(await booked()).toBe(7_000n);
  });

  test('postpones only payments with the amount of a code that cannot be checked', async () => {
    const at = await begin();
    await ours(at, 5_000);
    await ours(at, 7_000);
    await payForeign(at, 5_000);
    await at.pass(60_000);
    await payForeign(at, 7_000);
    await at.pass(7 * HOUR_MS);
    await failVerify(at);
    await expect(read(at)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await booked()).toBe(7_000n);
    expect(await read(at)).toBe(1);
    expect(await booked()).toBe(12_000n);
  });

  test('checks codes that answered before first', async () => {
    const at = await begin();
    const codes = [await ours(at, 5_000), await ours(at, 5_000)];
    await payForeign(at, 5_000);
    await at.pass(7 * HOUR_MS);
    for (let failures = 0; failures < 3; failures += 1) {
      await failVerify(at);
      await expect(read(at, 1)).rejects.toMatchObject({ code: 'unavailable' });
    }
    await expect(read(at, 1)).rejects.toMatchObject({ code: 'interrupted' });
    expect(await checksOf(at, codes)).toEqual([1, 0]);
    expect(await read(at, 1)).toBe(1);
  });

  test('posts a foreign payment even if the gateway no longer knows a code of Millime', async () => {
    const at = await begin();
    const code = await ours(at, 5_000);
    await payForeign(at, 5_000);
    await at.pass(7 * HOUR_MS);
    const fault = { kind: 'status', code: 404, body: UNKNOWN_CODE, processed: false };
    await at.control('POST', '/faults', { operation: 'qr.verify', fault, times: 1 });
    expect(await read(at)).toBe(1);
    expect((await at.payments.show(code.trackingId)).payment).toMatchObject({ status: 'PENDING', failedChecks: 0 });
    expect(await booked()).toBe(5_000n);
  });

  test('does not check a code older than thirty days', async () => {
    const at = await begin();
    const code = await ours(at, 5_000);
    await at.pass(31 * DAY_MS);
    await payForeign(at, 5_000);
    await at.pass(60_000);
    expect(await read(at)).toBe(1);
    expect(await checksOf(at, [code])).toEqual([0]);
    expect(await booked()).toBe(5_000n);
  });

  test('does not wait for codes created after the payment', async () => {
    const at = await begin();
    await payForeign(at, 5_000);
    await at.pass(7 * HOUR_MS);
    const code = await ours(at, 5_000);
    expect(await read(at)).toBe(1);
    expect(await checksOf(at, [code])).toEqual([0]);
    expect(await booked()).toBe(5_000n);
  });

  test('checks again some hours after a payment, because the list of a code may lag', async () => {
    const at = await begin();
    const code = await ours(at, 5_000);
    await payForeign(at, 5_000);
    await at.pass(60_000);
    expect(await read(at)).toBe(0);
    await at.pass(5 * HOUR_MS);
    expect(await read(at)).toBe(0);
    expect(await booked()).toBe(0n);
    await at.pass(HOUR_MS);
    expect(await read(at)).toBe(1);
    expect(await checksOf(at, [code])).toEqual([3]);
    expect(await booked()).toBe(5_000n);
  });

  test('posts a foreign payment immediately if other status checks covered every code', async () => {
    const at = await begin();
    const code = await ours(at, 5_000);
    await payForeign(at, 5_000);
    await at.pass(7 * HOUR_MS);
    await at.payments.checkStatus(code.trackingId);
    await at.pass(60_000);
    expect(await read(at)).toBe(1);
    expect(await checksOf(at, [code])).toEqual([1]);
  });

  test('checks a code again if a clock days ahead recorded its last status check', async () => {
    const at = await begin();
    const code = await ours(at, 5_000);
    at.clock.advance(5 * DAY_MS);
    await at.payments.checkStatus(code.trackingId);
    at.clock.advance(-5 * DAY_MS);
    await at.control('POST', `/qr/${code.gatewayId ?? ''}/pay`, {});
    await at.pass(7 * HOUR_MS);
    expect(await read(at)).toBe(1);
    expect((await at.payments.show(code.trackingId)).payment).toMatchObject({ status: 'SUCCESS' });
    expect(await booked()).toBe(5_000n);
  });

  test('posts nothing during an outage of the gateway and sends few requests', async () => {
    const at = await begin();
    const codes: Payment[] = [];
    while (codes.length < 5) codes.push(await ours(at, 5_000));
    await payForeign(at, 5_000);
    await at.pass(7 * HOUR_MS);
    await at.control('POST', '/faults', { operation: 'qr.verify', fault: { kind: 'html_502' }, times: 1_000 });
    await expect(read(at)).rejects.toMatchObject({ code: 'unavailable' });
    const shown = await Promise.all(codes.map(async ({ trackingId }) => (await at.payments.show(trackingId)).payment));
    expect(shown.filter(({ failedChecks }) => failedChecks > 0)).toHaveLength(3);
    expect(await booked()).toBe(0n);
  });
});
