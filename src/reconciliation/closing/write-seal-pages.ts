import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Database } from '../../db';
import { type Instant, MINUTE_MS, pagesOf } from '../../kernel';
import { eventKey, openDayRows, type SealedEvents } from './day-rows-store';
import { openSealStore } from './seal-store';
import { digestOfPage, pageToText, SEALED_KINDS, type SealedKind } from './sealed-row';

/** Rows per stored page of a seal. Each page is one short transaction. */
const ROWS_PER_PAGE = 500;
const KEYS_DEADLINE_MS = 2 * MINUTE_MS;

export interface WrittenPages {
  readonly pages: readonly string[];
  readonly rows: Readonly<Record<SealedKind, number>>;
  readonly events: readonly SealedEvents[];
}

/** Stores the digest of every row of a locked day, page by page, and returns the digests of the pages. */
export async function writeSealPages(
  database: Database,
  closeId: string,
  { start, end }: { readonly start: Instant; readonly end: Instant },
): Promise<WrittenPages> {
  const events = await database.read((session) => openDayRows(session).eventsUntil(end), {
    deadlineMs: KEYS_DEADLINE_MS,
  });
  const pages: string[] = [];
  const rows: Record<SealedKind, number> = { ledger: 0, match: 0, unmatch: 0, break_event: 0 };
  for (const kind of SEALED_KINDS) {
    const keys =
      kind === 'break_event'
        ? eventKeys(events)
        : await database.read((session) => openDayRows(session).keysOf(kind, start, end), {
            deadlineMs: KEYS_DEADLINE_MS,
          });
    rows[kind] = keys.length;
    for (const page of pagesOf(keys, ROWS_PER_PAGE)) {
      const found = await database.read((session) => openDayRows(session).read(kind, page));
      const content = pageToText({ kind, rows: found });
      const position = pages.length + 1;
      await database.transact((session) => openSealStore(session).addPage(closeId, { position, kind, content }));
      pages.push(digestOfPage(kind, content));
      await letOthersRun();
    }
  }
  return { pages, rows, events };
}

function eventKeys(events: readonly SealedEvents[]): string[] {
  return events.flatMap(({ breakId, from, through }) =>
    Array.from({ length: through - from }, (_, index) => eventKey(breakId, from + index + 1)),
  );
}
