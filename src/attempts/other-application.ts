import type { Attempt } from './attempt';

type OfApplication = Pick<Attempt, 'isTest'>;

/**
 * Returns why the live attempt of a reference cannot be used for a request: test money and real money never replace
 * each other. Undefined if both belong to the same application of the gateway.
 */
export function otherApplication(live: OfApplication, asked: OfApplication): string | undefined {
  if (live.isTest === asked.isTest) return undefined;
  return `the live attempt belongs to the ${live.isTest ? 'test' : 'live'} application`;
}
