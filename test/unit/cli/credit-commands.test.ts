// Goal: a person proposes a match for a credit by its id and a run of items, and sees what the proposal stores.
// Method: the commands on rooms with scripted answers.
import { describe, expect, test } from '@jest/globals';
import type { ProposeCommand } from '../../../src/breaks';
import { registerBreakCommands } from '../../../src/cli/breaks';
import { registerReconcileCommand } from '../../../src/cli/reconcile';
import { AppError, businessDate, millimes } from '../../../src/kernel';
import type { ExplainedCredit, ItemChoice, ReconcileOutcome, Reconciliation } from '../../../src/reconciliation';
import { runCommand } from './support/run-command';

const CREDIT = '01KJQ3Z4000000000000000009';
const BREAK = '01KJQ3Z4000000000000000008';
const NO_ITEMS = { count: 0, itemIds: [] };
const line: ExplainedCredit['line'] = {
  lineId: CREDIT,
  account: '11222333333333333344',
  bookingDate: businessDate('2026-03-05'),
  valueDate: undefined,
  amount: millimes(12_400),
  counterparty: '',
  remittance: 'VIR RECU',
  importedAt: 0,
};
const credit: Reconciliation['credit'] = async (id) => {
  if (id === CREDIT) return line;
  throw new AppError('not_found', { thing: 'credit', id });
};

describe('breaks propose', () => {
  async function proposed(id: string, ...args: string[]) {
    const asked: { command?: ProposeCommand; choice?: ItemChoice } = {};
    const ended = await runCommand(
      registerBreakCommands,
      {
        breaks: { list: async () => [] },
        reconciliation: {
          credit,
          chosenItems: async (choice) => {
            asked.choice = choice;
            return ['service:T-1', 'service:T-2'];
          },
        },
        breakWorkflow: {
          propose: async (command) => {
            asked.command = command;
            const detail = { items: 2, grossMillimes: 12_500, remainderMillimes: -100 };
            return { proposalId: BREAK, wouldDo: { breakBecomes: { kind: 'kept' }, detail } };
          },
          preview: async (proposalId) => {
            const action = { kind: 'force_match', payload: {} };
            const by = { reason: 'r', proposedBy: 'leila', proposedAt: 0, decision: undefined };
            const proposal = { id: proposalId, subject: `line:${CREDIT}`, breakId: undefined, action, ...by };
            return { proposal, reconBreak: undefined, effect: undefined, refusal: undefined };
          },
        },
        statements: { linesById: async () => [line] },
      },
      ['breaks', 'propose', id, '--action', 'force_match', '--reason', 'r', ...args],
    );
    return { ...ended, ...asked };
  }

  test('proposes a match for a credit without a break, with the chosen items', async () => {
    const { command, choice, lines, decides } = await proposed(CREDIT, '--agent', 'A-1', '--through', 'service:T-2');
    expect(choice).toEqual({ agentId: 'A-1', through: { itemId: 'service:T-2' } });
    expect(command).toMatchObject({
      about: { subject: `line:${CREDIT}` },
      action: { kind: 'force_match', payload: { lineId: CREDIT, itemIds: ['service:T-1', 'service:T-2'] } },
    });
    expect(decides).toBe(true);
    expect(lines.slice(1)).toEqual([
      'chosen: 2 items, 12,500 DT, difference -0,100 DT',
      '  item service:T-1',
      '  item service:T-2',
      `on approval: line:${CREDIT} stays as it is`,
      `${BREAK}  force_match for line:${CREDIT}`,
      '  credit       2026-03-05  12,400 DT  VIR RECU  account 11222333333333333344',
      expect.stringContaining('proposed by  leila'),
      '  reason       r',
    ]);
  });

  test('proposes about the break of an id that is no credit', async () => {
    expect((await proposed(BREAK, '--items', 'T-1,T-2')).command).toMatchObject({ about: { breakId: BREAK } });
  });

  test.each([
    [['--amount', '5'], '--amount: works only with --action write_off'],
    [['--account', 'bank_unmatched'], '--account: works only with --action write_off'],
  ])('refuses %j for another action', async (args, message) => {
    await expect(proposed(CREDIT, '--items', 'a', ...args)).rejects.toMatchObject({ code: 'bad_input', message });
  });

  test('refuses items and a run together', async () => {
    await expect(proposed(CREDIT, '--items', 'a', '--day', '2026-03-02')).rejects.toMatchObject({ code: 'bad_input' });
    await expect(proposed(CREDIT, '--day', '2026-03-02', '--from', 'a')).rejects.toMatchObject({ code: 'bad_input' });
    await expect(proposed(CREDIT, '--channel', 'gold')).rejects.toMatchObject({ code: 'bad_input' });
  });

  test('counts both days of a range', async () => {
    const { choice } = await proposed(CREDIT, '--from', '2026-03-02', '--through', '2026-03-03');
    const end = Date.UTC(2026, 2, 3, 23) - 1;
    expect(choice).toEqual({ from: { at: Date.UTC(2026, 2, 1, 23) }, through: { at: end } });
  });
});

describe('reconcile show', () => {
  const explained: ExplainedCredit = {
    line,
    through: businessDate('2026-03-05'),
    state: 'waiting',
    match: undefined,
    breakId: undefined,
    breakClass: undefined,
    answer: {
      outcome: 'ambiguous',
      reason: 'above_limit',
      claimedError: 0.003,
      errorMax: 0.001,
      commonCore: [],
      nearest: undefined,
      candidates: [
        {
          id: '0a1b2c3d',
          kind: 'run',
          probability: 0.997,
          itemCount: 1,
          itemIds: ['service:T-1'],
          gross: millimes(12_500),
          fee: millimes(80),
          tva: millimes(20),
          difference: millimes(0),
          claimedError: 0.003,
          cut: undefined,
          stream: 'agent',
          adds: NO_ITEMS,
          lacks: NO_ITEMS,
          against: [{ code: 'other_side_of_cut', probability: 0.003, items: 1 }],
        },
        {
          id: '4e5f6a7b',
          kind: 'nearest',
          probability: undefined,
          itemCount: 2,
          itemIds: ['service:T-1', 'service:T-2'],
          gross: millimes(12_600),
          fee: millimes(80),
          tva: millimes(20),
          difference: millimes(-100),
          claimedError: 1,
          cut: { after: Date.UTC(2026, 2, 3, 20), until: Date.UTC(2026, 2, 3, 22) },
          stream: 'agent',
          adds: { count: 1, itemIds: ['service:T-2'] },
          lacks: NO_ITEMS,
          against: [{ code: 'unknown_amount', amount: millimes(-100) }],
        },
      ],
    },
  };
  const shown = (...args: string[]) =>
    runCommand(
      registerReconcileCommand,
      {
        reconciliation: { explain: async () => explained },
        breakWorkflow: { proposals: async () => ({ rows: [], next: undefined }) },
      },
      ['reconcile', 'show', CREDIT, ...args],
    );

  test('prints the reason, the claimed error with the limit, and the candidate', async () => {
    const { lines } = await shown();
    expect(lines).toContain('  claimed error 0,3 %; runs match up to 0,1 %');
    expect(lines).toContain('  candidate 1: 1 item, 12,500 DT, fees 0,080 DT, TVA 0,020 DT, difference 0,000 DT');
    expect(lines.join('\n')).toContain('one explanation, but its claimed error is above the limit of runs');
  });

  test('prints the objections to each candidate, how it differs from the first, and the command for it', async () => {
    const { lines } = await shown();
    const first = lines.findIndex((text) => text.startsWith('  candidate 1:'));
    expect(lines.slice(first + 1)).toEqual([
      '    probability: 99,7 %',
      '    against it: one item may lie on the other side of a cut, with a probability of 0,3 %; 1 item may be in question',
      `    to match it: "millime reconcile match ${CREDIT} --candidate 0a1b2c3d --reason <why>"`,
      '    item service:T-1',
      '  candidate 2: 2 items, 12,600 DT, fees 0,080 DT, TVA 0,020 DT, cut by 2026-03-03 23:00:00, difference -0,100 DT',
      '    probability: unknown',
      '    against it: no item and no fee explains why the credit is 0,100 DT less',
      '    compared with candidate 1: 1 item more (service:T-2)',
      `    to match it: "millime breaks propose ${CREDIT} --action force_match --candidate 4e5f6a7b --reason <why>"`,
      `  next: choose other items with "millime reconcile items --credit ${CREDIT}"`,
    ]);
  });

  test('prints the probability of each candidate as JSON, or null if it is unknown', async () => {
    expect((await shown('--json')).json).toMatchObject({
      lineId: CREDIT,
      amountMillimes: 12_400,
      answer: {
        reason: 'above_limit',
        candidates: [
          { candidateId: '0a1b2c3d', itemIds: ['service:T-1'], items: 1, probability: 0.997 },
          {
            probability: null,
            adds: { items: 1, itemIds: ['service:T-2'] },
            against: [{ code: 'unknown_amount', amountMillimes: -100, text: expect.stringContaining('0,100 DT less') }],
          },
        ],
      },
    });
  });
});

describe('reconcile match --candidate', () => {
  const matched = (...args: string[]) => {
    const asked: unknown[] = [];
    const ended = runCommand(
      registerReconcileCommand,
      {
        reconciliation: {
          candidateItems: async (lineId, candidateId) => {
            asked.push([lineId, candidateId]);
            return ['service:T-1'];
          },
          match: async ({ lineId, items, dryRun }) => {
            asked.push(items);
            const sums = { grossMillimes: millimes(12_400), feeMillimes: millimes(0), tvaMillimes: millimes(0) };
            const done = { lineId, matchId: BREAK, itemIds: ['service:T-1'], ...sums };
            return { ...done, remainderMillimes: millimes(0), dryRun };
          },
        },
      },
      ['reconcile', 'match', CREDIT, '--reason', 'r', ...args],
    );
    return { ended, asked };
  };

  test('matches the items of the candidate', async () => {
    const { ended, asked } = matched('--candidate', '0a1b2c3d');
    expect((await ended).lines).toEqual([`matched ${CREDIT}: 1 item, 12,400 DT`]);
    expect(asked).toEqual([[CREDIT, '0a1b2c3d'], ['service:T-1']]);
  });

  test('refuses a candidate together with items', async () => {
    await expect(matched('--candidate', '0a1b2c3d', '--items', 'a').ended).rejects.toMatchObject({ code: 'bad_input' });
  });
});

describe('reconcile', () => {
  const sums = { gross_millimes: 0, fee_millimes: 0, tva_millimes: 0, evidence: null, claimed_error: null, cut: null };
  const unmatched = {
    ...sums,
    line_id: CREDIT,
    outcome: 'ambiguous',
    item_ids: [],
    common_core: [],
    proposal: [],
  } as const;

  test.each([
    ['the difference from the nearest run of items', -5_000, '649,603 DT, difference -5,000 DT'],
    ['no difference if no run is near', 649_603, '649,603 DT'],
  ])('prints the amount of an unmatched credit, and %s', async (_what, remainder, text) => {
    const runAndCompare = async (): Promise<ReconcileOutcome> => ({
      result: {
        ...{
          verdict: 'breaks',
          through: businessDate('2026-03-05'),
          model: null,
          expected: [],
          breaks: [],
          decided: [],
        },
        ...{ pendingMillimes: 0, matchedMillimes: 0 },
        credits: [{ ...unmatched, remainder_millimes: remainder }],
      },
      difference: undefined as never,
    });
    const linesById = async () => [{ ...line, amount: millimes(649_603) }];
    const { lines } = await runCommand(
      registerReconcileCommand,
      { reconciliation: { runAndCompare }, statements: { linesById } },
      ['reconcile'],
    );
    expect(lines).toContain(`credit ambiguous  ${CREDIT}  ${text}`);
  });
});
