import type { Database, Session } from '../db';
import { filteredPage, type Page } from '../kernel';
import type { Due } from './due';
import { type DueCancellation, type DueKey, openDueStore } from './due-store';

/** The dues of an agent. */
export interface DuesOfAgentQuery {
  /** Only dues that are in force, or only cancelled ones. */
  readonly isOpen?: boolean;
  readonly after?: DueKey;
  readonly limit: number;
}

/** A due, and its cancellation if there is one. Payments are not allocated to dues. */
export interface StoredDue extends Due {
  readonly cancellation: DueCancellation | undefined;
}

/** A page reads each of these dues and its cancellation: 2,000 rows. */
const DUES_EXAMINED_MAX = 1_000;

/** Reads one page of the dues of an agent, the latest due date first, from one snapshot. */
export function duesOfAgent(
  database: Database,
  agentId: string,
  { isOpen, after, limit }: DuesOfAgentQuery,
): Promise<Page<StoredDue, DueKey>> {
  return database.read(
    async (session) => {
      const { rows, next } = await filteredPage<DueKey, DueKey & Pick<StoredDue, 'cancellation'>, DueKey>({
        limit,
        after,
        examinedMax: DUES_EXAMINED_MAX,
        read: (last, count) => openDueStore(session).keysOfAgent(agentId, last, count),
        async keep(keys) {
          const cancelled = await openDueStore(session).cancellations(keys.map(({ reference }) => reference));
          return keys
            .map((key) => ({ ...key, cancellation: cancelled.get(key.reference) }))
            .filter(({ cancellation }) => isOpen === undefined || isOpen === (cancellation === undefined));
        },
        keyOf: ({ dueDate, reference }) => ({ dueDate, reference }),
      });
      return { rows: await readDues(session, rows), next };
    },
    { snapshot: true },
  );
}

async function readDues(
  session: Session,
  keys: readonly (DueKey & Pick<StoredDue, 'cancellation'>)[],
): Promise<StoredDue[]> {
  const dues = await openDueStore(session).find(keys.map(({ reference }) => reference));
  return keys.flatMap(({ reference, cancellation }) => {
    const due = dues.get(reference);
    return due === undefined ? [] : [{ ...due, cancellation }];
  });
}
