import type { Payment } from '../payment';

type OfApplication = Pick<Payment, 'isTest'>;

/**
 * Why the live attempt of a reference cannot stand for what is asked for: test money and real money never stand for
 * each other. Undefined when both are of the same application of the gateway.
 */
export function otherApplication(live: OfApplication, asked: OfApplication): string | undefined {
  if (live.isTest === asked.isTest) return undefined;
  return `the live attempt is of the ${live.isTest ? 'test' : 'live'} application`;
}
