import type { Database } from '../db';
import { filteredPage, type Page } from '../kernel';
import { type DueKey, openDueStore, type StoredDue } from './due-store';

/** The dues of an agent. */
export interface DuesOfAgentQuery {
  /** Only dues that are in force, or only cancelled ones. */
  readonly isOpen?: boolean;
  readonly after?: DueKey | undefined;
  readonly limit: number;
}

/** A page reads each of these dues and its cancellation: 2,000 rows. */
const DUES_EXAMINED_MAX = 1_000;

/** Reads one page of the dues of an agent, the latest due date first, from one snapshot. */
export function duesOfAgent(
  database: Database,
  agentId: string,
  { isOpen, after, limit }: DuesOfAgentQuery,
): Promise<Page<StoredDue, DueKey>> {
  const isWanted = ({ cancellation }: StoredDue): boolean =>
    isOpen === undefined || isOpen === (cancellation === undefined);
  return database.read(
    (session) =>
      filteredPage<StoredDue, StoredDue, DueKey>({
        limit,
        after,
        examinedMax: DUES_EXAMINED_MAX,
        read: (last, count) => openDueStore(session).pageOfAgent(agentId, last, count),
        keep: (dues) => Promise.resolve(dues.filter(isWanted)),
        keyOf: ({ dueDate, reference }) => ({ dueDate, reference }),
      }),
    { snapshot: true },
  );
}
