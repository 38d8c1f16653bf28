import { formatInstant } from '../../kernel';
import type { PaymentsDeps } from '../payments';
import { queueResumesAt } from './queue-resumes-at';
import { readSentLately, type QueueTable } from './queue-store';

/** Whether the queue of a table may send now. False while it waits for a gateway that does not answer, which is logged. */
export async function queueMaySend({ database, clock, logger }: PaymentsDeps, table: QueueTable): Promise<boolean> {
  const now = clock.now();
  const resumesAt = queueResumesAt(await database.read((session) => readSentLately(session, table, now)));
  if (resumesAt === undefined || now >= resumesAt) return true;
  const until = formatInstant(resumesAt);
  logger.info(`the queue of ${table} waits for the gateway`, { event: `${table}.queue_waits`, until });
  return false;
}
