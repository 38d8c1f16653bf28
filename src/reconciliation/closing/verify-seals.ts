import type { Database, Session } from '../../db';
import { addDays, type BusinessCalendar, type BusinessDate, type Instant, isAppError } from '../../kernel';
import { openPeriodLock } from '../../ledger';
import { openDayRows } from './day-rows-store';
import { digestOfSeal, type Seal, type SealHead, standingSeals } from './seal-chain';
import { readContent } from './seal-content';
import { openSealStore } from './seal-store';
import { digestOfPage, firstFault, pageRows, type SealedKind } from './sealed-row';

/**
 * `seal`: a fault of the link itself, its place in the chain, its pages or the period lock. The other ones are faults of
 * a row of the day.
 */
export const SEAL_FAULTS = ['seal', 'touched', 'deleted', 'inserted'] as const;

/** The first fault of one seal. */
export interface SealFault {
  readonly seal: number;
  readonly date: BusinessDate;
  readonly fault: (typeof SEAL_FAULTS)[number];
  readonly kind: SealedKind | 'seal';
  /** The reference of a ledger transaction, or the name of another row. */
  readonly row: string;
}

interface VerifyDeps {
  readonly database: Database;
  readonly calendar: BusinessCalendar;
}

const KEYS_DEADLINE_MS = 120_000;
const ROW_KINDS = ['ledger', 'match', 'unmatch'] as const;

/**
 * Recomputes every seal from the present rows and returns the first fault of each broken one. A reversed closing is
 * checked too, except for rows that were added while its day was open again.
 */
export async function verifySeals(deps: VerifyDeps): Promise<SealFault[]> {
  const { chain, periodLock } = await deps.database.read(readChain, { snapshot: true });
  const standing = new Set(standingSeals(chain).map(({ number }) => number));
  const last = standingSeals(chain).at(-1);
  const faults: SealFault[] = [];
  let previous: SealHead | undefined;
  for (const head of chain) {
    const fault =
      (await faultOfLink(deps, head, previous)) ??
      (await faultOfRows(deps, head, standing.has(head.number))) ??
      (head === last ? faultOfPeriodLock(deps, head, periodLock) : undefined);
    if (fault !== undefined) faults.push(fault);
    previous = head;
  }
  return faults;
}

/** Reads both in one snapshot: a reopening adds a link and lowers the period lock together. */
async function readChain(session: Session): Promise<{ chain: SealHead[]; periodLock: Instant | undefined }> {
  return { chain: await openSealStore(session).heads(), periodLock: await openPeriodLock(session).standsAt() };
}

/** A lowered period lock changes no row of a closed day, but the next posting could fall into it. */
function faultOfPeriodLock(
  { calendar }: VerifyDeps,
  last: SealHead,
  periodLock: Instant | undefined,
): SealFault | undefined {
  if ((periodLock ?? 0) >= calendar.startOf(addDays(last.date, 1))) return undefined;
  return sealFault(last, `the period lock of the ledger is before the end of ${last.date}`);
}

async function faultOfLink(
  { database }: VerifyDeps,
  head: SealHead,
  previous: SealHead | undefined,
): Promise<SealFault | undefined> {
  if (head.number !== (previous?.number ?? 0) + 1) {
    return sealFault(head, `seal ${(previous?.number ?? 0) + 1} is missing`);
  }
  const seal = await database.read((session) => openSealStore(session).find(head.number));
  if (seal === undefined || digestOfSeal(seal) !== seal.digest) {
    return sealFault(head, `seal ${head.number} was changed`);
  }
  if (seal.previousDigest !== previous?.digest) {
    return sealFault(head, `seal ${head.number} does not follow the one before`);
  }
  return undefined;
}

async function faultOfRows(deps: VerifyDeps, head: SealHead, stands: boolean): Promise<SealFault | undefined> {
  if (head.kind !== 'closed') return undefined;
  const seal = await deps.database.read((session) => openSealStore(session).find(head.number));
  if (seal === undefined) return sealFault(head, `seal ${head.number} is missing`);
  const sealed: Record<SealedKind, Set<string>> = {
    ledger: new Set(),
    match: new Set(),
    unmatch: new Set(),
    break_event: new Set(),
  };
  for (const [index, digest] of pageDigests(seal).entries()) {
    const position = index + 1;
    const page = await deps.database.read((session) => openSealStore(session).page(seal.closeId ?? '', position));
    if (page === undefined || digestOfPage(page.kind, page.content) !== digest) {
      return sealFault(head, `page ${position} of seal ${head.number} was changed`);
    }
    const { kind } = page;
    const rows = pageRows(page.content);
    const keys = rows.map(({ key }) => key);
    const now = await deps.database.read((session) => openDayRows(session).read(kind, keys));
    const found = firstFault(kind, rows, now);
    if (found !== undefined) return { seal: head.number, date: head.date, fault: found.fault, kind, row: found.name };
    for (const key of keys) sealed[kind].add(key);
  }
  return stands ? insertedRow(deps, head, sealed) : undefined;
}

async function insertedRow(
  { database, calendar }: VerifyDeps,
  head: SealHead,
  sealed: Readonly<Record<SealedKind, ReadonlySet<string>>>,
): Promise<SealFault | undefined> {
  const start = calendar.startOf(head.date);
  const end = calendar.startOf(addDays(head.date, 1));
  for (const kind of ROW_KINDS) {
    const keys = await database.read((session) => openDayRows(session).keysOf(kind, start, end), {
      deadlineMs: KEYS_DEADLINE_MS,
    });
    const inserted = keys.find((key) => !sealed[kind].has(key));
    if (inserted === undefined) continue;
    return faultOfInserted(database, head, kind, inserted);
  }
  return insertedEvent(database, head, sealed.break_event);
}

/**
 * Returns an event that was inserted into the sealed range. The period lock does not cover events: the next closing
 * seals later ones, whatever their instant.
 */
async function insertedEvent(
  database: Database,
  head: SealHead,
  sealed: ReadonlySet<string>,
): Promise<SealFault | undefined> {
  const keys = await database.read((session) => openDayRows(session).eventsUnder(head.number), {
    deadlineMs: KEYS_DEADLINE_MS,
  });
  const inserted = keys.find((key) => !sealed.has(key));
  if (inserted !== undefined) return faultOfInserted(database, head, 'break_event', inserted);
  if (keys.length === sealed.size) return undefined;
  return sealFault(head, `how far seal ${head.number} reaches into the histories of breaks was changed`);
}

async function faultOfInserted(
  database: Database,
  { number, date }: SealHead,
  kind: SealedKind,
  key: string,
): Promise<SealFault> {
  const [row] = await database.read((session) => openDayRows(session).read(kind, [key]));
  return { seal: number, date, fault: 'inserted', kind, row: row?.name ?? key };
}

function pageDigests(seal: Seal): readonly string[] {
  try {
    return readContent(seal).pages;
  } catch (error) {
    if (isAppError(error, 'conflict')) return []; // the link is already reported
    throw error;
  }
}

function sealFault({ number, date }: SealHead, row: string): SealFault {
  return { seal: number, date, fault: 'seal', kind: 'seal', row };
}
