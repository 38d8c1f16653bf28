import { z } from 'zod';
import { AppError, type BusinessDate, formatInstant, millimes, parseBusinessDate } from '../../kernel';
import type { Simulation } from '../core/simulation';
import { type BankStatement, bankStatement } from '../payouts/bank-statement';
import { BANK_STATEMENT_FORMATS, bankStatementFile } from '../payouts/bank-statement-format';
import { itemsCsv, observationsCsv, statementCsv } from '../payouts/match-files';
import { sumMillimes } from '../payouts/payable-item';
import { payoutTruth } from '../payouts/truth';
import { type ControlAnswer, type ControlRequest, type ControlRoute, csv, json } from './control-route';
import { lastClosedDay } from './last-closed-day';
import { matchItems, matchObservations } from './match-observations';
import { readQuery } from './read-request';

/** The balance of the simulated account before its first line. */
const ACCOUNT_OPENING = millimes(10_000_000);

const day = z.string().transform((text, context): BusinessDate => {
  const date = parseBusinessDate(text);
  if (date !== undefined) return date;
  context.addIssue({ code: 'custom', message: 'expected a date as YYYY-MM-DD' });
  return z.NEVER;
});

const statementQuery = z.strictObject({
  from: day.optional(),
  through: day.optional(),
  format: z.enum(BANK_STATEMENT_FORMATS, `expected one of ${BANK_STATEMENT_FORMATS.join(', ')}`).default('csv'),
});
const STATEMENT_TAKES =
  '`from`, `through`: days as YYYY-MM-DD (default: all closed days); `format`: `csv` (default), `camt053`, `mt940`';

export const payoutControls: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: '/payouts',
    does: 'lists payouts with items and sums, and open items',
    answer: ({ simulation }) => json(payoutsOf(simulation)),
  },
  {
    method: 'GET',
    path: '/bank-statement',
    takes: STATEMENT_TAKES,
    does: 'returns the bank statement in one of these formats, for days whose cuts have ended',
    answer: ({ simulation }, request) => statementAnswer(simulation, request),
  },
  {
    method: 'GET',
    path: '/bank-statement.csv',
    takes: 'as `bank-statement`',
    does: 'the same; the CSV has the shipped profile `releve-fr-tn`',
    answer: ({ simulation }, request) => statementAnswer(simulation, request),
  },
  {
    method: 'GET',
    path: '/match/items.csv',
    does: 'returns what is owed, as an integrator knows it after a status check every half hour',
    answer: ({ simulation }) => csv(itemsCsv(matchItems(simulation.world))),
  },
  {
    method: 'GET',
    path: '/match/observations.csv',
    does: 'returns the settlement statuses of these checks',
    answer: ({ simulation }) => csv(observationsCsv(matchObservations(simulation.world))),
  },
  {
    method: 'GET',
    path: '/match/statement.csv',
    does: 'returns the bank lines of all closed days, for a matcher without a database',
    answer: ({ simulation }) => {
      const through = lastClosedDay(simulation);
      return csv(statementCsv(simulation.world.payoutBook.lines.filter((line) => line.bookingDate <= through)));
    },
  },
  {
    method: 'GET',
    path: '/truth.json',
    does: 'returns which items each bank line pays',
    answer: ({ simulation }) =>
      json(payoutTruth(simulation.world.payoutBook, { through: lastClosedDay(simulation), asOf: simulation.now() })),
  },
];

function statementAnswer(simulation: Simulation, request: ControlRequest): ControlAnswer {
  const asked = readQuery(statementQuery, request);
  return { kind: 'file', ...bankStatementFile(statementOf(simulation, asked), asked.format) };
}

function statementOf(
  simulation: Simulation,
  asked: Pick<z.output<typeof statementQuery>, 'from' | 'through'>,
): BankStatement {
  const { settings, world } = simulation;
  const { lines } = world.payoutBook;
  const closed = lastClosedDay(simulation);
  const through = asked.through ?? closed;
  if (through > closed) {
    const fault = `the cuts of ${through} have not ended; ask for days through ${closed}`;
    throw new AppError('simulated_state', { fault });
  }
  const first = lines.map(({ bookingDate }) => bookingDate).sort()[0];
  const from = asked.from ?? (first !== undefined && first < through ? first : through);
  if (from > through) {
    throw new AppError('bad_input', { field: 'from', expected: `a day through ${through}`, got: from });
  }
  return bankStatement({
    account: settings.payouts.account,
    accountOpeningMillimes: ACCOUNT_OPENING,
    lines,
    from,
    through,
  });
}

function payoutsOf({ world, now }: Simulation): unknown {
  const { open, payouts, waiting } = world.payoutBook;
  const worth = (isAvailable: boolean): number =>
    sumMillimes(
      open
        .filter(({ availableAt }) => availableAt <= now() === isAvailable)
        .map(({ amountMillimes }) => amountMillimes),
    );
  return {
    payouts: payouts.map(({ cutAt, transferAt, ...payout }) => ({
      ...payout,
      cutAt: formatInstant(cutAt),
      transferAt: formatInstant(transferAt),
    })),
    waitingPayoutIds: waiting.map(({ payoutId }) => payoutId),
    openItems: open.length,
    availableMillimes: worth(true),
    notYetAvailableMillimes: worth(false),
  };
}
