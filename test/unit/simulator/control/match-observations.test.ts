import { beforeEach, describe, expect, test } from '@jest/globals';
import { formatInstant, millimes } from '../../../../src/kernel';
import { lastClosedDay } from '../../../../src/simulator/control/last-closed-day';
import { matchItems, matchObservations } from '../../../../src/simulator/control/match-observations';
import type { PayoutChannel } from '../../../../src/simulator/payouts/payable-item';
import { earnMoney, type Simulator } from '../../../../src/simulator/testing';
import { aSimulator, simulatedInstant } from '../../../support/a-simulator';

// Goal: the match files show what an observer can know who polls every half hour, and nothing of the truth.
// Method: items earned by hand at known instants, and the default payout at 16:00.

let simulator: Simulator;

beforeEach(() => {
  simulator = aSimulator({ settings: { payouts: { transferLagWorkingDays: 1 } } });
});

function earn(itemId: string, channel: PayoutChannel, succeededAt: string, availableAt = succeededAt): void {
  const [succeeded, available] = [simulatedInstant(succeededAt), simulatedInstant(availableAt)];
  const amountMillimes = millimes(5_000);
  earnMoney(simulator.simulation, { itemId, channel, amountMillimes, succeededAt: succeeded, availableAt: available });
}

const seen = (): string[] =>
  matchObservations(simulator.simulation.world).map(
    ({ itemId, observedAt, status, settlementStatus }) =>
      `${itemId} ${formatInstant(observedAt).slice(5, 16)} ${status} ${settlementStatus}`,
  );

describe('Status observations every half hour', () => {
  test('show each status of a card payment at the first observation of it', async () => {
    earn('payment:a', 'card', '2026-03-02T08:10:00Z', '2026-03-03T08:05:00Z');
    await simulator.advanceTo(simulatedInstant('2026-03-05T08:00:00Z'));
    expect(seen()).toEqual([
      'payment:a 03-02T08:30 SUCCESS PROCESSING',
      'payment:a 03-03T08:30 SUCCESS AVAILABLE',
      'payment:a 03-03T15:00 SUCCESS IN_PAYOUT',
      'payment:a 03-04T15:00 SUCCESS PAID',
    ]);
  });

  test('end with AVAILABLE for every other channel, whatever was paid out', async () => {
    earn('payment:w', 'wallet', '2026-03-02T08:10:00Z');
    earn('payment:p', 'pos', '2026-03-02T09:00:00Z');
    await simulator.advanceTo(simulatedInstant('2026-03-05T08:00:00Z'));
    expect(seen()).toEqual(['payment:w 03-02T08:30 SUCCESS AVAILABLE', 'payment:p 03-02T09:00 PS AVAILABLE']);
  });

  test('contain no agent payments and no future events', async () => {
    earn('service:t', 'agent', '2026-03-02T08:10:00Z');
    earn('payment:a', 'card', '2026-03-02T08:10:00Z', '2026-03-03T08:05:00Z');
    await simulator.advanceTo(simulatedInstant('2026-03-02T08:29:59Z'));
    expect(seen()).toEqual([]);
  });

  test('show only the later of two changes between two observations', async () => {
    earn('payment:a', 'card', '2026-03-02T08:10:00Z', '2026-03-02T08:20:00Z');
    await simulator.advanceTo(simulatedInstant('2026-03-02T09:00:00Z'));
    expect(seen()).toEqual(['payment:a 03-02T08:30 SUCCESS AVAILABLE']);
  });

  test('bound the availability of a card between two observations, and state that of others exactly', async () => {
    earn('payment:a', 'card', '2026-03-02T08:10:00Z', '2026-03-03T08:05:00Z');
    earn('payment:w', 'wallet', '2026-03-02T08:10:00Z');
    await simulator.advanceTo(simulatedInstant('2026-03-03T09:00:00Z'));
    const [card, wallet] = matchItems(simulator.simulation.world);
    expect(card?.seenAvailable).toEqual({
      after: simulatedInstant('2026-03-03T08:00:00Z'),
      until: simulatedInstant('2026-03-03T08:30:00Z'),
    });
    expect(wallet?.seenAvailable).toBeUndefined();
  });
});

describe('The last closed day', () => {
  test.each([
    ['2026-03-02T14:59:59Z', '2026-03-01'],
    ['2026-03-02T15:00:00Z', '2026-03-02'],
    ['2026-03-02T23:30:00Z', '2026-03-02'],
  ])('at %s is %s', async (instant, day) => {
    await simulator.advanceTo(simulatedInstant(instant));
    expect(lastClosedDay(simulator.simulation)).toBe(day);
  });
});
