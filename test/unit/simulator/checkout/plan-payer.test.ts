// Goal: customers act by the amounts and rates of the settings, and one payment's random choice never changes
// another's.
// Method: rates of 0 and 100 %, magic amounts in both modes, and whole runs compared seed by seed.
import { describe, expect, test } from '@jest/globals';
import { createSeededRandom } from '../../../../src/simulator';
import { type PayerFacts, planPayer } from '../../../../src/simulator/checkout/plan-payer';
import { decodeSettings } from '../../../../src/simulator/testing';
import { aCheckout, type CheckoutWorld } from './pack';

const ALL = 1_000_000;
const FACTS: PayerFacts = { amountMillimes: 25_000, acceptCard: true, savedType: undefined };

function plan(payer: Readonly<Record<string, unknown>>, facts: Partial<PayerFacts> = {}): unknown {
  const none = { cardPpm: 0, mobilePpm: 0, failurePpm: 0, abandonPpm: 0, afterSecs: 60 };
  const settings = decodeSettings({ payer: { ...none, ...payer } });
  return planPayer({ ...FACTS, ...facts }, settings, createSeededRandom(7));
}

describe('An automatic customer', () => {
  test.each([
    ['pays by wallet when nothing else is said', {}, [{ outcome: 'success', type: 'wallet' }]],
    ['pays by card', { cardPpm: ALL }, [{ outcome: 'success', type: 'card' }]],
    ['pays by the mobile switch', { mobilePpm: ALL }, [{ outcome: 'success', type: 'mpayment' }]],
    ['fails', { failurePpm: ALL }, [{ outcome: 'failure', type: 'wallet' }]],
    ['stays away', { abandonPpm: ALL }, []],
  ])('%s', (_name, rates, steps) => {
    expect(plan({ mode: 'auto', ...rates })).toEqual(steps.map((step) => ({ afterSecs: 60, late: false, ...step })));
  });

  test('does not pay by card if cards are not accepted', () => {
    expect(plan({ mode: 'auto', cardPpm: ALL }, { acceptCard: false })).toMatchObject([{ type: 'wallet' }]);
  });

  test.each([
    ['card', true, 'card'],
    ['card', false, 'wallet'],
    ['wallet', true, 'wallet'],
  ] as const)('with a saved %s and accept_card %s pays by %s', (savedType, acceptCard, type) => {
    expect(plan({ mode: 'auto' }, { savedType, acceptCard })).toMatchObject([{ type }]);
  });

  test('does nothing in manual mode', () => {
    expect(plan({ mode: 'manual' })).toEqual([]);
  });
});

describe.each(['manual', 'auto'] as const)('a magic amount in the mode %s', (mode) => {
  test.each([
    [66_000_001, [{ outcome: 'failure' }]],
    [66_000_002, []],
    [66_000_003, [{ outcome: 'system_failure' }]],
    [
      66_000_004,
      [
        { outcome: 'failure', afterSecs: 60, late: false },
        { outcome: 'success', afterSecs: 120, late: true },
      ],
    ],
    [66_000_005, [{ outcome: 'success' }]],
  ])('of %d decides the outcome, whatever the rates are', (amountMillimes, steps) => {
    const planned = plan({ mode, abandonPpm: ALL }, { amountMillimes });

    expect(planned).toHaveLength(steps.length);
    expect(planned).toMatchObject(steps);
  });
});

describe('A month of automatic customers', () => {
  const AUTO = { payer: { mode: 'auto', cardPpm: 500_000, failurePpm: 300_000, abandonPpm: 200_000, afterSecs: 90 } };

  async function run(settings: unknown, seed: number): Promise<CheckoutWorld> {
    const world = aCheckout(settings, seed);
    for (let count = 0; count < 40; count += 1) {
      world.create({ accept_card: true });
      await world.advanceSecs(30);
    }
    await world.advanceSecs(3_600);
    return world;
  }

  test('has the same trace for the same seed, and a different one for another seed', async () => {
    const [one, same, other] = [await run(AUTO, 7), await run(AUTO, 7), await run(AUTO, 8)];

    expect(same.simulation.world.trace).toEqual(one.simulation.world.trace);
    expect(other.simulation.world.trace).not.toEqual(one.simulation.world.trace);
  });

  test('ends every payment in one way, and the paid payments are the owed ones', async () => {
    const { simulation } = await run(AUTO, 7);
    const payments = Object.values(simulation.world.checkout.payments);
    const paid = payments.filter(({ status }) => status === 'SUCCESS');

    expect(new Set(payments.map(({ status }) => status))).toEqual(new Set(['SUCCESS', 'FAILURE', 'EXPIRED']));
    expect(simulation.world.payoutBook.open.map(({ itemId }) => itemId).sort()).toEqual(
      paid.map(({ paymentId }) => `payment:${paymentId}`).sort(),
    );
  });

  test('leaves a payment expired if its customer arrives after the session', async () => {
    const world = aCheckout({ payer: { ...AUTO.payer, failurePpm: 0, abandonPpm: 0, afterSecs: 300 } });
    const atTheEnd = world.create({ session_timeout_secs: 300 });
    const inTime = world.create({ session_timeout_secs: 301 });

    await world.advanceSecs(400);

    expect(world.payment(atTheEnd).status).toBe('EXPIRED');
    expect(world.payment(inTime).status).toBe('SUCCESS');
  });

  test('fails a late success first and pays it a minute later', async () => {
    const world = aCheckout({ payer: { afterSecs: 10 } });
    const paymentId = world.create({ amount: '66000004' });

    await world.advanceSecs(69);
    expect(world.payment(paymentId).status).toBe('FAILURE');
    await world.advanceSecs(1);
    expect(world.payment(paymentId).status).toBe('SUCCESS');
  });

  test('has a world that JSON preserves completely', async () => {
    const world = aCheckout(AUTO);
    world.create({ client_id: 'c', accept_card: true });
    await world.advanceSecs(120);

    const saved = world.simulator.snapshot();

    expect(JSON.parse(JSON.stringify(saved))).toEqual(saved);
  });
});
