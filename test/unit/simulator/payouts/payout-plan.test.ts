import { describe, expect, test } from '@jest/globals';
import {
  AppError,
  businessCalendar,
  businessDate,
  formatInstant,
  parseInstant,
  WorkingDays,
} from '../../../../src/kernel';
import { nextCutAfter } from '../../../../src/simulator/payouts/next-cut';
import { localInstant, payoutDates } from '../../../../src/simulator/payouts/payout-dates';
import { at, BANK_DAYS, CARD_FEE, planOf } from './pack';

function detailsOf(settings: unknown): readonly string[] {
  try {
    planOf(settings);
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad_input') return error.details;
    throw error;
  }
  return [];
}

describe('The payout plan', () => {
  test('is by default one daily sweep of everything, without fees and deviations', () => {
    expect(planOf()).toEqual({
      model: 'sweep-all',
      cutTimes: ['16:00'],
      weekdays: [1, 2, 3, 4, 5],
      transferLagWorkingDays: 0,
      bookingLagWorkingDays: 1,
      valueLagWorkingDays: 0,
      minimumMillimes: 0,
      fees: [],
      clawbackFee: 'kept',
      account: '00 000 0000000000000 00',
      remittance: 'VIR RECU SERVICE DE PAIEMENT SA',
      counterparty: 'SERVICE DE PAIEMENT SA',
      deviations: {
        heldBackPpm: 0,
        splitPpm: 0,
        joinedPpm: 0,
        returnedPpm: 0,
        unrelatedCreditPpm: 0,
        unrelatedDebitPpm: 0,
      },
    });
  });

  test('leaves the other deviations off when one is set', () => {
    expect(planOf({ deviations: { splitPpm: 10_000 } }).deviations).toMatchObject({ splitPpm: 10_000, joinedPpm: 0 });
  });

  test.each([
    ['not an object', 'sweep-all', 'payout plan'],
    ['an unknown model', { model: 'sweep' }, 'model'],
    ['an unknown field', { cutTime: '16:00' }, 'payout plan'],
    ['an hour that is not', { cutTimes: ['24:00'] }, 'cutTimes.0'],
    ['a time without its zero', { cutTimes: ['9:00'] }, 'cutTimes.0'],
    ['no time', { cutTimes: [] }, 'cutTimes'],
    ['a time twice', { cutTimes: ['16:00', '16:00'] }, 'cutTimes'],
    ['a Sunday', { weekdays: [0] }, 'weekdays.0'],
    ['a day twice', { weekdays: [1, 1] }, 'weekdays'],
    ['a negative lag', { bookingLagWorkingDays: -1 }, 'bookingLagWorkingDays'],
    ['half a day', { transferLagWorkingDays: 0.5 }, 'transferLagWorkingDays'],
    ['a negative minimum', { minimumMillimes: -1 }, 'minimumMillimes'],
    ['an account that is blank', { account: '   ' }, 'account'],
    ['an unknown placeholder', { remittance: 'VIR {item}' }, 'remittance'],
    ['a line break', { remittance: 'VIR\nRECU' }, 'remittance'],
    ['more than always', { deviations: { splitPpm: 1_000_001 } }, 'deviations.splitPpm'],
    ['an unknown deviation', { deviations: { lostPpm: 1 } }, 'deviations'],
    ['a fee of an unknown channel', { fees: [{ ...CARD_FEE, channel: 'cash' }] }, 'fees.0.channel'],
    ['a fee above the whole', { fees: [{ ...CARD_FEE, rate_ppm: 1_000_001 }] }, 'fees.0.rate_ppm'],
    ['a fee with a fraction', { fees: [{ ...CARD_FEE, fixed_millimes: 0.5 }] }, 'fees.0.fixed_millimes'],
    ['a rate as text', { fees: [{ ...CARD_FEE, rate_ppm: '15000' }] }, 'fees.0.rate_ppm'],
    ['an unknown rounding', { fees: [{ ...CARD_FEE, rounding: 'up' }] }, 'fees.0.rounding'],
    ['an unknown basis', { fees: [{ ...CARD_FEE, basis: 'sweep' }] }, 'fees.0.basis'],
    ['a day that is not', { fees: [{ ...CARD_FEE, from: '2026-02-30' }] }, 'fees.0.from'],
    ['a second rule of one day', { fees: [CARD_FEE, { ...CARD_FEE, rate_ppm: 1 }] }, 'fees.1.from'],
    ['a field that a rule does not have', { fees: [{ ...CARD_FEE, vat_ppm: 1 }] }, 'fees.0'],
  ])('is refused with %s, and the error names the field', (_what, settings, field) => {
    expect(detailsOf(settings)).toEqual([expect.stringMatching(`^${field}: `)]);
  });

  test('is refused if a rule lacks its TVA', () => {
    const { tva_ppm: _tva, ...rest } = CARD_FEE;
    expect(detailsOf({ fees: [rest] })).toEqual([expect.stringMatching('^fees.0.tva_ppm: ')]);
  });

  test('names every wrong field', () => {
    expect(detailsOf({ model: 'x', minimumMillimes: -1 })).toHaveLength(2);
  });
});

const next = (local: string, settings: unknown = {}): string =>
  BANK_DAYS.calendar.formatLocal(nextCutAfter(at(local), planOf(settings), BANK_DAYS)).slice(0, 16);

describe('The next cut', () => {
  test.each([
    ['the same day, before its time', '2026-03-02 15:59', '2026-03-02 16:00'],
    ['the next day, at the time itself', '2026-03-02 16:00', '2026-03-03 16:00'],
    ['Monday, after Friday', '2026-03-06 16:00', '2026-03-09 16:00'],
    ['after the holiday and the weekend', '2026-03-19 16:30', '2026-03-23 16:00'],
    ['the local day, late in the evening', '2026-03-02 23:30', '2026-03-03 16:00'],
  ])('is %s', (_what, from, expected) => {
    expect(next(from)).toBe(expected);
  });

  test('is the earliest time of a day, in any order of the plan', () => {
    const settings = { cutTimes: ['18:00', '09:30'] };
    expect(next('2026-03-02 08:00', settings)).toBe('2026-03-02 09:30');
    expect(next('2026-03-02 09:30', settings)).toBe('2026-03-02 18:00');
  });

  test('falls on the weekdays of the plan', () => {
    expect(next('2026-03-02 17:00', { weekdays: [1, 4] })).toBe('2026-03-05 16:00');
  });

  test('skips a weekday that is a holiday', () => {
    expect(next('2026-03-13 17:00', { weekdays: [5] })).toBe('2026-03-27 16:00');
  });

  test('stays at the local time across a clock change', () => {
    const bankDays = { calendar: businessCalendar('Europe/Paris'), workingDays: new WorkingDays([]) };
    const from = parseInstant('2026-03-02T00:00:00Z') ?? 0;
    const plan = planOf();
    const cuts = Array.from({ length: 40 }).reduce<number[]>(
      (found) => [...found, nextCutAfter(found.at(-1) ?? from, plan, bankDays)],
      [],
    );
    expect(new Set(cuts.map((cut) => bankDays.calendar.formatLocal(cut).slice(11)))).toEqual(new Set(['16:00:00']));
    expect(new Set(cuts.map((cut) => cut % 86_400_000)).size).toBe(2);
  });

  test('is refused if a year has no day for it', () => {
    const days = Array.from({ length: 800 }, (_, index) => nextDay(index));
    const bankDays = { ...BANK_DAYS, workingDays: new WorkingDays(days) };
    expect(() => nextCutAfter(at('2026-03-02 10:00'), planOf(), bankDays)).toThrow(AppError);
  });

  const nextDay = (index: number) => BANK_DAYS.calendar.dateOf(at('2026-01-01 12:00') + index * 86_400_000);
});

describe('The days of a payout', () => {
  test('are counted in working days from the cut to the transfer, and from it to booking and value date', () => {
    const plan = planOf({ transferLagWorkingDays: 1, bookingLagWorkingDays: 2, valueLagWorkingDays: 1 });
    expect(payoutDates(at('2026-03-17 16:00'), plan, BANK_DAYS)).toEqual({
      transferAt: at('2026-03-18 16:00'),
      bookingDate: '2026-03-23',
      valueDate: '2026-03-24',
    });
  });

  test('begin with the next working day for a cut on a day off', () => {
    expect(payoutDates(at('2026-03-21 11:00'), planOf(), BANK_DAYS)).toMatchObject({ bookingDate: '2026-03-24' });
  });

  test('may be the day of the cut', () => {
    expect(payoutDates(at('2026-03-02 16:00'), planOf({ bookingLagWorkingDays: 0 }), BANK_DAYS)).toEqual({
      transferAt: at('2026-03-02 16:00'),
      bookingDate: '2026-03-02',
      valueDate: '2026-03-02',
    });
  });
});

describe('A local time on the day of a clock change', () => {
  const paris = businessCalendar('Europe/Paris');

  test.each([
    ['before the change', '2026-03-29', '01:30', '2026-03-29T00:30:00.000Z'],
    ['after the clock went forward', '2026-03-29', '16:00', '2026-03-29T14:00:00.000Z'],
    ['after the clock went back', '2026-10-25', '16:00', '2026-10-25T15:00:00.000Z'],
    ['that the day skips, counted from midnight', '2026-03-29', '02:30', '2026-03-29T01:30:00.000Z'],
  ])('is found %s', (_what, day, time, expected) => {
    expect(formatInstant(localInstant(paris, businessDate(day), time))).toBe(expected);
  });
});
