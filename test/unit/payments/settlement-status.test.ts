import { describe, expect, test } from '@jest/globals';
import { nextSettlementStatus } from '../../../src/payments/status-checks/settlement-status';

describe('the settlement status of an item', () => {
  test.each([
    ['card', undefined, 'PROCESSING'],
    ['card', 'PROCESSING', 'AVAILABLE'],
    ['card', 'AVAILABLE', 'IN_PAYOUT'],
    ['card', 'IN_PAYOUT', 'PAID'],
    ['card', 'PROCESSING', 'PAID'],
    ['card', 'NOT_APPLICABLE', 'PROCESSING'],
    ['card', 'NOT_APPLICABLE', 'AVAILABLE'],
    ['card', 'AVAILABLE', 'NOT_APPLICABLE'],
    ['card', 'PAID', 'NOT_APPLICABLE'],
    ['wallet', 'NOT_APPLICABLE', 'AVAILABLE'],
    ['mpayment', 'AVAILABLE', 'NOT_APPLICABLE'],
    ['pos', 'PROCESSING', 'AVAILABLE'],
  ] as const)('of %s moves from %s to %s', (channel, current, observed) => {
    expect(nextSettlementStatus(channel, current, observed)).toEqual({ kind: 'moved', status: observed });
  });

  test.each([
    ['IN_PAYOUT', 'AVAILABLE'],
    ['PAID', 'AVAILABLE'],
    ['PAID', 'IN_PAYOUT'],
  ])('follows a returned card payout from %s to %s', (current, observed) => {
    expect(nextSettlementStatus('card', current, observed)).toEqual({ kind: 'came_back', status: observed });
  });

  test.each([
    ['card', 'AVAILABLE', 'PROCESSING'],
    ['card', 'PAID', 'PROCESSING'],
    ['card', 'PROCESSING', 'A_NEW_WORD'],
    ['wallet', undefined, 'PROCESSING'],
    ['wallet', 'AVAILABLE', 'IN_PAYOUT'],
    ['mpayment', 'AVAILABLE', 'PAID'],
    ['pos', 'AVAILABLE', 'IN_PAYOUT'],
    ['pos', 'AVAILABLE', 'PAID'],
    ['pos', 'AVAILABLE', 'PROCESSING'],
  ] as const)('of %s does not go from %s to %s', (channel, current, observed) => {
    expect(nextSettlementStatus(channel, current, observed)).toEqual({ kind: 'refused' });
  });

  test('stays if the gateway omits it or repeats it', () => {
    expect(nextSettlementStatus('card', 'AVAILABLE', undefined)).toEqual({ kind: 'unchanged' });
    expect(nextSettlementStatus('card', 'AVAILABLE', 'AVAILABLE')).toEqual({ kind: 'unchanged' });
    expect(nextSettlementStatus('pos', 'NOT_APPLICABLE', 'NOT_APPLICABLE')).toEqual({ kind: 'unchanged' });
  });
});
