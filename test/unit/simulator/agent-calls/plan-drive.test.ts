import { describe, expect, test } from '@jest/globals';
import { type DriveFaults, planDrive, type PlannedPayment } from '../../../../src/simulator';

const AGENTS = [{ agentId: 'A-1' }, { agentId: '0042' }, { agentId: 'وكيل-12' }];
const FAULTS: DriveFaults = {
  lostReplyRate: 0.3,
  cutRequestRate: 0.2,
  slowBodyRate: 0.2,
  resendRate: 0.3,
  badTokenRate: 0.3,
  duplicateConcurrentRate: 0.3,
  unknownAgentRate: 0.2,
  badAmountRate: 0.2,
};

const plan = (over: Partial<Parameters<typeof planDrive>[0]> = {}): PlannedPayment[] =>
  planDrive({ agents: AGENTS, payments: 200, seed: 7, faults: FAULTS, ...over });

describe('The plan of a drive', () => {
  test('is the same for the same seed, and different for another seed', () => {
    expect(plan()).toEqual(plan());
    expect(plan({ seed: 8, transactionPrefix: 'X' })).not.toEqual(plan({ transactionPrefix: 'X' }));
  });

  test('begins with the same payments when it is longer', () => {
    expect(plan({ payments: 300 }).slice(0, 200)).toEqual(plan());
  });

  test('keeps the effects of one rate when another rate changes', () => {
    const copies = (payments: readonly PlannedPayment[]): number[] => payments.map((payment) => payment.copies);
    expect(copies(plan({ faults: { ...FAULTS, badTokenRate: 1, lostReplyRate: 0 } }))).toEqual(copies(plan()));
  });

  test('has only valid payments without rates', () => {
    for (const payment of plan({ faults: {} })) {
      expect(payment).toMatchObject({ make: 'good', copies: 1, resend: false });
      expect([payment.tokenFault, payment.firstFault]).toEqual([undefined, undefined]);
      expect(AGENTS).toContainEqual({ agentId: payment.agentId });
      expect(Number.isSafeInteger(payment.amount) && Number(payment.amount) > 0).toBe(true);
    }
  });

  test('has every fault in every payment when its rate is 1', () => {
    const faults = { lostReplyRate: 1, resendRate: 1, badTokenRate: 1, duplicateConcurrentRate: 1, badAmountRate: 1 };
    for (const payment of plan({ faults, expiredToken: 'old' })) {
      expect(payment).toMatchObject({ make: 'bad_amount', resend: true });
      expect(['lose_reply', 'leave_early']).toContain(payment.firstFault);
      expect([2, 3, 4]).toContain(payment.copies);
      expect(['bad_token', 'no_token', { expiredToken: 'old' }]).toContainEqual(payment.tokenFault);
    }
  });

  test('has every kind of payment and fault among many', () => {
    const payments = plan();
    expect(new Set(payments.map(({ make }) => make))).toEqual(new Set(['good', 'unknown_agent', 'bad_amount']));
    expect(new Set(payments.map(({ firstFault }) => firstFault))).toEqual(
      new Set(['lose_reply', 'leave_early', 'cut_request', 'slow_body', undefined]),
    );
  });

  test('uses a separate agent id for a payment to an unknown agent, and a different id for every payment', () => {
    const payments = plan({ faults: { unknownAgentRate: 1 } });
    expect(payments.every(({ agentId }) => agentId.startsWith('nobody-7-'))).toBe(true);
    expect(new Set(payments.map(({ transactionId }) => transactionId)).size).toBe(200);
  });

  test.each([
    ['no agents', { agents: [] }],
    ['a rate above 1', { faults: { resendRate: 1.5 } }],
    ['a rate that is no number', { faults: { resendRate: Number.NaN } }],
    ['half a payment', { payments: 0.5 }],
    ['too many payments', { payments: 100_001 }],
  ])('is refused with %s', (_what, over) => {
    expect(() => plan(over)).toThrow(expect.objectContaining({ code: 'bad_input' }));
  });
});
