import { describe, expect, test } from '@jest/globals';
import { registerPaymentCommands } from '../../../src/cli/payments';
import { businessDate, millimes } from '../../../src/kernel';
import type { Reconciliation } from '../../../src/reconciliation';
import type { Reporting, TimelineEntry } from '../../../src/reporting';
import { runCommand } from './support/run-command';

const NINE_O_CLOCK = Date.UTC(2026, 2, 2, 8);
const CONFIRMED: TimelineEntry = {
  ...{ kind: 'confirmed', at: NINE_O_CLOCK, from: 'T-1', id: 'T-1' },
  ...{ agentId: 'A-1', amount: millimes(5_000) },
};

describe('payments show --timeline', () => {
  const shown = (rows: readonly TimelineEntry[], args: readonly string[] = []) => {
    const paymentTimeline: Reporting['paymentTimeline'] = async () => ({
      ...{ rows, next: undefined },
      itemId: 'service:T-1',
    });
    const dueItems: Reconciliation['dueItems'] = async () => [
      {
        itemId: 'service:T-1',
        usuallyOn: businessDate('2026-03-04'),
        dueOn: businessDate('2026-03-09'),
        isLate: false,
      },
    ];
    const rooms = { reporting: { paymentTimeline }, reconciliation: { dueItems } };
    return runCommand(registerPaymentCommands, rooms, ['payments', 'show', 'T-1', '--timeline', ...args]);
  };

  test('prints each entry with its facts, and the last expected day at its end', async () => {
    const { lines } = await shown([CONFIRMED]);
    expect(lines).toEqual([
      '2026-03-02 09:00:00  confirmed         agentId: A-1, amount: 5,000 DT',
      '2026-03-10 00:00:00  expected_at_bank  usuallyOn: 2026-03-04, latestOn: 2026-03-09, late: false',
    ]);
  });

  test('prints the entries of the API as JSON', async () => {
    const { json } = await shown([CONFIRMED], ['--json']);
    expect(json).toEqual({
      timeline: [
        {
          kind: 'confirmed',
          at: '2026-03-02T08:00:00.000Z',
          from: { thing: 'confirm', id: 'T-1' },
          facts: { agentId: 'A-1', amountMillimes: 5_000 },
        },
        expect.objectContaining({ kind: 'expected_at_bank' }),
      ],
      hasMore: false,
    });
  });
});
