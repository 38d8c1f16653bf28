import { AppError } from '../../kernel';
import type { DecideHandler } from './proposal';

/** Two people accept a difference as it is: it stays closed until it is another one. Nothing is posted. */
export const acceptDifference: DecideHandler = async (_session, { reconBreak }) => {
  if (reconBreak === undefined) throw new AppError('bad_input', 'accept is for a break');
  return Promise.resolve({ breakBecomes: { kind: 'resolved', resolution: 'accepted' } });
};
