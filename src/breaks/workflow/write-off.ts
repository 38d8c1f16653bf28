import type { Session } from '../../db';
import { openBreakStore } from '../break-store';
import {
  AppError,
  assert,
  formatDinars,
  millimes,
  newId,
  ZERO_MILLIMES,
  type Instant,
  type Millimes,
} from '../../kernel';
import {
  BANK_UNMATCHED,
  isGatewayClearing,
  openLedger,
  reverseTransaction,
  WRITE_OFF,
  type Account,
  type Ledger,
} from '../../ledger';
import type { ReconBreak } from '../recon-break';
import type { ActionDone, DecideHandler } from './proposal';
import { sumWrittenOff, writeOffPlaces, type WrittenOffPart, type WriteOffPlace } from './write-off-places';
import { broughtBy, writtenOffByBreak } from './write-off-store';

/** A break of lines is of one credit, or of one and what took it back and paid it again. */
const LINES_LOOKED_AT_MAX = 200;
/** Partial write-offs of one break, and matches of one credit. */
const WRITE_OFFS_MAX = 100;
const MATCHES_MAX = 100;

/** What of a break is given up, and where it stands. Without an amount all that is left of the break. */
interface WriteOffPayload {
  readonly account: string | undefined;
  readonly amount: Millimes | undefined;
}

/**
 * Gives up what a break says is missing, or keeps what it says is too much: one posting between `write_off` and an account
 * that holds rows of the break, `gateway_clearing:<channel>` or `bank_unmatched`, of at most what they brought there. All
 * write-offs of a break together are never more than its amount. With the last millime the break is closed.
 */
export const writeOff: DecideHandler = async (session, { reconBreak, action }, actor, at) => {
  if (reconBreak === undefined) throw new AppError('bad_input', 'write_off is for a break');
  const { id, amount: amountOfBreak } = reconBreak;
  if (amountOfBreak === undefined || amountOfBreak === 0) {
    throw new AppError('conflict', `break ${id} has no amount to write off`);
  }
  const ledger = openLedger(session);
  const wish = readPayload(action.payload);
  const brought = await broughtTo(session, reconBreak);
  const before = await writeOffsOf(ledger, id);
  const given = before.filter(({ reversed }) => !reversed).map(({ part }) => part);
  const { account, direction, left } = placeFor(id, writeOffPlaces(amountOfBreak, brought, given), wish.account);
  const amount = wish.amount ?? left;
  if (amount > left) {
    const most = `${formatDinars(left)} left of break ${id} in ${account}`;
    throw new AppError('conflict', `${formatDinars(amount)} is more than the ${most}`);
  }
  assert(amount > 0 && amount <= left, 'a write-off never exceeds what its break holds in the account');
  const reference = referenceOf(WRITE_OFF_PREFIX, id, before.length + 1);
  const accounts = direction === 'loss' ? { debit: WRITE_OFF, credit: account } : { debit: account, credit: WRITE_OFF };
  await ledger.post([
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
  const after = [...given, { account, loss: direction === 'loss' ? amount : millimes(-amount) }];
  const isAll =
    sumWrittenOff(amountOfBreak, after) === amountOfBreak &&
    writeOffPlaces(amountOfBreak, brought, after).every((place) => place.left === 0);
  return {
    breakBecomes: isAll ? { kind: 'resolved', resolution: 'written_off' } : { kind: 'kept' },
    detail: { account, direction },
    posted: { reference, amount },
  };
};

/**
 * Takes back what is written off of a break, and opens it again when two people closed it. A match is taken back where
 * matches are made: here it is refused.
 */
export const reopenClosed: DecideHandler = async (session, { reconBreak }, actor, at) => {
  if (reconBreak === undefined) throw new AppError('bad_input', 'reopen is for a break');
  const by = { recordedBy: actor.name, occurredAt: at, recordedAt: at };
  if (reconBreak.status !== 'resolved') {
    if ((await writtenOffOf(session, reconBreak.id)) === ZERO_MILLIMES) {
      throw new AppError('conflict', `break ${reconBreak.id} is not resolved, and nothing of it is written off`);
    }
    return { ...(await takeBackWriteOffs(session, reconBreak.id, by)), breakBecomes: { kind: 'kept' } };
  }
  if (reconBreak.resolution === 'force_matched') {
    throw new AppError('conflict', `break ${reconBreak.id} was closed by a match: propose the action unmatch`);
  }
  return takeBackWriteOffs(session, reconBreak.id, by);
};

interface WriteOffBack {
  readonly recordedBy: string;
  readonly occurredAt: Instant;
  readonly recordedAt: Instant;
}

/** How much of a break is written off, and not taken back. */
export async function writtenOffOf(session: Session, breakId: string): Promise<Millimes> {
  const all = await writeOffsOf(openLedger(session), breakId);
  return millimes(all.reduce((sum, { reversed, amount }) => sum + (reversed ? 0 : amount), 0));
}

/** The breaks that a credit can be by itself: their fingerprints end in its line. */
const CREDIT_CLASSES = ['ambiguous_payout', 'amount_differs', 'fee_unexplained', 'missing_in_book'] as const;

/**
 * Those of some credits of which something is written off: `all` where two people closed the break with it, `part` while
 * the rest is open. With `hold` their breaks stay locked until the transaction ends. As of an instant of the past
 * each is `part`: which breaks were open then is not asked.
 */
export async function linesWrittenOff(
  session: Session,
  lineIds: readonly string[],
  { hold = false, asOf }: { readonly hold?: boolean; readonly asOf?: Instant | undefined } = {},
): Promise<ReadonlyMap<string, 'all' | 'part'>> {
  const fingerprints = lineIds.flatMap((lineId) => CREDIT_CLASSES.map((breakClass) => `${breakClass}:${lineId}`));
  const breaks = [...(await openBreakStore(session).byFingerprint(fingerprints, { hold })).values()];
  const given = await writtenOffByBreak(
    session,
    breaks.map(({ id }) => id),
    asOf,
  );
  const written = new Map<string, 'all' | 'part'>();
  for (const { id, status, subject } of breaks) {
    if (!given.has(id)) continue;
    for (const lineId of subject.lineIds)
      written.set(lineId, asOf === undefined && status === 'resolved' ? 'all' : 'part');
  }
  return written;
}

/** Reverses all that was written off of a break and stands. */
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

/** The first has no number. */
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
  throw new AppError('conflict', `break ${breakId} was written off ${WRITE_OFFS_MAX} times: that is enough`);
}

/** Debits less credits that the break's items and lines brought to the accounts which a write-off may touch. */
async function broughtTo(session: Session, { subject }: ReconBreak): Promise<ReadonlyMap<Account, Millimes>> {
  const ofItems = [...(await broughtBy(session, subject.itemIds))].filter(([account]) => isGatewayClearing(account));
  const ledger = openLedger(session);
  const ofLines: string[] = [];
  for (const lineId of subject.lineIds.slice(0, LINES_LOOKED_AT_MAX)) {
    ofLines.push(`line:${lineId}`);
    // What a payout has explained of the line is not unmatched any more, unless the match was taken back.
    for (let match = 1; match <= MATCHES_MAX; match += 1) {
      const reference = referenceOf('payout:', lineId, match);
      if ((await ledger.find(reference)) === undefined) break;
      if (!(await ledger.isTakenBack(reference))) ofLines.push(reference);
    }
  }
  const unmatched = (await broughtBy(session, ofLines)).get(BANK_UNMATCHED) ?? ZERO_MILLIMES;
  return new Map([...ofItems, [BANK_UNMATCHED, unmatched] as const]);
}

/** The account that is named, or else the only one where something is left. */
function placeFor(breakId: string, places: readonly WriteOffPlace[], wish: string | undefined): WriteOffPlace {
  const withLeft = places.filter(({ left }) => left > 0);
  const named = wish === undefined ? undefined : places.find(({ account }) => account === wish);
  const [only, ...others] = wish === undefined ? withLeft : named === undefined ? [] : [named];
  if (only !== undefined && only.left > 0 && others.length === 0) return only;
  const leftIn = withLeft.map(({ account, left }) => `${account} (${formatDinars(left)} left)`).join(', ');
  if (places.length > 0 && (withLeft.length === 0 || named !== undefined)) {
    const where = named === undefined ? 'to write off' : `to write off in ${named.account}`;
    const elsewhere = withLeft.length === 0 ? '' : `, but in ${leftIn}`;
    throw new AppError('conflict', `nothing is left of break ${breakId} ${where}${elsewhere}`);
  }
  const which = places.length === 0 ? 'nothing of it is posted' : `--account must be one of ${leftIn}`;
  throw new AppError('conflict', `break ${breakId} cannot be written off there: ${which}`);
}

function readPayload(payload: Readonly<Record<string, unknown>>): WriteOffPayload {
  const { account, amountMillimes, ...unknown } = payload;
  const isAmount = typeof amountMillimes === 'number' && Number.isSafeInteger(amountMillimes) && amountMillimes > 0;
  if (
    Object.keys(unknown).length > 0 ||
    (account !== undefined && typeof account !== 'string') ||
    (amountMillimes !== undefined && !isAmount)
  ) {
    throw new AppError('bad_input', 'write_off takes an account and amountMillimes above 0, and nothing else');
  }
  return { account, amount: isAmount ? millimes(amountMillimes) : undefined };
}
