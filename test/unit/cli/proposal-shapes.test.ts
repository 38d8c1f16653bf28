// Goal: people and scripts read of a proposal what it moves, which credit it is about, and the state before and after.
import { expect, test } from '@jest/globals';
import { printProposal } from '../../../src/cli/proposal-shapes';
import { businessDate, millimes } from '../../../src/kernel';
import { gatewayClearing, WRITE_OFF } from '../../../src/ledger';
import { type ShownProposal, shownProposalJson } from '../../../src/shapes/proposals';

const BREAK: NonNullable<ShownProposal['reconBreak']> = {
  ...{
    id: 'B1',
    fingerprint: 'f',
    breakClass: 'amount_differs',
    status: 'proposed',
    since: businessDate('2026-03-03'),
  },
  ...{ amount: millimes(-5_000), direction: 'bank_has_more', subject: { itemIds: [], lineIds: ['L1'], facts: {} } },
  ...{ openedAt: 1, resolvedAt: undefined, resolution: undefined, assignee: undefined, proposalId: 'P1', version: 2 },
};

const SHOWN: ShownProposal = {
  proposal: {
    ...{ id: 'P1', subject: 'break:B1', breakId: 'B1', action: { kind: 'write_off', payload: {} } },
    ...{ reason: 'a gift', proposedBy: 'leila', proposedAt: 0, decision: undefined },
  },
  reconBreak: BREAK,
  lines: [
    {
      ...{ lineId: 'L1', account: '08006', bookingDate: businessDate('2026-03-03'), valueDate: undefined },
      ...{ amount: millimes(12_600), counterparty: 'FLOUCI', remittance: 'VIR' },
    },
  ],
  effect: {
    done: {
      breakBecomes: { kind: 'resolved', resolution: 'written_off' },
      detail: { account: gatewayClearing('agent'), direction: 'gain' },
      posted: { reference: 'write-off:B1', amount: millimes(5_000) },
    },
    accounts: [
      { account: gatewayClearing('agent'), before: 7_000n, after: 12_000n },
      { account: WRITE_OFF, before: 0n, after: -5_000n },
    ],
    states: {
      before: { status: 'proposed', resolution: undefined, left: millimes(-5_000) },
      after: { status: 'resolved', resolution: 'written_off', left: millimes(0) },
    },
  },
  refusal: undefined,
};

function printed(shown: ShownProposal): string[] {
  const lines: string[] = [];
  const io = { line: (text: string) => lines.push(text), json: () => undefined };
  printProposal(io, shown, {
    formatLocal: () => '2026-03-04 10:00:00',
  });
  return lines;
}

test('prints amount, direction, account, credit, proposer, reason, and the state before and after', () => {
  expect(printed(SHOWN)).toEqual([
    'P1  write_off for break B1 (amount_differs since 2026-03-03)',
    '  amount       5,000 DT',
    '  direction    bank has more',
    '  account      gateway_clearing:agent, gain',
    '  credit       2026-03-03  12,600 DT  FLOUCI VIR  account 08006',
    '  proposed by  leila, 2026-03-04 10:00:00',
    '  reason       a gift',
    '  break        proposed, 5,000 DT left -> resolved (written_off), 0,000 DT left',
    '  ledger       gateway_clearing:agent: 7,000 DT -> 12,000 DT',
    '  ledger       write_off: 0,000 DT -> -5,000 DT',
  ]);
});

test.each([
  [4_676, '4,676 DT stays open as a new break (amount_differs), bank has more'],
  [-324, '0,324 DT stays open as a new break (amount_differs), ledger has more'],
  [0, 'none: the items equal the credit'],
])('prints what a match with a difference of %d leaves open', (remainderMillimes, text) => {
  const done = {
    breakBecomes: { kind: 'resolved', resolution: 'force_matched' },
    detail: { remainderMillimes },
  } as const;
  expect(printed({ ...SHOWN, effect: { done, accounts: [], states: undefined } })).toContain(`  difference   ${text}`);
});

test('prints the named items, and why a proposal is not possible', () => {
  const action = { kind: 'force_match', payload: { itemIds: ['service:T1', 'service:T2'] } };
  const lines = printed({
    ...SHOWN,
    proposal: { ...SHOWN.proposal, action },
    effect: undefined,
    refusal: { text: 'it changed', command: 'run "millime breaks reject P1"' },
  });
  expect(lines).toContain('  items        2 items: service:T1, service:T2');
  expect(lines).toContain('  not possible it changed; run "millime breaks reject P1"');
});

test('gives scripts the fields of before, and amount, account, direction, lines and effect besides', () => {
  expect(shownProposalJson(SHOWN)).toMatchObject({
    ...{ id: 'P1', subject: 'break:B1', breakId: 'B1', action: { kind: 'write_off' }, proposedBy: 'leila' },
    ...{
      class: 'amount_differs',
      direction: 'bank_has_more',
      amountMillimes: 5_000,
      account: 'gateway_clearing:agent',
    },
    lines: [{ lineId: 'L1', bookingDate: '2026-03-03', amountMillimes: 12_600, account: '08006' }],
    effect: {
      accounts: [
        { account: 'gateway_clearing:agent', beforeMillimes: 7_000, afterMillimes: 12_000 },
        { account: 'write_off', beforeMillimes: 0, afterMillimes: -5_000 },
      ],
      break: { before: { status: 'proposed', leftMillimes: -5_000 }, after: { status: 'resolved', leftMillimes: 0 } },
    },
    refusal: null,
  });
});
