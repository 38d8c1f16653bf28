// Goal: the list and the view of a payment print where its money is, over all channels, and page by a state of it.
// Method: the commands on rooms with scripted answers.
import { describe, expect, test } from '@jest/globals';
import { registerPaymentCommands } from '../../../src/cli/payments';
import { businessDate } from '../../../src/kernel';
import type { DueItem, Reconciliation } from '../../../src/reconciliation';
import { type FoundPayment, paymentKey, placePayments, type Reporting } from '../../../src/reporting';
import { aPayment } from '../../support/factories/a-payment';
import { aFoundPayment } from './support/payment-rows';
import { runCommand } from './support/run-command';

const NINE_O_CLOCK = Date.UTC(2026, 2, 2, 8);
const CREDIT = '01KJQ3Z4000000000000000009';
const NO_MONEY = { confirmedAt: NINE_O_CLOCK, occurredAt: undefined, bank: undefined, returnedOn: undefined } as const;
const OPEN = { ...NO_MONEY, refunded: 0n, breaks: [] };
const BANKED = {
  ...OPEN,
  bank: { creditId: CREDIT, bookedOn: businessDate('2026-03-05'), evidence: 'inferred_by_sum' },
};

function aConfirm(id: string, money: FoundPayment['money'] = OPEN): FoundPayment {
  const itemId = `service:${id}`;
  const row = { ...aFoundPayment(aPayment({ itemId, agentId: 'A-1', status: 'SUCCESS' })), trackingId: undefined };
  return { ...row, source: 'confirm', id, channel: 'agent', requestState: undefined, money };
}

function due(itemId: string, isLate = false): DueItem {
  return { itemId, usuallyOn: businessDate('2026-03-04'), dueOn: businessDate('2026-03-09'), isLate };
}

const reconciliation = {
  dueItems: (async () => [due('service:T-1'), due('service:T-2', true)]) satisfies Reconciliation['dueItems'],
};

describe('payments show', () => {
  const shown = (found: FoundPayment, args: readonly string[] = []) =>
    runCommand(registerPaymentCommands, { reconciliation, reporting: { payment: async () => found } }, [
      'payments',
      'show',
      found.id,
      ...args,
    ]);

  test('prints when a confirm was received and by when the bank should have its money', async () => {
    const { lines } = await shown(aConfirm('T-1'));
    expect(lines[0]).toMatch(/^T-1 {2}agent +SUCCESS +5,000 DT {2}agent A-1$/);
    expect(lines.slice(1)).toEqual(['  confirmed 2026-03-02 09:00:00', '  expected at the bank by 2026-03-09']);
  });

  test('prints the credit of a confirm in the bank', async () => {
    const { lines } = await shown(aConfirm('T-1', BANKED));
    expect(lines.at(-1)).toBe(`  in the bank on 2026-03-05, credit ${CREDIT}`);
  });

  test('prints all keys of an attempt as JSON, with null for what a confirm lacks', async () => {
    const { json } = await shown(aConfirm('T-2'), ['--json']);
    expect(json).toMatchObject({
      trackingId: null,
      kind: 'agent',
      agentId: 'A-1',
      amountMillimes: 5_000,
      itemId: 'service:T-2',
      observations: [],
      source: 'confirm',
      id: 'T-2',
      channel: 'agent',
      money: { state: 'late', confirmedAt: '2026-03-02T08:00:00.000Z', expectedBy: '2026-03-09', bankedOn: null },
    });
  });

  test.each<[string, Partial<NonNullable<FoundPayment['money']>>, string]>([
    ['returned', { returnedOn: businessDate('2026-03-06') }, '  returned by the bank on 2026-03-06'],
    ['refunded', { refunded: 5_000n }, '  refunded 5,000 DT'],
    ['break', { breaks: [{ id: CREDIT, breakClass: 'missing_in_bank' }] }, `  break ${CREDIT} (missing_in_bank)`],
  ])('prints a payment that is %s', async (state, money, line) => {
    const found = aConfirm('T-1', { ...OPEN, ...money });
    expect((await shown(found)).lines).toContain(line);
    expect((await shown(found, ['--json'])).json).toMatchObject({ money: { state } });
  });
});

describe('payments list', () => {
  const ROWS = ['T-4', 'T-3', 'T-2', 'T-1'].map((id) => aConfirm(id, id === 'T-2' || id === 'T-1' ? OPEN : BANKED));
  /** Examines two payments for each page. */
  const payments: Reporting['payments'] = async ({ after, state }, readDue) => {
    const first = after === undefined ? 0 : ROWS.findIndex(({ id }) => id === after[2]) + 1;
    const examined = ROWS.slice(first, first + 2);
    const placed = await placePayments(examined, readDue);
    const last = examined.at(-1);
    return {
      rows: placed.filter((row) => state === undefined || row.state === state),
      next: first + 2 < ROWS.length && last !== undefined ? paymentKey(last) : undefined,
    };
  };
  const rooms = { reconciliation, reporting: { payments } };
  const idsOf = (json: unknown): unknown[] => (json as { readonly id: string }[]).map(({ id }) => id);
  const listed = (...args: string[]) => runCommand(registerPaymentCommands, rooms, ['payments', 'list', ...args]);

  test('prints where the money of each payment is', async () => {
    const { lines } = await listed();
    expect(lines.map((line) => line.split(/ {2,}/).at(-1))).toEqual([
      'in the bank 2026-03-05',
      'in the bank 2026-03-05',
      'late by 2026-03-09',
      'expected by 2026-03-09',
    ]);
  });

  test('goes on over short pages, and from a printed cursor', async () => {
    expect(idsOf((await listed('--state', 'expected', '--json')).json)).toEqual(['T-1']);
    const all = (await listed('--json')).json as { readonly id: string; readonly cursor: string }[];
    expect(idsOf(all)).toEqual(['T-4', 'T-3', 'T-2', 'T-1']);
    expect(idsOf((await listed('--after', all[1]?.cursor ?? '', '--json')).json)).toEqual(['T-2', 'T-1']);
    await expect(listed('--after', 'x')).rejects.toMatchObject({ code: 'bad_input' });
  });
});
