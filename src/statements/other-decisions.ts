import { type Session, takeTurn } from '../db';

/**
 * Waits for other decisions about statements and accounts, and for files whose lines have just been posted, until the
 * transaction ends. So each of them sees what the ones before it stored.
 */
export function waitForOtherDecisions(session: Session): Promise<void> {
  return takeTurn(session, 'statements');
}
