import { expect, test } from '@jest/globals';
import { dayReopenings } from '../../../src/cli/day-reopenings';
import { businessDate } from '../../../src/kernel';
import type { ListedSeal } from '../../../src/reconciliation';

const date = businessDate('2026-03-02');
const proposal = { number: 1, reason: 'a late receipt', proposedBy: 'leila', proposedAt: 5 };
const CLOSED: ListedSeal = {
  ...{ number: 1, kind: 'closed', date, stands: true, digest: 'd', recordedAt: 1, recordedBy: 'karim', proposal },
};

test('a closed day that somebody proposes to open again waits, and says how it is approved', () => {
  expect(dayReopenings([CLOSED])).toMatchObject([
    {
      subject: 'day:2026-03-02',
      proposedBy: 'leila',
      reason: 'a late receipt',
      action: { kind: 'reopen_day', payload: { approveBy: 'close-day 2026-03-02 --reopen --approve' } },
      decision: undefined,
    },
  ]);
});

test('a day that was opened again, or that nobody proposes to open, does not wait', () => {
  expect(
    dayReopenings([
      { ...CLOSED, stands: false },
      { ...CLOSED, proposal: undefined },
    ]),
  ).toEqual([]);
});
