import { describe, expect, test } from '@jest/globals';
import { businessDate, HOUR_MS } from '../../../src/kernel';
import { createSeededRandom } from '../../../src/simulator';
import { payoutTruth, type Simulator } from '../../../src/simulator/testing';
import { answerTo, aSimulator, passTime } from '../../support/a-simulator';

// Goal: over a month of every channel no millime appears or is lost, and the month is reproducible.
// Method: random customers, refunds, subscriptions, POS, QR and wallet calls at seeded times; then all earned amounts
// are compared with payouts, their cancellations and the open rest; and the same month is run twice.

const STEPS = 30 * 24;
const SETTINGS = {
  payer: { mode: 'auto', afterSecs: 90 },
  subscriptions: { failurePpm: 200_000 },
  payouts: {
    model: 'sweep-per-channel',
    fees: [
      { channel: 'card', rate_ppm: 15_000, fixed_millimes: 100, tva_ppm: 190_000, rounding: 'half_up', basis: 'item' },
      { channel: 'pos', rate_ppm: 9_000, fixed_millimes: 0, tva_ppm: 190_000, rounding: 'half_even', basis: 'payout' },
    ],
    deviations: { heldBackPpm: 50_000, splitPpm: 100_000, joinedPpm: 100_000, returnedPpm: 100_000 },
  },
};
const LINKS = { success_link: 'https://shop.example/yes', fail_link: 'https://shop.example/no' };

describe('A month in the simulator', () => {
  test('leaves every earned amount paid out, cancelled by its refund or open, and the bank shows the payouts', async () => {
    const { simulation } = await aMonth(7);
    const { earned, payoutBook } = simulation.world;
    const paid = payoutBook.payouts.flatMap(({ lines }) => lines.map(({ itemId }) => itemId));
    const ended = [...paid, ...idsOf(payoutBook.cancelled), ...idsOf(payoutBook.open)];

    expect(earned.length).toBeGreaterThan(400);
    expect(new Set(earned.map(({ channel }) => channel))).toEqual(
      new Set(['card', 'wallet', 'mpayment', 'pos', 'qr', 'subscription']),
    );
    expect(earned.some(({ refundOf }) => refundOf !== undefined)).toBe(true);
    expect(ended.sort()).toEqual(idsOf(earned).sort());
    for (const { grossMillimes, feeMillimes, tvaMillimes, netMillimes } of payoutBook.payouts) {
      expect(netMillimes).toBe(grossMillimes - feeMillimes - tvaMillimes);
    }
    const waiting = new Set(payoutBook.waiting.map(({ payoutId }) => payoutId));
    const booked = payoutBook.payouts.filter(({ payoutId }) => !waiting.has(payoutId));
    expect(total(payoutBook.lines.map(({ amountMillimes }) => amountMillimes))).toBe(
      total(booked.map(({ netMillimes }) => netMillimes)),
    );
  });

  test('has the same trace and truth for the same seed, and different ones for another seed', async () => {
    const [first, again, other] = await Promise.all([aMonth(7), aMonth(7), aMonth(8)]);

    expect(again.simulation.world.trace).toEqual(first.simulation.world.trace);
    expect(truthOf(again)).toEqual(truthOf(first));
    expect(truthOf(other)).not.toEqual(truthOf(first));
  });
});

/** Every hour a few calls of an integrator who does not look, at times and of kinds that follow from the seed. */
async function aMonth(seed: number): Promise<Simulator> {
  const simulator = aSimulator({ seed, settings: SETTINGS });
  const chance = createSeededRandom(`integrator:${seed}`);
  const paymentIds: string[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    const amount = chance.int(1_000, 900_000);
    const kind = chance.pick(['payment', 'payment', 'payment', 'subscription', 'pos', 'qr', 'refund']);
    call(simulator, kind, { amount, number: step, paymentId: chance.pick(['', ...paymentIds]) }, paymentIds);
    await passTime(simulator, HOUR_MS);
  }
  return simulator;
}

interface CallFacts {
  readonly amount: number;
  readonly number: number;
  readonly paymentId: string;
}

function call(simulator: Simulator, kind: string, facts: CallFacts, paymentIds: string[]): void {
  const { amount, number, paymentId } = facts;
  const post = (path: string, body: unknown): unknown => answerTo(simulator, `POST ${path}`, { body }).body;
  switch (kind) {
    case 'payment': {
      const made = post('/api/v2/generate_payment', { amount: String(amount), ...LINKS, accept_card: true });
      paymentIds.push((made as { result: { payment_id: string } }).result.payment_id);
      return;
    }
    case 'subscription':
      post('/api/v2/subscriptions', {
        ...LINKS,
        amount,
        interval: 'week',
        name: 'Plan',
        developer_tracking_id: `S-${number}`,
      });
      return;
    case 'pos':
      post('/api/transactions/init_pos_transaction', {
        id_terminal: 'TERM-1',
        serial_number: 'SN-1',
        amount_in_millimes: amount,
        payment_method: 'CARD',
        developer_tracking_id: `P-${number}`,
      });
      return;
    case 'qr':
      answerTo(simulator, 'GET /api/business/generate_custom_qr_code', {
        query: { amount_in_millimes: String(amount), merchant_id: '7' },
      });
      return;
    default:
      post('/api/v2/refund_payment', { payment_id: paymentId });
  }
}

function truthOf({ simulation }: Simulator): unknown {
  return payoutTruth(simulation.world.payoutBook, { through: businessDate('2026-03-31'), asOf: simulation.now() });
}

function idsOf(items: readonly { readonly itemId: string }[]): string[] {
  return items.map(({ itemId }) => itemId);
}

function total(amounts: readonly number[]): bigint {
  return amounts.reduce((sum, amount) => sum + BigInt(amount), 0n);
}
