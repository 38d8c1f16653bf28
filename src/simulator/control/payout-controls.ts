import { z } from 'zod';
import { AppError, formatInstant, millimes, parseBusinessDate, type BusinessDate } from '../../kernel';
import type { Simulation } from '../core/simulation';
import { bankStatement } from '../payouts/bank-statement';
import { bankStatementBytes } from '../payouts/bank-statement-csv';
import { itemsCsv, observationsCsv, statementCsv } from '../payouts/match-files';
import { sumMillimes } from '../payouts/payable-item';
import { payoutTruth } from '../payouts/truth';
import { csv, json, type ControlRoute } from './control-route';
import { lastClosedDay } from './last-closed-day';
import { readQuery } from './read-request';
import { itemsByLooking, observationsByLooking } from './seen-by-looking';

/** What lies on the simulated account before its first line. */
const ACCOUNT_OPENING = millimes(10_000_000);

const day = z.string().transform((text, context): BusinessDate => {
  const date = parseBusinessDate(text);
  if (date !== undefined) return date;
  context.addIssue({ code: 'custom', message: 'must be a day as YYYY-MM-DD' });
  return z.NEVER;
});

const days = z.strictObject({ from: day.optional(), through: day.optional() });

export const payoutControls: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: '/payouts',
    takes: '',
    does: 'every payout with its items and sums, and what is still open',
    answer: ({ simulation }) => json(payoutsOf(simulation)),
  },
  {
    method: 'GET',
    path: '/bank-statement.csv',
    takes: '`from`, `through`: days as YYYY-MM-DD; all closed days when not given',
    does: 'the bank statement, in the format of the shipped profile `releve-fr-tn`; days whose cuts are over',
    answer: ({ simulation }, request) => csv(statementOf(simulation, readQuery(days, request)), 'windows-1252'),
  },
  {
    method: 'GET',
    path: '/match/items.csv',
    takes: '',
    does: 'what is owed, as an integrator knows it who looks at each payment every half hour',
    answer: ({ simulation }) => csv(itemsCsv(itemsByLooking(simulation.world)), 'utf-8'),
  },
  {
    method: 'GET',
    path: '/match/observations.csv',
    takes: '',
    does: 'the settlement statuses that these looks saw',
    answer: ({ simulation }) => csv(observationsCsv(observationsByLooking(simulation.world)), 'utf-8'),
  },
  {
    method: 'GET',
    path: '/match/statement.csv',
    takes: '',
    does: 'the lines of the bank on all closed days, for a matcher without a database',
    answer: ({ simulation }) => {
      const through = lastClosedDay(simulation);
      return csv(
        statementCsv(simulation.world.payoutBook.lines.filter((line) => line.bookingDate <= through)),
        'utf-8',
      );
    },
  },
  {
    method: 'GET',
    path: '/truth.json',
    takes: '',
    does: 'which items each line of the bank really pays',
    answer: ({ simulation }) =>
      json(payoutTruth(simulation.world.payoutBook, { through: lastClosedDay(simulation), asOf: simulation.now() })),
  },
];

function statementOf(simulation: Simulation, asked: z.output<typeof days>): Uint8Array {
  const { settings, world } = simulation;
  const { lines } = world.payoutBook;
  const closed = lastClosedDay(simulation);
  const through = asked.through ?? closed;
  if (through > closed) throw new AppError('conflict', `the cuts of ${through} are not over; ask through ${closed}`);
  const first = lines.map(({ bookingDate }) => bookingDate).sort()[0];
  const from = asked.from ?? (first !== undefined && first < through ? first : through);
  if (from > through) throw new AppError('bad_input', `from: is later than ${through}`);
  return bankStatementBytes(
    bankStatement({
      account: settings.payouts.account,
      accountOpeningMillimes: ACCOUNT_OPENING,
      lines,
      from,
      through,
    }),
  );
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
