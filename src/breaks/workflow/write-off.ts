import type { Session } from '../../db';
import { AppError, assert, type Instant, type Millimes, millimes, newId, ZERO_MILLIMES } from '../../kernel';
import {
  type Account,
  BANK_UNMATCHED,
  isGatewayClearing,
  type Ledger,
  openLedger,
  reverseTransaction,
  WRITE_OFF,
} from '../../ledger';
import { openBreakStore } from '../break-store';
import type { ReconBreak } from '../recon-break';
import { type ActionDone, type DecideHandler, requireBreak } from './proposal';
import { sumWrittenOff, type WriteOffPlace, writeOffPlaces, type WrittenOffPart } from './write-off-places';
import { broughtBy, writtenOffByBreak } from './write-off-store';

/** Far above the lines of a break: one credit, or one with its return and its repeated payment. */
const LINES_READ_MAX = 200;
/** The limits on partial write-offs of one break, and on matches of one credit. */
const WRITE_OFFS_MAX = 100;
const MATCHES_MAX = 100;

/** The account and the amount to write off. Without an amount: the rest of the break in that account. */
interface WriteOffPayload {
  readonly account: string | undefined;
  readonly amount: Millimes | undefined;
}

/**
 * Returns what a match left in the clearing, if a break is about a match; undefined for any other break.
 * @throws AppError `conflict` if a match has paid rows of the break since it was raised.
 */
export type RestOfMatch = (session: Session, of: ReconBreak) => Promise<ReadonlyMap<Account, Millimes> | undefined>;

/**
 * Returns the handler that writes off the missing or excess amount of a break: one posting between `write_off` and an
 * account that holds rows of the break, `gateway_clearing:<channel>` or `bank_unmatched`, of at most the amount that
 * they hold there. The remainder of a match is in the channel of the match alone. All write-offs of a break total at
 * most its amount. Its direction decides between loss and gain. Writing off the rest closes the break.
 */
export function writeOffHandler(restOfMatch?: RestOfMatch): DecideHandler {
  return async (session, proposal, actor, at) => {
    const reconBreak = requireBreak(proposal.reconBreak, 'write_off');
    const { id, amount: amountOfBreak, direction } = reconBreak;
    if (amountOfBreak === undefined || amountOfBreak === 0) throw new AppError('no_amount', { breakId: id });
    const difference = { amount: amountOfBreak, direction };
    const asked = readPayload(proposal.action.payload);
    const { brought, before, given } = await writeOffFacts(session, reconBreak, restOfMatch);
    const { account, effect, left } = placeFor(id, writeOffPlaces(difference, brought, given), asked.account);
    const amount = asked.amount ?? left;
    if (amount > left) {
      throw new AppError('write_off_too_large', { breakId: id, account, amountMillimes: amount, leftMillimes: left });
    }
    assert(amount > 0 && amount <= left, 'a write-off never exceeds what its break holds in the account');
    const reference = referenceOf(WRITE_OFF_PREFIX, id, before.length + 1);
    const accounts = effect === 'loss' ? { debit: WRITE_OFF, credit: account } : { debit: account, credit: WRITE_OFF };
    await openLedger(session).post([
      {
        id: newId(),
        reference,
        code: 'write_off',
        occurredAt: at,
        recordedAt: at,
        recordedBy: actor.name,
        postings: [{ ...accounts, amount }],
      },
    ]);
    const after = [...given, { account, loss: effect === 'loss' ? amount : millimes(-amount) }];
    const isAll =
      sumWrittenOff(difference, after) === amountOfBreak &&
      writeOffPlaces(difference, brought, after).every((place) => place.left === 0);
    return {
      breakBecomes: isAll ? { kind: 'resolved', resolution: 'written_off' } : { kind: 'kept' },
      // The name that the history of breaks uses since the first version.
      detail: { account, direction: effect },
      posted: { reference, amount },
    };
  };
}

/**
 * Reverses the write-offs of a break, and reopens it if two people closed it. Refuses a break that a match closed: the
 * action `unmatch` reverses matches.
 */
export const reopenClosed: DecideHandler = async (session, proposal, actor, at) => {
  const reconBreak = requireBreak(proposal.reconBreak, 'reopen');
  const { id: breakId } = reconBreak;
  const by = { recordedBy: actor.name, occurredAt: at, recordedAt: at };
  if (reconBreak.status !== 'resolved') {
    if ((await writtenOffOf(session, breakId)) === ZERO_MILLIMES) throw new AppError('nothing_to_reopen', { breakId });
    return { ...(await takeBackWriteOffs(session, breakId, by)), breakBecomes: { kind: 'kept' } };
  }
  if (reconBreak.resolution === 'force_matched') throw new AppError('closed_by_match', { breakId });
  return takeBackWriteOffs(session, breakId, by);
};

/** Returns the accounts in which a break may be written off now, by name; empty if its amount is not known. */
export async function placesOf(
  session: Session,
  reconBreak: ReconBreak,
  restOfMatch?: RestOfMatch,
): Promise<WriteOffPlace[]> {
  const { amount, direction } = reconBreak;
  if (amount === undefined || amount === 0) return [];
  const { brought, given } = await writeOffFacts(session, reconBreak, restOfMatch);
  return writeOffPlaces({ amount, direction }, brought, given);
}

interface WriteOffFacts {
  readonly brought: ReadonlyMap<Account, Millimes>;
  readonly before: readonly WriteOff[];
  /** The parts of the write-offs that are not reversed. */
  readonly given: readonly WrittenOffPart[];
}

async function writeOffFacts(
  session: Session,
  reconBreak: ReconBreak,
  restOfMatch?: RestOfMatch,
): Promise<WriteOffFacts> {
  const brought = (await restOfMatch?.(session, reconBreak)) ?? (await broughtTo(session, reconBreak));
  const before = await writeOffsOf(openLedger(session), reconBreak.id);
  return { brought, before, given: before.filter(({ reversed }) => !reversed).map(({ part }) => part) };
}

interface WriteOffBack {
  readonly recordedBy: string;
  readonly occurredAt: Instant;
  readonly recordedAt: Instant;
}

/** Returns the written-off amount of a break without reversed write-offs. */
export async function writtenOffOf(session: Session, breakId: string): Promise<Millimes> {
  const all = await writeOffsOf(openLedger(session), breakId);
  return millimes(all.reduce((sum, { reversed, amount }) => sum + (reversed ? 0 : amount), 0));
}

/** Classes of breaks about a single credit. Their fingerprints end in its line. */
const CREDIT_CLASSES = ['ambiguous_payout', 'amount_differs', 'fee_unexplained', 'missing_in_book'] as const;

/** The break of a credit that is written off: `all` if two people closed it, `part` while a rest is open. */
export interface WrittenOffLine {
  readonly breakId: string;
  readonly extent: 'all' | 'part';
}

/**
 * Returns which of the credits are written off. `hold` locks their breaks until the transaction ends. With `asOf` each is `part`, because past states of
 * breaks are not read.
 */
export async function linesWrittenOff(
  session: Session,
  lineIds: readonly string[],
  { hold = false, asOf }: { readonly hold?: boolean; readonly asOf?: Instant | undefined } = {},
): Promise<ReadonlyMap<string, WrittenOffLine>> {
  const fingerprints = lineIds.flatMap((lineId) => CREDIT_CLASSES.map((breakClass) => `${breakClass}:${lineId}`));
  const breaks = [...(await openBreakStore(session).byFingerprint(fingerprints, { hold })).values()];
  const given = await writtenOffByBreak(
    session,
    breaks.map(({ id }) => id),
    asOf,
  );
  const written = new Map<string, WrittenOffLine>();
  for (const { id, status, subject } of breaks) {
    if (!given.has(id)) continue;
    const extent = asOf === undefined && status === 'resolved' ? 'all' : 'part';
    for (const lineId of subject.lineIds) written.set(lineId, { breakId: id, extent });
  }
  return written;
}

/** Reverses the write-offs of a break that are not reversed yet. */
export async function takeBackWriteOffs(
  session: Session,
  breakId: string,
  { recordedBy, occurredAt, recordedAt }: WriteOffBack,
): Promise<ActionDone> {
  let last: ActionDone['posted'];
  let total = ZERO_MILLIMES;
  for (const { reference, position, amount, reversed } of await writeOffsOf(openLedger(session), breakId)) {
    if (reversed) continue;
    const reversal = referenceOf(TAKEN_BACK_PREFIX, breakId, position);
    await reverseTransaction(session, {
      originalReference: reference,
      reference: reversal,
      code: 'reversal',
      recordedBy,
      occurredAt,
      recordedAt,
    });
    total = millimes(total + amount);
    last = { reference: reversal, amount: total };
  }
  return { breakBecomes: { kind: 'open' }, ...(last === undefined ? {} : { posted: last }) };
}

const WRITE_OFF_PREFIX = 'write-off:';
const TAKEN_BACK_PREFIX = 'write-off-back:';

/** Returns a reference. The first one of a kind has no number. */
function referenceOf(prefix: string, id: string, position: number): string {
  return position === 1 ? `${prefix}${id}` : `${prefix}${id}:${position}`;
}

interface WriteOff {
  readonly reference: string;
  readonly position: number;
  readonly amount: Millimes;
  readonly part: WrittenOffPart;
  readonly reversed: boolean;
}

async function writeOffsOf(ledger: Ledger, breakId: string): Promise<WriteOff[]> {
  const found: WriteOff[] = [];
  for (let position = 1; position <= WRITE_OFFS_MAX; position += 1) {
    const reference = referenceOf(WRITE_OFF_PREFIX, breakId, position);
    const transaction = await ledger.find(reference);
    if (transaction === undefined) return found;
    const [posting] = transaction.postings;
    assert(posting !== undefined && transaction.postings.length === 1, 'a write-off is one posting');
    const { debit, credit, amount } = posting;
    const part = debit === WRITE_OFF ? { account: credit, loss: amount } : { account: debit, loss: millimes(-amount) };
    found.push({ reference, position, amount, part, reversed: await ledger.isTakenBack(reference) });
  }
  throw new AppError('write_offs_exhausted', { breakId, most: WRITE_OFFS_MAX });
}

/** Returns the debits less credits that the rows of a break brought to the accounts open to write-offs. */
async function broughtTo(session: Session, { subject }: ReconBreak): Promise<ReadonlyMap<Account, Millimes>> {
  const ofItems = [...(await broughtBy(session, subject.itemIds))].filter(([account]) => isGatewayClearing(account));
  const ledger = openLedger(session);
  const ofLines: string[] = [];
  for (const lineId of subject.lineIds.slice(0, LINES_READ_MAX)) {
    const posted = `line:${lineId}`;
    // The posting of a line that repeats another one was reversed.
    if (!(await ledger.isTakenBack(posted))) ofLines.push(posted);
    // A match has moved its part of the line out of `bank_unmatched`, unless it was reversed.
    for (let match = 1; match <= MATCHES_MAX; match += 1) {
      const reference = referenceOf('payout:', lineId, match);
      if ((await ledger.find(reference)) === undefined) break;
      if (!(await ledger.isTakenBack(reference))) ofLines.push(reference);
    }
  }
  const unmatched = (await broughtBy(session, ofLines)).get(BANK_UNMATCHED) ?? ZERO_MILLIMES;
  return new Map([...ofItems, [BANK_UNMATCHED, unmatched] as const]);
}

/**
 * Returns the named account, or the only account with an amount left.
 * @throws AppError `bad_input` for an account without rows of the break.
 */
function placeFor(breakId: string, places: readonly WriteOffPlace[], asked: string | undefined): WriteOffPlace {
  if (places.length === 0) throw new AppError('nothing_posted', { breakId });
  const named = places.find(({ account }) => account === asked);
  if (asked !== undefined && named === undefined) {
    const accounts = places.map(({ account }) => account).join(', ');
    const isOnly = places.length === 1;
    const expected = isOnly ? accounts : `one of ${accounts}`;
    const fix = isOnly ? 'propose again without an account' : undefined;
    throw new AppError('bad_input', { field: 'account', expected, got: asked, fix });
  }
  const withLeft = places.filter(({ left }) => left > 0);
  const [only, ...others] = withLeft.filter((place) => named === undefined || place === named);
  if (only !== undefined && others.length === 0) return only;
  const left = withLeft.map((place) => ({ account: place.account, leftMillimes: place.left }));
  if (withLeft.length === 0 || named !== undefined) {
    throw new AppError('nothing_left', { breakId, account: named?.account, places: left });
  }
  throw new AppError('account_unclear', { breakId, places: left });
}

function readPayload(payload: Readonly<Record<string, unknown>>): WriteOffPayload {
  const { account, amountMillimes, ...unknown } = payload;
  const isAmount = typeof amountMillimes === 'number' && Number.isSafeInteger(amountMillimes) && amountMillimes > 0;
  if (
    Object.keys(unknown).length > 0 ||
    (account !== undefined && typeof account !== 'string') ||
    (amountMillimes !== undefined && !isAmount)
  ) {
    const expected = '{"account": "<account>", "amountMillimes": 1} for write_off, both optional, the amount above 0';
    throw new AppError('bad_input', { field: 'payload', expected, command: 'or use --account and --amount' });
  }
  return { account, amount: isAmount ? millimes(amountMillimes) : undefined };
}
