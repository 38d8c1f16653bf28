import type { Attempt } from './attempt';

type OfApplication = Pick<Attempt, 'isTest'>;

/**
 * Returns why the live attempt of a reference cannot answer a request: test money never stands for real money, nor the
 * reverse. Undefined when both belong to the same application of the gateway.
 */
export function otherApplication(live: OfApplication, asked: OfApplication): string | undefined {
  if (live.isTest === asked.isTest) return undefined;
  return `the live attempt belongs to the ${live.isTest ? 'test' : 'live'} application`;
}
