// Goal: a POS transaction is started once, found by its tracking id, followed to its end, and posted once.
// Method: the simulated gateway behind HTTP; both clocks stand still and move together.
import { afterEach, expect, test } from '@jest/globals';
import { createBreaks } from '../../../src/breaks';
import { openAuditTrail, OPERATOR } from '../../../src/identity';
import { DAY_MS, MINUTE_MS } from '../../../src/kernel';
import { gatewayClearing, openLedger, PAYMENTS_RECEIVED } from '../../../src/ledger';
import type { Payment } from '../../../src/payments';
import { brokenInvariants } from '../../../src/reporting/testing';
import { describeOnEachDatabase } from '../../support/db';
import { aCollectingScene, type CollectingScene, type SceneOverrides } from '../payments/scene';

const REQUEST = { idTerminal: 'T1', serialNumber: 'S1', amountMillimes: 12_500, paymentMethod: 'CARD' } as const;
const OPTIONS = { actor: OPERATOR, dryRun: false };

describeOnEachDatabase('a POS payment', (harness) => {
  let scene: CollectingScene | undefined;
  afterEach(async () => {
    await scene?.close();
    scene = undefined;
    expect(await harness.database.read(brokenInvariants)).toEqual([]);
  });

  const begin = async (overrides: SceneOverrides = {}): Promise<CollectingScene> => {
    scene = await aCollectingScene(harness.database, overrides);
    return scene;
  };
  const start = async ({ channels }: CollectingScene, more: object = {}): Promise<Payment> => {
    const outcome = await channels.startPos({ ...REQUEST, ...more }, OPTIONS);
    if (outcome.kind !== 'created') throw new Error(`the start ended ${outcome.kind}`);
    return outcome.payment;
  };
  const check = async ({ payments }: CollectingScene, { trackingId }: Payment): Promise<Payment> => {
    const outcome = await payments.checkStatus(trackingId);
    if (outcome.kind !== 'looked') throw new Error(`the look ended ${outcome.kind}`);
    return outcome.payment;
  };
  const finish = ({ control }: CollectingScene, { gatewayId }: Payment, status: string, more: object = {}) =>
    control('POST', `/pos/${gatewayId ?? ''}/finish`, { status, ...more });
  const sums = () =>
    harness.database.read(async (session) => {
      const ledger = openLedger(session);
      return [await ledger.sumOf(gatewayClearing('pos')), await ledger.sumOf(PAYMENTS_RECEIVED)];
    });
  const openBreaks = async () =>
    (await createBreaks({ database: harness.database }).list({})).map(({ fingerprint }) => fingerprint);

  test('is stored with an audit record and found by its tracking id at the first status check', async () => {
    const at = await begin();
    const payment = await start(at, { reference: 'R1' });
    expect(payment).toMatchObject({ kind: 'pos', requestState: 'made', gatewayId: undefined, isLive: true });
    expect(payment.nextCheckAt).toBe(at.clock.now() + 30_000);
    const { rows: audit } = await harness.database.read((session) => openAuditTrail(session).list({ limit: 10 }));
    expect(audit).toMatchObject([{ action: 'payment.sent', subject: `payment:${payment.trackingId}` }]);
    await at.pass(30_000);
    const checked = await check(at, payment);
    expect(checked).toMatchObject({ status: 'PP', gatewayId: expect.any(String), itemId: undefined });
    expect(checked.nextCheckAt).toBe(at.clock.now() + 90_000);
  });

  test('is posted once after its success, however often it is checked', async () => {
    const at = await begin();
    const pending = await startAndFind(at);
    await finish(at, pending, 'PS');
    await at.pass(90_000);
    const paid = await check(at, pending);
    expect(paid).toMatchObject({ status: 'PS', settlementStatus: 'AVAILABLE', itemId: `payment:${pending.gatewayId}` });
    expect(paid.nextCheckAt).toBe(at.clock.now() + DAY_MS);
    await at.pass(MINUTE_MS);
    await check(at, paid);
    expect(await sums()).toEqual([12_500n, -12_500n]);
    expect(await openBreaks()).toEqual([]);
  });

  test('is posted once by many concurrent status checks', async () => {
    const at = await begin();
    const pending = await startAndFind(at);
    await finish(at, pending, 'PS');
    await at.pass(MINUTE_MS);
    await Promise.all(
      [1, 2, 3, 4].map(() => {
        at.clock.advance(1);
        return check(at, pending);
      }),
    );
    expect(await sums()).toEqual([12_500n, -12_500n]);
  });

  test('is checked by the poller', async () => {
    const at = await begin();
    const payment = await start(at);
    await at.pass(30_000);
    await at.payments.poll();
    const { payment: found } = await at.payments.show(payment.trackingId);
    await finish(at, found, 'PS');
    await at.pass(90_000);
    await at.payments.poll();
    expect((await at.payments.show(payment.trackingId)).payment).toMatchObject({
      status: 'PS',
      nextCheckAt: at.clock.now() + DAY_MS,
    });
    expect(await sums()).toEqual([12_500n, -12_500n]);
  });

  test('that is refunded at the terminal within a week is reversed, even if the hint is lost', async () => {
    const at = await begin();
    const pending = await startAndFind(at);
    await finish(at, pending, 'PS');
    await at.pass(MINUTE_MS);
    await check(at, pending);
    await at.pass(DAY_MS);
    await at.payments.poll();
    expect(await sums()).toEqual([12_500n, -12_500n]);
    await finish(at, pending, 'PR');
    await at.pass(6 * DAY_MS);
    await at.payments.poll();
    expect((await at.payments.show(pending.trackingId)).payment).toMatchObject({
      status: 'PR',
      nextCheckAt: undefined,
    });
    expect(await sums()).toEqual([0n, 0n]);
  });

  test('that is refunded at the terminal within a week is reversed immediately after a hint', async () => {
    const at = await begin();
    const pending = await startAndFind(at);
    await finish(at, pending, 'PS');
    await at.pass(MINUTE_MS);
    await check(at, pending);
    await at.pass(2 * DAY_MS);
    await at.payments.poll();
    await finish(at, pending, 'PR');
    await at.pass(DAY_MS);
    await at.payments.poll();
    expect(await sums()).toEqual([12_500n, -12_500n]);
    expect(await at.payments.hint('pos', at.clock.now())).toBe(1);
    await at.payments.poll();
    expect((await at.payments.show(pending.trackingId)).payment).toMatchObject({
      status: 'PR',
      nextCheckAt: undefined,
    });
    expect(await sums()).toEqual([0n, 0n]);
  });

  test('that is posted is checked at most once an hour despite forged hints', async () => {
    const at = await begin();
    const pending = await startAndFind(at);
    await finish(at, pending, 'PS');
    await at.pass(MINUTE_MS);
    const { checks } = await check(at, pending);
    for (let minutes = 5; minutes <= 120; minutes += 5) {
      await at.pass(5 * MINUTE_MS);
      await at.payments.hint('pos', at.clock.now());
      await at.payments.poll();
    }
    expect((await at.payments.show(pending.trackingId)).payment).toMatchObject({ status: 'PS', checks: checks + 2 });
    expect(await sums()).toEqual([12_500n, -12_500n]);
  });

  test('that was refunded before its success was observed is posted and reversed', async () => {
    const at = await begin();
    const pending = await startAndFind(at);
    await finish(at, pending, 'PS');
    await finish(at, pending, 'PR');
    await at.pass(MINUTE_MS);
    const refunded = await check(at, pending);
    expect(refunded).toMatchObject({ status: 'PR', itemId: `payment:${pending.gatewayId}`, nextCheckAt: undefined });
    expect(await sums()).toEqual([0n, 0n]);
  });

  test('in cash is stored and not posted', async () => {
    const at = await begin();
    const pending = await startAndFind(at);
    await finish(at, pending, 'PS', { paymentMethod: 'cash' });
    await at.pass(MINUTE_MS);
    expect(await check(at, pending)).toMatchObject({ status: 'PS', method: 'cash', itemId: undefined });
    expect(await sums()).toEqual([0n, 0n]);
  });

  test('of test money is not posted', async () => {
    const at = await begin({ simulator: { settings: { isTest: true } }, settings: { isTest: true } });
    const pending = await startAndFind(at, { paymentMethod: 'NFC' });
    await finish(at, pending, 'PS');
    await at.pass(MINUTE_MS);
    const paid = await check(at, pending);
    expect(paid).toMatchObject({
      status: 'PS',
      settlementStatus: undefined,
      itemId: undefined,
      nextCheckAt: undefined,
    });
    expect(await sums()).toEqual([0n, 0n]);
  });

  test('that is paid after a failure is posted and opens a break', async () => {
    const at = await begin();
    const pending = await startAndFind(at, { reference: 'R1' });
    await finish(at, pending, 'PF');
    await at.pass(MINUTE_MS);
    expect(await check(at, pending)).toMatchObject({ status: 'PF', isLive: false, nextCheckAt: expect.any(Number) });
    await finish(at, pending, 'PS');
    await at.pass(MINUTE_MS);
    expect(await check(at, pending)).toMatchObject({ status: 'PS', isLive: true, itemId: expect.any(String) });
    expect(await openBreaks()).toEqual([`late_success:${pending.trackingId}`]);
  });

  test('whose start got no answer is found by its tracking id and never sent again', async () => {
    const at = await begin();
    await at.control('POST', '/faults', { operation: 'pos.start', fault: { kind: 'reset_after' } });
    const outcome = await at.channels.startPos({ ...REQUEST, reference: 'R1' }, OPTIONS);
    if (outcome.kind !== 'unknown') throw new Error(`the start ended ${outcome.kind}`);
    expect(await at.channels.startPos({ ...REQUEST, reference: 'R1' }, OPTIONS)).toMatchObject({ kind: 'unknown' });
    await at.pass(30_000);
    expect(await check(at, outcome.payment)).toMatchObject({
      requestState: 'made',
      status: 'PP',
      requestError: undefined,
    });
    expect(await at.control('GET', '/pos')).toMatchObject({ transactions: [{}] });
  });

  test('whose start never arrived opens a break after 40 minutes and is abandoned after five days', async () => {
    const at = await begin();
    await at.control('POST', '/faults', { operation: 'pos.start', fault: { kind: 'html_502', processed: false } });
    const outcome = await at.channels.startPos({ ...REQUEST, reference: 'R1' }, OPTIONS);
    if (outcome.kind !== 'unknown') throw new Error(`the start ended ${outcome.kind}`);
    await at.pass(30 * MINUTE_MS);
    expect((await check(at, outcome.payment)).nextCheckAt).toBe(at.clock.now() + 10 * MINUTE_MS);
    expect(await openBreaks()).toEqual([]);
    await at.pass(10 * MINUTE_MS);
    await check(at, outcome.payment);
    expect(await openBreaks()).toEqual([`outcome_unknown:${outcome.payment.trackingId}`]);
    await at.pass(5 * DAY_MS);
    const given = await check(at, outcome.payment);
    expect(given).toMatchObject({ requestState: 'abandoned', isLive: false, nextCheckAt: undefined });
    expect(await start(at, { reference: 'R1' })).toMatchObject({ isLive: true });
  });

  test('has one attempt per reference, and refuses other terms', async () => {
    const at = await begin();
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => at.channels.startPos({ ...REQUEST, reference: 'R1' }, OPTIONS)),
    );
    expect(new Set(outcomes.map((each) => ('payment' in each ? each.payment.trackingId : ''))).size).toBe(1);
    expect(await at.control('GET', '/pos')).toMatchObject({ transactions: [{}] });
    const other = at.channels.startPos({ ...REQUEST, reference: 'R1', amountMillimes: 1 }, OPTIONS);
    await expect(other).rejects.toMatchObject({ code: 'conflict' });
  });

  test('with invalid input is refused before it is stored, and a dry run stores and sends nothing', async () => {
    const at = await begin();
    const bad = at.channels.startPos({ ...REQUEST, amountMillimes: 0 }, OPTIONS);
    await expect(bad).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('amountMillimes: '),
    });
    const unknownAgent = at.channels.startPos({ ...REQUEST, agentId: 'unknown' }, OPTIONS);
    await expect(unknownAgent).rejects.toMatchObject({ code: 'bad_input' });
    expect(await at.channels.startPos(REQUEST, { actor: OPERATOR, dryRun: true })).toEqual({ kind: 'checked' });
    expect(await at.payments.list({ limit: 10 })).toEqual([]);
    expect(await at.control('GET', '/pos')).toEqual({ transactions: [] });
  });

  test('is checked again later if the gateway does not answer', async () => {
    const at = await begin();
    const payment = await start(at);
    await at.control('POST', '/faults', { operation: 'pos.status', fault: { kind: 'html_502' }, times: 3 });
    await at.pass(30_000);
    expect(await at.payments.checkStatus(payment.trackingId)).toMatchObject({ kind: 'later' });
    const { payment: now } = await at.payments.show(payment.trackingId);
    expect(now).toMatchObject({ failedChecks: 1, status: undefined, lastCheckAt: undefined });
    expect(now.nextCheckAt).toBeGreaterThan(at.clock.now());
  });

  async function startAndFind(at: CollectingScene, more: object = {}): Promise<Payment> {
    const payment = await start(at, more);
    await at.pass(30_000);
    return check(at, payment);
  }
});
