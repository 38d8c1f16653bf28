// Goal: a wallet is debited once, the status is followed, and nothing of it is ever posted.
// Method: the simulated gateway behind HTTP; both clocks stand still and move together.
import { afterEach, expect, test } from '@jest/globals';
import { createBreaks } from '../../../src/breaks';
import { rowsOf } from '../../../src/db';
import { createIdentity, OPERATOR } from '../../../src/identity';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel';
import { createPaymentChannels } from '../../../src/payment-channels';
import type { WalletPayRequest } from '../../../src/payment-channels/testing';
import type { Payment } from '../../../src/payments';
import { brokenInvariants } from '../../../src/reporting/testing';
import { SEEDED_WALLETS } from '../../../src/simulator/testing';
import { describeOnEachDatabase } from '../../support/db';
import { aCollectingScene, type CollectingScene, type SceneOverrides } from '../payments/scene';

const [, { phoneNumber, trackingId, balanceMillimes }] = SEEDED_WALLETS;
const ACCOUNT = { phoneNumber, trackingId };
const REQUEST = { ...ACCOUNT, amountMillimes: 7_000, product: 'P1' };
const OPTIONS = { actor: OPERATOR, dryRun: false };
/** Nobody decides about it. */
const PENDS_MILLIMES = 66_000_002;

describeOnEachDatabase('a wallet payment', (harness) => {
  let scene: CollectingScene | undefined;
  afterEach(async () => {
    await scene?.close();
    scene = undefined;
    expect(await harness.database.read(brokenInvariants)).toEqual([]);
    const posted = await harness.database.read((session) => rowsOf(session('postings as p').select('p.position')));
    expect(posted).toEqual([]);
  });

  const begin = async (overrides: SceneOverrides = {}): Promise<CollectingScene> => {
    scene = await aCollectingScene(harness.database, overrides);
    return scene;
  };
  const fingerprints = async () =>
    (await createBreaks({ database: harness.database }).list({})).map(({ fingerprint }) => fingerprint);
  /** The gateway never has it, and does not say so. */
  const lost = async (at: CollectingScene, request: WalletPayRequest): Promise<Payment> => {
    await at.control('POST', '/faults', { operation: 'wallet.pay', fault: { kind: 'html_502', processed: false } });
    const outcome = await at.channels.payFromWallet(request, OPTIONS);
    if (outcome.kind !== 'unknown') throw new Error(`the payment ended ${outcome.kind}`);
    return outcome.payment;
  };
  /** Out of the same wallet, for the same product, and not through us. */
  const aStrangersPayment = async ({ deps }: CollectingScene): Promise<void> => {
    await deps.gateway.wallet.pay(REQUEST);
  };
  const check = async ({ payments }: CollectingScene, payment: Payment): Promise<Payment> => {
    const outcome = await payments.checkStatus(payment.trackingId);
    if (outcome.kind !== 'looked') throw new Error(`the look ended ${outcome.kind}`);
    return outcome.payment;
  };

  test('is found in the history by its reference and ends with its status', async () => {
    const at = await begin();
    const outcome = await at.channels.payFromWallet({ ...REQUEST, reference: 'R1' }, OPTIONS);
    if (outcome.kind !== 'created') throw new Error(`the payment ended ${outcome.kind}`);
    expect(outcome.payment).toMatchObject({ requestState: 'made', gatewayId: expect.stringMatching(/^0x/) });
    await at.pass(30_000);
    expect(await check(at, outcome.payment)).toMatchObject({
      status: 'SUCCESS',
      itemId: undefined,
      nextCheckAt: undefined,
    });
    expect(await at.channels.walletBalance(ACCOUNT, OPERATOR)).toMatchObject({
      balanceMillimes: balanceMillimes - 7_000,
    });
  });

  test('that is pending is checked again', async () => {
    const at = await begin();
    const outcome = await at.channels.payFromWallet({ ...REQUEST, amountMillimes: PENDS_MILLIMES }, OPTIONS);
    if (outcome.kind !== 'created') throw new Error(`the payment ended ${outcome.kind}`);
    await at.pass(30_000);
    expect(await check(at, outcome.payment)).toMatchObject({
      status: 'PENDING',
      nextCheckAt: at.clock.now() + 90_000,
    });
  });

  test('that is refused stays refused, and frees its reference', async () => {
    const at = await begin();
    const poor = { ...REQUEST, amountMillimes: balanceMillimes + 1, reference: 'R1' };
    expect(await at.channels.payFromWallet(poor, OPTIONS)).toMatchObject({
      kind: 'refused',
      payment: { requestState: 'refused', isLive: false, nextCheckAt: undefined },
    });
    expect(await at.channels.payFromWallet({ ...REQUEST, reference: 'R1' }, OPTIONS)).toMatchObject({
      kind: 'created',
    });
  });

  test('whose answer was lost is never sent again, and its break lists the candidates', async () => {
    const at = await begin();
    const other = await at.channels.payFromWallet(REQUEST, OPTIONS);
    await at.control('POST', '/faults', { operation: 'wallet.pay', fault: { kind: 'reset_after' } });
    const outcome = await at.channels.payFromWallet({ ...REQUEST, reference: 'R1' }, OPTIONS);
    if (outcome.kind !== 'unknown') throw new Error(`the payment ended ${outcome.kind}`);
    const again = () => at.channels.payFromWallet({ ...REQUEST, reference: 'R1' }, OPTIONS);
    expect(await again()).toMatchObject({
      kind: 'unknown',
      reason: expect.stringContaining('status checks will find it'),
    });
    await at.pass(30_000);
    expect(await check(at, outcome.payment)).toMatchObject({ requestState: 'unknown', nextCheckAt: undefined });
    expect(await again()).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('a person must decide') });
    const [found] = await createBreaks({ database: harness.database }).list({});
    expect(found).toMatchObject({
      fingerprint: `outcome_unknown:${outcome.payment.trackingId}`,
      amount: 7_000,
      subject: { facts: { operation: 'wallet.pay', candidates: 1, references: expect.stringContaining('SUCCESS') } },
    });
    expect(other.kind).toBe('created');
    expect(await at.channels.walletBalance(ACCOUNT, OPERATOR)).toMatchObject({
      balanceMillimes: balanceMillimes - 14_000,
    });
  });

  test('that never arrived opens a break after 40 minutes, not before', async () => {
    const at = await begin();
    const fault = { kind: 'html_502', processed: false };
    await at.control('POST', '/faults', { operation: 'wallet.pay', fault });
    const outcome = await at.channels.payFromWallet(REQUEST, OPTIONS);
    if (outcome.kind !== 'unknown') throw new Error(`the payment ended ${outcome.kind}`);
    await at.pass(30 * MINUTE_MS);
    expect((await check(at, outcome.payment)).nextCheckAt).toBe(at.clock.now() + 10 * MINUTE_MS);
    expect(await createBreaks({ database: harness.database }).list({})).toEqual([]);
    await at.pass(10 * MINUTE_MS);
    await check(at, outcome.payment);
    expect(await createBreaks({ database: harness.database }).list({})).toMatchObject([
      { breakClass: 'outcome_unknown', subject: { facts: { candidates: 0 } } },
    ]);
  });

  test('that never arrived is searched for daily and frees its reference after five working days', async () => {
    const at = await begin();
    const payment = await lost(at, { ...REQUEST, reference: 'R1' });
    await at.pass(HOUR_MS);
    expect(await check(at, payment)).toMatchObject({ requestState: 'unknown', nextCheckAt: at.clock.now() + DAY_MS });
    // A Monday: the working days after it end on the next one.
    await at.pass(7 * DAY_MS);
    expect(await check(at, payment)).toMatchObject({ requestState: 'unknown', isLive: true });
    await at.pass(DAY_MS);
    expect(await check(at, payment)).toMatchObject({
      requestState: 'abandoned',
      isLive: false,
      nextCheckAt: undefined,
    });
    expect(await fingerprints()).toEqual([`outcome_unknown:${payment.trackingId}:not_listed`]);
    expect(await at.channels.payFromWallet({ ...REQUEST, reference: 'R1' }, OPTIONS)).toMatchObject({
      kind: 'created',
    });
  });

  test('of a wallet unknown to the gateway opens a break and is abandoned, like an unlisted one', async () => {
    const at = await begin();
    const payment = await lost(at, { ...REQUEST, trackingId: '00000000-0000-4000-8000-00000000dead', reference: 'R1' });
    await at.pass(40 * MINUTE_MS);
    expect(await check(at, payment)).toMatchObject({ requestState: 'unknown', failedChecks: 0 });
    expect(await fingerprints()).toEqual([`outcome_unknown:${payment.trackingId}:not_listed`]);
    await at.pass(8 * DAY_MS);
    expect(await check(at, payment)).toMatchObject({ requestState: 'abandoned', isLive: false });
  });

  test('with outcome unknown opens a break when it is abandoned, even if it was never checked before', async () => {
    const at = await begin();
    const payment = await lost(at, REQUEST);
    await at.pass(8 * DAY_MS);
    expect(await check(at, payment)).toMatchObject({ requestState: 'abandoned' });
    expect(await fingerprints()).toEqual([`outcome_unknown:${payment.trackingId}:not_listed`]);
  });

  test('with outcome unknown and a possible row is never abandoned, and opens a second break', async () => {
    const at = await begin();
    const payment = await lost(at, { ...REQUEST, reference: 'R1' });
    await at.pass(40 * MINUTE_MS);
    await check(at, payment);
    await aStrangersPayment(at);
    await at.pass(8 * DAY_MS);
    expect(await check(at, payment)).toMatchObject({ requestState: 'unknown', isLive: true, nextCheckAt: undefined });
    const told = [`outcome_unknown:${payment.trackingId}`, `outcome_unknown:${payment.trackingId}:not_listed`];
    expect((await fingerprints()).toSorted()).toEqual(told);
  });

  test('is stored without the hint token', async () => {
    const at = await begin({ settings: { publicUrl: 'https://us.example', hintToken: 'unguessable-token' } });
    const outcome = await at.channels.payFromWallet(REQUEST, OPTIONS);
    if (!('payment' in outcome)) throw new Error('the payment is stored');
    expect(JSON.stringify(outcome.payment)).not.toContain('unguessable');
    expect(JSON.stringify(await at.control('GET', '/wallets'))).toContain('/webhooks/hint/unguessable-token/partner');
  });

  test('passes reads through, records who read, and its errors name the setting to change', async () => {
    const at = await begin();
    await at.channels.payFromWallet(REQUEST, OPTIONS);
    expect(await at.channels.walletHistory(ACCOUNT, OPERATOR)).toMatchObject([{ status: 'SUCCESS' }]);
    expect(await at.channels.walletLink('21620000009', OPERATOR)).toMatchObject({ sessionId: expect.any(String) });
    expect(await at.channels.walletSession(ACCOUNT, OPERATOR)).toMatchObject({ token: expect.any(String) });
    await expect(at.channels.walletBalance({ phoneNumber, trackingId: 'no-uuid' }, OPERATOR)).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('trackingId: '),
    });
    const { rows: audited } = await createIdentity(at.deps).auditRecords({ limit: 10 });
    expect(audited.map(({ action }) => action).toSorted()).toEqual([
      'payment.sent',
      'wallet.balance_read',
      'wallet.history_read',
      'wallet.link_requested',
      'wallet.session_opened',
    ]);
    expect(JSON.stringify(audited)).not.toMatch(/2162000000|5e0c1d3a/);
    const off = { ...at.deps, gateway: undefined };
    await expect(createPaymentChannels(off).walletBalance(ACCOUNT, OPERATOR)).rejects.toMatchObject({
      code: 'misconfigured',
    });
  });
});
