import { describe, expect, test } from '@jest/globals';
import type { SimAnswer, Simulator } from '../../../../src/simulator/testing';
import { answerTo, aSimulator, passTime } from '../../../support/a-simulator';

// Goal: a payment debits its wallet exactly once, and only when it succeeds; the history shows each try.
// Method: seeded wallets and magic amounts; hints are read before any time passes, so none is sent.

const PAY = 'POST /partners/v1/transactions/initiate_payment';
const BALANCE = 'GET /partners/v1/transactions/balance';
const HISTORY = 'GET /partners/v1/transactions/history';
const SMALL = { phone_number: '21620000001', tracking_id: '5e0c1d3a-6b1f-4d0e-9a01-000000000001' };
const LARGE = { phone_number: '21620000002', tracking_id: '5e0c1d3a-6b1f-4d0e-9a01-000000000002' };
const SMALL_BALANCE = 1_250_500;
const LARGE_BALANCE = 1_000_000_000;

type Account = typeof SMALL;

function pay(simulator: Simulator, account: Account, amount: unknown, more: object = {}): SimAnswer {
  return answerTo(simulator, PAY, { body: { ...account, amount_in_millimes: amount, product: 'P-1', ...more } });
}

function balanceOf(simulator: Simulator, account: Account): number {
  const { body } = answerTo(simulator, BALANCE, { query: account });
  return (body as { readonly balance_in_millimes: number }).balance_in_millimes;
}

function historyOf(simulator: Simulator, account: Account, query: Readonly<Record<string, string>> = {}): SimAnswer {
  return answerTo(simulator, HISTORY, { query: { ...account, ...query }, headers: { host: 'gateway.example' } });
}

function statusesOf(answer: SimAnswer): readonly string[] {
  return (answer.body as { readonly results: readonly { readonly status: string }[] }).results.map((row) => row.status);
}

function hintsOf({ simulation }: Simulator): readonly unknown[] {
  return Object.values(simulation.world.webhooks.deliveries).map(({ message }) => message);
}

describe('A payment of a wallet', () => {
  test('debits the wallet and appears in its history', () => {
    const simulator = aSimulator();

    const answer = pay(simulator, SMALL, 7_500);

    expect(answer).toMatchObject({ status: 201, body: { success: true } });
    expect(balanceOf(simulator, SMALL)).toBe(SMALL_BALANCE - 7_500);
    const { blockchain_ref: reference } = answer.body as { readonly blockchain_ref: string };
    expect(historyOf(simulator, SMALL).body).toMatchObject({
      count: 1,
      results: [
        {
          sender: SMALL.phone_number,
          status: 'SUCCESS',
          time_created: '2026-03-02T09:00:00.000+01:00',
          payload: { blockchain_ref: reference, operation_type: 'payment', product: 'P-1' },
        },
      ],
    });
  });

  test('may use the whole balance', () => {
    const simulator = aSimulator();
    pay(simulator, SMALL, SMALL_BALANCE);

    expect(balanceOf(simulator, SMALL)).toBe(0);
  });

  test('is refused beyond the balance, in the format of a refused refund, and stores nothing', () => {
    const simulator = aSimulator();

    expect(pay(simulator, SMALL, SMALL_BALANCE + 1)).toMatchObject({
      status: 400,
      body: { status: 'error', code: 'INSUFFICIENT_BALANCE' },
    });
    expect(balanceOf(simulator, SMALL)).toBe(SMALL_BALANCE);
    expect(historyOf(simulator, SMALL).body).toMatchObject({ count: 0, results: [] });
  });

  test('sends an unsigned hint only if a webhook was given', () => {
    const simulator = aSimulator();
    pay(simulator, SMALL, 1);
    expect(hintsOf(simulator)).toEqual([]);

    const { hash, blockchain_ref: reference } = pay(simulator, SMALL, 1, { webhook: 'https://merchant.example/hint' })
      .body as Record<string, string>;

    expect(hintsOf(simulator)).toEqual([
      {
        kind: 'hint',
        channel: 'partner',
        url: 'https://merchant.example/hint',
        body: { operation_id: expect.any(String), hash, blockchain_ref: reference, status: 'SUCCESS' },
      },
    ]);
  });

  test('creates no payout, because the money does not go to the integrator', () => {
    const simulator = aSimulator();
    pay(simulator, SMALL, 7_500);

    expect(simulator.simulation.world.payoutBook.open).toEqual([]);
  });

  test.each([
    ['a string', '7500'],
    ['zero', 0],
    ['a fraction', 1.5],
    ['less than nothing', -1],
    ['beyond safe integers', 2 ** 53],
    ['null', null],
  ])('refuses %s for an amount', (_name, amount) => {
    const simulator = aSimulator();

    const { status, body } = pay(simulator, SMALL, amount);

    expect(status).toBe(400);
    expect(Object.keys(body as object)).toEqual(['amount_in_millimes']);
    expect(balanceOf(simulator, SMALL)).toBe(SMALL_BALANCE);
  });

  test('names all missing fields', () => {
    const { status, body } = answerTo(aSimulator(), PAY, { body: [] });

    expect(status).toBe(400);
    expect(Object.keys(body as object).toSorted()).toEqual([
      'amount_in_millimes',
      'phone_number',
      'product',
      'tracking_id',
    ]);
  });

  test('refuses a webhook that is not an https URL', () => {
    expect(pay(aSimulator(), SMALL, 1, { webhook: 'http://merchant.example/hint' })).toMatchObject({
      status: 400,
      body: { webhook: ['is not an https URL'] },
    });
  });
});

describe('A magic amount of a wallet', () => {
  test.each([
    [66_000_001, 400, 'FAILURE'],
    [66_000_002, 201, 'PENDING'],
    [66_000_003, 201, 'SYSTEM_FAILURE'],
    [66_000_004, 201, 'FAILURE'],
  ])('%i is answered with %i, ends as %s and takes nothing', (amount, httpStatus, status) => {
    const simulator = aSimulator();

    expect(pay(simulator, LARGE, amount).status).toBe(httpStatus);

    expect(statusesOf(historyOf(simulator, LARGE))).toEqual([status]);
    expect(balanceOf(simulator, LARGE)).toBe(LARGE_BALANCE);
  });

  test('66 000 004 succeeds a minute after its failure and is debited once', async () => {
    const simulator = aSimulator();
    pay(simulator, LARGE, 66_000_004);
    await passTime(simulator, 59_999);
    expect(statusesOf(historyOf(simulator, LARGE))).toEqual(['FAILURE']);

    await passTime(simulator, 86_400_000);

    expect(statusesOf(historyOf(simulator, LARGE))).toEqual(['SUCCESS']);
    expect(balanceOf(simulator, LARGE)).toBe(LARGE_BALANCE - 66_000_004);
  });

  test('a late success never makes a balance negative', async () => {
    const simulator = aSimulator();
    pay(simulator, LARGE, 66_000_004);
    pay(simulator, LARGE, LARGE_BALANCE);

    await passTime(simulator, 60_000);

    expect(statusesOf(historyOf(simulator, LARGE))).toEqual(['SUCCESS', 'FAILURE']);
    expect(balanceOf(simulator, LARGE)).toBe(0);
  });
});

describe('The history of a wallet', () => {
  async function withFivePayments(): Promise<Simulator> {
    const simulator = aSimulator();
    for (const amount of [1, 2, 3, 4, 5]) {
      pay(simulator, SMALL, amount, { product: `P-${amount}` });
      await passTime(simulator, 60_000);
    }
    return simulator;
  }

  const productsOf = (answer: SimAnswer): readonly string[] =>
    (answer.body as { readonly results: readonly { readonly payload: { readonly product: string } }[] }).results.map(
      ({ payload }) => payload.product,
    );

  test('begins with page 1, the newest first, and links the pages', async () => {
    const simulator = await withFivePayments();

    const pages = ['1', '2', '3', '4'].map((page) => historyOf(simulator, SMALL, { page, size: '2' }));

    expect(pages.map(productsOf)).toEqual([['P-5', 'P-4'], ['P-3', 'P-2'], ['P-1'], []]);
    const links = pages.map(({ body }) => {
      const { next, previous, count } = body as Record<'next' | 'previous' | 'count', string | null>;
      const pageOf = (link: string | null): string | null =>
        link === null ? null : new URL(link).searchParams.get('page');
      return { next: pageOf(next), previous: pageOf(previous), count };
    });
    expect(links).toEqual([
      { next: '2', previous: null, count: 5 },
      { next: '3', previous: '1', count: 5 },
      { next: null, previous: '2', count: 5 },
      { next: null, previous: '3', count: 5 },
    ]);
  });

  test('names no next page if the last one is full', async () => {
    const simulator = await withFivePayments();

    expect(historyOf(simulator, SMALL, { size: '5' }).body).toMatchObject({ count: 5, next: null });
  });

  test('contains payments from the first instant on and before the second', async () => {
    const simulator = await withFivePayments();

    const answer = historyOf(simulator, SMALL, { from: '2026-03-02T08:01:00Z', to: '2026-03-02T09:03:00+01:00' });

    expect(productsOf(answer)).toEqual(['P-3', 'P-2']);
  });

  test.each([
    ['page', '0'],
    ['page', '-1'],
    ['page', 'first'],
    ['size', '0'],
    ['size', '10001'],
    ['size', '1.5'],
    ['from', '2026-03-02'],
    ['to', '2026-03-02T09:00:00 01:00'],
  ])('refuses %s=%s', (name, value) => {
    const { status, body } = historyOf(aSimulator(), SMALL, { [name]: value });

    expect({ status, fields: Object.keys(body as object) }).toEqual({ status: 400, fields: [name] });
  });

  test('accepts a size of 10 000', () => {
    expect(historyOf(aSimulator(), SMALL, { size: '10000' }).status).toBe(200);
  });
});
