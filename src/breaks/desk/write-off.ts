import type { Session } from '../../db';
import { openBreakBook } from '../break-store';
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

/** Enough to tell which account a break's money is in. */
const ROWS_LOOKED_AT_MAX = 200;
/** Partial write-offs of one break, and matches of one credit. */
const WRITE_OFFS_MAX = 100;
const MATCHES_MAX = 100;

/** What of a break is given up, and where it stands. Without an amount all that is left of the break. */
interface WriteOffPayload {
  readonly account: string | undefined;
  readonly amount: Millimes | undefined;
}

/**
 * Gives up what a break says is missing, or keeps what it says is too much: one posting between `write_off` and the
 * account that holds the break's rows, `gateway_clearing:<channel>` or `bank_unmatched`. All write-offs of a break
 * together are never more than its amount. With the last millime the break is closed.
 */
export const writeOff: DecideHandler = async (session, { reconBreak, action }, actor, at) => {
  if (reconBreak === undefined) throw new AppError('bad_input', 'write_off is for a break');
  const ledger = openLedger(session);
  const wish = readPayload(action.payload);
  const { account, most } = placeOf(reconBreak, await amountsIn(ledger, reconBreak), wish.account);
  const before = await writeOffsOf(ledger, reconBreak.id);
  const given = await writtenOffOf(session, reconBreak.id);
  const left = millimes(Math.abs(most) - given);
  const amount = wish.amount ?? left;
  if (left <= 0) throw new AppError('conflict', `nothing is left of break ${reconBreak.id} to write off`);
  if (amount > left) {
    throw new AppError('conflict', `${formatDinars(amount)} is more than the ${formatDinars(left)} left of the break`);
  }
  assert(amount > 0 && given + amount <= Math.abs(reconBreak.amount ?? 0), 'a write-off never exceeds its break');
  const reference = referenceOf(WRITE_OFF_PREFIX, reconBreak.id, before.length + 1);
  await ledger.post([
    {
      id: newId(),
      reference,
      code: 'write_off',
      occurredAt: at,
      recordedAt: at,
      recordedBy: actor.name,
      postings: [
        most > 0 ? { debit: WRITE_OFF, credit: account, amount } : { debit: account, credit: WRITE_OFF, amount },
      ],
    },
  ]);
  return {
    breakBecomes: amount === left ? { kind: 'resolved', resolution: 'written_off' } : { kind: 'kept' },
    detail: { account, direction: most > 0 ? 'loss' : 'gain' },
    posted: { reference, amount },
  };
};

/**
 * Opens a break again that two people closed, and takes its write-offs back. A match is taken back where matches are made:
 * here it is refused.
 */
export const reopenClosed: DecideHandler = async (session, { reconBreak }, actor, at) => {
  if (reconBreak === undefined) throw new AppError('bad_input', 'reopen is for a break');
  if (reconBreak.status !== 'resolved') throw new AppError('conflict', `break ${reconBreak.id} is not resolved`);
  if (reconBreak.resolution === 'force_matched') {
    throw new AppError('conflict', `break ${reconBreak.id} was closed by a match: propose the action unmatch`);
  }
  return takeBackWriteOffs(session, reconBreak.id, { recordedBy: actor.name, occurredAt: at, recordedAt: at });
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
 * the rest is open. With `hold` nobody decides about their breaks until the transaction ends.
 */
export async function linesWrittenOff(
  session: Session,
  lineIds: readonly string[],
  { hold = false }: { readonly hold?: boolean } = {},
): Promise<ReadonlyMap<string, 'all' | 'part'>> {
  const fingerprints = lineIds.flatMap((lineId) => CREDIT_CLASSES.map((breakClass) => `${breakClass}:${lineId}`));
  const breaks = [...(await openBreakBook(session).byFingerprint(fingerprints, { hold })).values()];
  const first = await openLedger(session).existing(breaks.map(({ id }) => referenceOf(WRITE_OFF_PREFIX, id, 1)));
  const written = new Map<string, 'all' | 'part'>();
  for (const { id, status, subject } of breaks) {
    if (!first.has(referenceOf(WRITE_OFF_PREFIX, id, 1)) || (await writtenOffOf(session, id)) === 0) continue;
    for (const lineId of subject.lineIds) written.set(lineId, status === 'resolved' ? 'all' : 'part');
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
  readonly reversed: boolean;
}

async function writeOffsOf(ledger: Ledger, breakId: string): Promise<WriteOff[]> {
  const found: WriteOff[] = [];
  for (let position = 1; position <= WRITE_OFFS_MAX; position += 1) {
    const reference = referenceOf(WRITE_OFF_PREFIX, breakId, position);
    const transaction = await ledger.find(reference);
    if (transaction === undefined) return found;
    const amount = millimes(transaction.postings.reduce((sum, posting) => sum + posting.amount, 0));
    const reversed = await ledger.isTakenBack(reference);
    found.push({ reference, position, amount, reversed });
  }
  throw new AppError('conflict', `break ${breakId} was written off ${WRITE_OFFS_MAX} times: that is enough`);
}

/** Debits less credits that the break's items and lines brought to the accounts which a write-off may touch. */
async function amountsIn(ledger: Ledger, { subject }: ReconBreak): Promise<Map<Account, Millimes>> {
  const amounts = new Map<Account, Millimes>();
  const addFrom = async (reference: string, counts: (account: Account) => boolean): Promise<void> => {
    for (const { debit, credit, amount } of (await ledger.find(reference))?.postings ?? []) {
      if (counts(debit)) amounts.set(debit, millimes((amounts.get(debit) ?? 0) + amount));
      if (counts(credit)) amounts.set(credit, millimes((amounts.get(credit) ?? 0) - amount));
    }
  };
  const isUnmatched = (account: Account): boolean => account === BANK_UNMATCHED;
  for (const itemId of subject.itemIds.slice(0, ROWS_LOOKED_AT_MAX)) await addFrom(itemId, isGatewayClearing);
  for (const lineId of subject.lineIds.slice(0, ROWS_LOOKED_AT_MAX)) {
    await addFrom(`line:${lineId}`, isUnmatched);
    // What a payout has explained of the line is not unmatched any more, unless the match was taken back.
    for (let match = 1; match <= MATCHES_MAX; match += 1) {
      const reference = referenceOf('payout:', lineId, match);
      if ((await ledger.find(reference)) === undefined) break;
      if (!(await ledger.isTakenBack(reference))) await addFrom(reference, isUnmatched);
    }
  }
  if (amounts.get(BANK_UNMATCHED) === 0) amounts.delete(BANK_UNMATCHED);
  return amounts;
}

/**
 * The account, and the most that may be taken from it: positive is a loss. In the clearing the break's own amount says
 * so, book less bank; what the bank holds unmatched says itself which way it goes.
 */
function placeOf(
  { id, amount }: ReconBreak,
  amounts: ReadonlyMap<Account, Millimes>,
  wish: string | undefined,
): { readonly account: Account; readonly most: Millimes } {
  if (amount === undefined || amount === 0) throw new AppError('conflict', `break ${id} has no amount to write off`);
  const accounts = [...amounts.keys()].sort();
  const account = wish === undefined && accounts.length === 1 ? accounts[0] : accounts.find((each) => each === wish);
  if (account === undefined) {
    const which = accounts.length === 0 ? 'nothing of it is posted' : `--account must be one of ${accounts.join(', ')}`;
    throw new AppError('conflict', `break ${id} cannot be written off there: ${which}`);
  }
  if (account !== BANK_UNMATCHED) return { account, most: amount };
  const unmatched = amounts.get(account) ?? ZERO_MILLIMES;
  const size = Math.min(Math.abs(unmatched), Math.abs(amount));
  return { account, most: millimes(unmatched > 0 ? size : -size) };
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
