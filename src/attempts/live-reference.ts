import { AppError } from '../kernel';
import type { Attempt } from './attempt';

type Asked = Pick<Attempt, 'isTest'>;

/**
 * Returns why the live attempt of a reference, which differs from a request, cannot be used for it. Test money and real
 * money never replace each other.
 */
export function liveReferenceFault(live: Asked, asked: Asked): string {
  if (live.isTest === asked.isTest) return 'is live with other terms';
  return `is taken: the live attempt belongs to the ${live.isTest ? 'test' : 'live'} application`;
}

/** Returns the error for a request whose reference has a live attempt with other terms. */
export function liveReferenceError(live: Attempt, asked: Asked): AppError {
  const { reference = '', trackingId } = live;
  return new AppError('reference_live', { reference, trackingId, fault: liveReferenceFault(live, asked) });
}
