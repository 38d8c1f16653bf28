import { describe, expect, test } from '@jest/globals';
import { isAppError } from '../../../../src/kernel';
import { finishPos } from '../../../../src/simulator/pos/finish-pos';
import type { PosStatus } from '../../../../src/simulator/pos/pos-state';
import type { SimAnswer, Simulator } from '../../../../src/simulator/testing';
import { answerTo, aSimulator, passTime } from '../../../support/a-simulator';

// Goal: a POS transaction takes only the transitions of the interface, and its money is owed once and reversed once.
// Method: the operations without HTTP; the control function and the clock in place of terminal and customer.

const START = 'POST /api/transactions/init_pos_transaction';
const STATUS = 'GET /api/transactions/get_pos_transaction_status';
const GOOD = {
  id_terminal: 'T-001',
  serial_number: 'SN0042',
  amount_in_millimes: 15_750,
  payment_method: 'CARD',
  developer_tracking_id: 'till-1',
};
const ALL_STATUSES: readonly PosStatus[] = ['PP', 'PA', 'PS', 'PF', 'PU', 'RP', 'PR', 'RF'];

interface Row {
  readonly service_transaction_id: string;
  readonly payment_status: string;
  readonly settlement_status?: string;
}

function rowsOf({ body }: SimAnswer): readonly Row[] {
  return (body as { readonly transactions: readonly Row[] }).transactions;
}

function statusBy(simulator: Simulator, query: Readonly<Record<string, string>>): SimAnswer {
  return answerTo(simulator, STATUS, { query });
}

/** Starts a transaction and gives its id, which only the status tells. */
function started(simulator: Simulator, more: object = {}): string {
  const body: Readonly<Record<string, unknown>> = { ...GOOD, ...more };
  expect(answerTo(simulator, START, { body }).status).toBe(201);
  const row = rowsOf(statusBy(simulator, { developer_tracking_id: String(body['developer_tracking_id']) })).at(-1);
  if (row === undefined) throw new Error('the transaction that was started is not there');
  return row.service_transaction_id;
}

function rowOf(simulator: Simulator, id: string): Row | undefined {
  return rowsOf(statusBy(simulator, { service_transaction_id: id }))[0];
}

function go(simulator: Simulator, id: string, statuses: readonly PosStatus[]): void {
  for (const status of statuses) finishPos(simulator.simulation, id, status);
}

function owed({ simulation }: Simulator): readonly { readonly itemId: string; readonly amountMillimes: number }[] {
  return simulation.world.payoutBook.open;
}

function faultOf(act: () => void): string | undefined {
  try {
    act();
  } catch (error) {
    return isAppError(error) ? error.code : 'not ours';
  }
  return undefined;
}

describe('A new POS transaction', () => {
  test.each([
    ['api', { success: true, terminal_id: 'T-001', status_code: 201 }],
    [
      'partners',
      {
        success: true,
        terminal_id: 'T-001',
        status_code: 201,
        developer_tracking_id: 'till-1',
        message: 'Transaction sent to the terminal',
      },
    ],
  ])('the %s family answers all that it may, and no transaction id', (family, body) => {
    const simulator = aSimulator();

    expect(answerTo(simulator, `POST /${family}/transactions/init_pos_transaction`, { body: GOOD })).toEqual({
      status: 201,
      body,
    });
  });

  test('is visible in both families', () => {
    const simulator = aSimulator();
    started(simulator);

    const answer = answerTo(simulator, 'GET /partners/transactions/get_pos_transaction_status', {
      query: { developer_tracking_id: 'till-1' },
    });

    expect(rowsOf(answer)).toHaveLength(1);
  });

  test.each([
    ['id_terminal', undefined],
    ['id_terminal', ''],
    ['serial_number', 42],
    ['amount_in_millimes', '15750'],
    ['amount_in_millimes', 0],
    ['amount_in_millimes', 1.5],
    ['payment_method', 'card'],
    ['payment_method', 'CASH'],
    ['developer_tracking_id', null],
    ['developer_tracking_id', 'x'.repeat(256)],
    ['webhook', 'ftp://merchant.example/'],
  ])('refuses %s = %j, naming the field', (name, value) => {
    const simulator = aSimulator();

    const { status, body } = answerTo(simulator, START, { body: { ...GOOD, [name]: value } });

    expect({ status, fields: Object.keys(body as object) }).toEqual({ status: 400, fields: [name] });
    expect(Object.keys(simulator.simulation.world.pos.transactions)).toEqual([]);
  });
});

describe('The status of POS transactions', () => {
  test.each([
    ['neither id', {}],
    ['both ids', { service_transaction_id: '5e0c1d3a-6b1f-4d0e-9a01-000000000001', developer_tracking_id: 'till-1' }],
    ['an id that is no uuid', { service_transaction_id: 'till-1' }],
  ])('is refused with %s', (_name, query) => {
    expect(statusBy(aSimulator(), query).status).toBe(400);
  });

  test('is empty for an unknown id, without an error', () => {
    expect(statusBy(aSimulator(), { developer_tracking_id: '__proto__' })).toEqual({
      status: 200,
      body: { success: true, transactions: [], status_code: 200 },
    });
  });

  test('contains every transaction of a reused tracking id, the oldest first', () => {
    const simulator = aSimulator();
    const ids = [started(simulator), started(simulator)];

    const rows = rowsOf(statusBy(simulator, { developer_tracking_id: 'till-1' }));

    expect(rows.map((row) => row.service_transaction_id)).toEqual(ids);
  });

  test('can be limited to one terminal', () => {
    const simulator = aSimulator();
    const first = started(simulator);
    started(simulator, { id_terminal: 'T-002' });
    const of = (terminal: string, id: object): number =>
      rowsOf(statusBy(simulator, { ...id, id_terminal: terminal })).length;

    expect(of('T-001', { developer_tracking_id: 'till-1' })).toBe(1);
    expect(of('T-002', { service_transaction_id: first })).toBe(0);
  });
});

describe('The states of a POS transaction', () => {
  const WAYS: Readonly<Record<PosStatus, { readonly by: readonly PosStatus[]; readonly next: readonly PosStatus[] }>> =
    {
      PP: { by: [], next: ['PA', 'PS', 'PF', 'PU'] },
      PA: { by: ['PA'], next: ['PS', 'PF', 'PU'] },
      PU: { by: ['PU'], next: ['PS', 'PF'] },
      PF: { by: ['PF'], next: ['PS'] },
      PS: { by: ['PS'], next: ['RP', 'PR'] },
      RP: { by: ['PS', 'RP'], next: ['PR', 'RF'] },
      RF: { by: ['PS', 'RP', 'RF'], next: ['RP', 'PR'] },
      PR: { by: ['PS', 'PR'], next: [] },
    };

  test.each(ALL_STATUSES)('allow exactly the documented successors of %s', (status) => {
    const { by, next } = WAYS[status];

    const possible = ALL_STATUSES.filter((target) => {
      const simulator = aSimulator();
      const id = started(simulator);
      go(simulator, id, by);
      return faultOf(() => finishPos(simulator.simulation, id, target)) === undefined;
    });

    expect(possible.toSorted()).toEqual([...next].toSorted());
  });

  test('ignore a status that cannot follow', () => {
    const simulator = aSimulator();
    const id = started(simulator);

    expect(faultOf(() => finishPos(simulator.simulation, id, 'PR'))).toBe('conflict');
    expect(rowOf(simulator, id)?.payment_status).toBe('PP');
    expect(owed(simulator)).toEqual([]);
  });

  test('do not exist for an unknown transaction', () => {
    expect(faultOf(() => finishPos(aSimulator().simulation, '__proto__', 'PS'))).toBe('not_found');
  });

  test.each([
    ['PP', 'NOT_APPLICABLE'],
    ['PA', 'PROCESSING'],
    ['PU', 'PROCESSING'],
    ['PF', 'NOT_APPLICABLE'],
    ['PS', 'AVAILABLE'],
    ['RP', 'AVAILABLE'],
    ['RF', 'AVAILABLE'],
    ['PR', 'NOT_APPLICABLE'],
  ] as const)('while it is %s its money is %s', (status, settlementStatus) => {
    const simulator = aSimulator();
    const id = started(simulator);
    go(simulator, id, WAYS[status].by);

    expect(rowOf(simulator, id)?.settlement_status).toBe(settlementStatus);
  });

  test("have a settlement_status for a test application's card, and none for NFC", () => {
    const simulator = aSimulator({ settings: { isTest: true } });
    const ids = ['NFC', 'CARD'].map((method) => started(simulator, { payment_method: method }));

    expect(ids.map((id) => Object.hasOwn(rowOf(simulator, id) ?? {}, 'settlement_status'))).toEqual([false, true]);
  });

  test.each([
    [true, []],
    [false, [15_750, -15_750]],
  ])('started while isTest was %p it is owed %j, whatever the setting says later', (isTest, amounts) => {
    const simulator = aSimulator({ settings: { isTest } });
    const id = started(simulator);
    go(simulator, id, ['PA']);
    simulator.changeSettings({ isTest: !isTest });
    go(simulator, id, ['PS', 'PR']);

    expect(owed(simulator).map(({ amountMillimes }) => amountMillimes)).toEqual(amounts);
  });

  test('send a hint for each change if a webhook was given', () => {
    const simulator = aSimulator();
    const id = started(simulator, { webhook: 'https://merchant.example/hint' });
    go(simulator, id, ['PA', 'PS', 'PR']);
    go(simulator, started(simulator), ['PA', 'PS', 'PR']);

    const { deliveries } = simulator.simulation.world.webhooks;
    expect(Object.values(deliveries).map(({ message }) => message)).toEqual(
      ['PA', 'PS', 'PR'].map((status) => ({
        kind: 'hint',
        channel: 'pos',
        url: 'https://merchant.example/hint',
        body: {
          service_transaction_id: id,
          developer_tracking_id: 'till-1',
          payment_status: status,
          amount_in_millimes: 15_750,
          terminal_id: 'T-001',
        },
      })),
    );
  });
});

describe('The money of a POS transaction', () => {
  test.each(['CARD', 'WALLET', 'NFC'])('is owed immediately after a payment by %s', (method) => {
    const simulator = aSimulator();
    const id = started(simulator, { payment_method: method });
    go(simulator, id, ['PA', 'PS']);

    const now = simulator.simulation.now();
    expect(owed(simulator)).toEqual([
      { itemId: `payment:${id}`, channel: 'pos', amountMillimes: 15_750, succeededAt: now, availableAt: now },
    ]);
  });

  test('is owed once if a failure becomes a success', () => {
    const simulator = aSimulator();
    go(simulator, started(simulator), ['PU', 'PF', 'PS']);

    expect(owed(simulator).map(({ amountMillimes }) => amountMillimes)).toEqual([15_750]);
  });

  test("is deducted once, whatever the refund's outcome", () => {
    const simulator = aSimulator();
    const id = started(simulator);
    go(simulator, id, ['PS', 'RP', 'RF', 'RP', 'PR']);

    expect(owed(simulator).map(({ amountMillimes }) => amountMillimes)).toEqual([15_750, -15_750]);
    expect(owed(simulator)[1]).toMatchObject({ refundOf: `payment:${id}`, channel: 'pos' });
  });

  test('is neither owed nor refunded for a check', () => {
    const simulator = aSimulator();
    const id = started(simulator, { payment_method: 'CHECK' });
    go(simulator, id, ['PS', 'PR']);

    expect(owed(simulator)).toEqual([]);
    expect(rowOf(simulator, id)?.settlement_status).toBe('NOT_APPLICABLE');
  });

  test('is not owed if cash replaced the card', () => {
    const simulator = aSimulator();
    const id = started(simulator);
    finishPos(simulator.simulation, id, 'PS', { paymentMethod: 'cash' });

    expect(owed(simulator)).toEqual([]);
    expect(rowOf(simulator, id)).toMatchObject({ payment_status: 'PS', payment_method: 'cash' });
  });
});

describe('An automatic customer at a terminal', () => {
  const AUTO = { payer: { mode: 'auto', failurePpm: 0, abandonPpm: 0 } };
  const AFTER_MS = 60_000;

  test('does nothing unless the settings enable it', async () => {
    const simulator = aSimulator();
    const id = started(simulator);
    await passTime(simulator, 86_400_000);

    expect(rowOf(simulator, id)?.payment_status).toBe('PP');
  });

  test('pays after the delay of the settings', async () => {
    const simulator = aSimulator({ settings: AUTO });
    const id = started(simulator);
    await passTime(simulator, AFTER_MS - 1);
    expect(rowOf(simulator, id)?.payment_status).toBe('PP');

    await passTime(simulator, 1);

    expect(rowOf(simulator, id)?.payment_status).toBe('PS');
  });

  test.each([
    ['fails', { failurePpm: 1_000_000 }, AFTER_MS],
    ['never comes, and the terminal gives up', { abandonPpm: 1_000_000 }, AFTER_MS + 180_000],
  ])('who %s leaves a failed transaction', async (_name, payer, ms) => {
    const simulator = aSimulator({ settings: { payer: { ...AUTO.payer, ...payer } } });
    const id = started(simulator);
    await passTime(simulator, ms - 1);
    expect(rowOf(simulator, id)?.payment_status).toBe('PP');

    await passTime(simulator, 1);

    expect(rowOf(simulator, id)?.payment_status).toBe('PF');
  });

  test.each([
    [66_000_001, ['PF', 'PF', 'PF']],
    [66_000_002, ['PP', 'PP', 'PF']],
    [66_000_003, ['PU', 'PU', 'PU']],
    [66_000_004, ['PF', 'PS', 'PS']],
  ])('does as the amount %i says, without any setting', async (amount, expected) => {
    const simulator = aSimulator();
    const id = started(simulator, { amount_in_millimes: amount });

    const seen: (string | undefined)[] = [];
    for (const ms of [AFTER_MS, 60_000, 120_000]) {
      await passTime(simulator, ms);
      seen.push(rowOf(simulator, id)?.payment_status);
    }

    expect(seen).toEqual(expected);
  });

  test('acts the same in every run of a seed, and differently with another seed', async () => {
    const statuses = async (seed: number): Promise<readonly string[]> => {
      const simulator = aSimulator({ seed, settings: { payer: { ...AUTO.payer, failurePpm: 500_000 } } });
      for (let count = 0; count < 40; count += 1) started(simulator);
      await passTime(simulator, AFTER_MS);
      return rowsOf(statusBy(simulator, { developer_tracking_id: 'till-1' })).map((row) => row.payment_status);
    };
    const first = await statuses(7);

    expect(new Set(first)).toEqual(new Set(['PS', 'PF']));
    expect(await statuses(7)).toEqual(first);
    expect(await statuses(8)).not.toEqual(first);
  });

  test('changes nothing after the transaction was finished', async () => {
    const simulator = aSimulator({ settings: AUTO });
    const id = started(simulator);
    go(simulator, id, ['PU']);
    await passTime(simulator, AFTER_MS);

    expect(rowOf(simulator, id)?.payment_status).toBe('PU');
  });

  test('does not end a transaction that changed meanwhile when they stay away', async () => {
    const simulator = aSimulator();
    const id = started(simulator, { amount_in_millimes: 66_000_002 });
    await passTime(simulator, AFTER_MS);
    go(simulator, id, ['PA']);
    await passTime(simulator, 86_400_000);

    expect(rowOf(simulator, id)?.payment_status).toBe('PA');
  });

  test('is not debited again by a late success after the failure was corrected manually', async () => {
    const simulator = aSimulator();
    const id = started(simulator, { amount_in_millimes: 66_000_004 });
    await passTime(simulator, AFTER_MS);
    go(simulator, id, ['PS', 'PR']);
    await passTime(simulator, 60_000);

    expect(rowOf(simulator, id)?.payment_status).toBe('PR');
    expect(owed(simulator).map(({ amountMillimes }) => amountMillimes)).toEqual([66_000_004, -66_000_004]);
  });
});
