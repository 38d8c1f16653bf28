import { describe, expect, test } from '@jest/globals';
import { AppError } from '../../../../src/kernel';
import { CARD_FEE, planOf } from './pack';

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
