import { type DecideHandler, requireBreak } from './proposal';

/** Closes a break that two people accept: it stays closed while the difference is unchanged. Posts nothing. */
export const acceptDifference: DecideHandler = async (_session, { reconBreak }) => {
  requireBreak(reconBreak, 'accept');
  return Promise.resolve({ breakBecomes: { kind: 'resolved', resolution: 'accepted' } });
};
