import { type DecideHandler, linesWrittenOff, openBreakStore } from '../breaks';
import type { Session } from '../db';
import { checkReason, openAuditTrail, type ReasonedDecision, requireScope } from '../identity';
import {
  addDays,
  AppError,
  type BusinessCalendar,
  type Instant,
  type Millimes,
  millimes,
  newId,
  ZERO_MILLIMES,
} from '../kernel';
import type { FeeRule, Item } from '../payout-inference';
import type { PayoutCandidate } from '../statements';
import { feeOfItem } from './allocate-fees';
import { chosenItemIds, type ItemChoice } from './choose-items';
import { openFeeSchedules } from './fee-schedule-store';
import { remainderBreaks } from './find-remainders';
import { amountOf, type MatchPart, type NewMatch } from './match';
import { openMatchStore } from './match-store';
import { notHeldCondition } from './not-held-condition';
import { payoutReference } from './payout-postings';
import { postMatches } from './post-matches';
import { readItems } from './read-items';
import type { ReconcileDeps } from './reconcile-deps';
import { requireCredit } from './require-credit';
import { singleLineOfBreak } from './single-line-of-break';
import { largestChannel } from './to-matches';
import { UNPAID_DEADLINE_MS } from './unpaid-items';

const ITEMS_MAX = 10_000;

/** A credit and the items that a person names for it. */
interface AssertedMatch {
  readonly lineId: string;
  readonly itemIds: readonly string[];
}

export interface MatchCommand extends ReasonedDecision {
  readonly lineId: string;
  readonly items: ItemChoice;
}

export interface MatchOutcomeOfPerson {
  readonly lineId: string;
  readonly matchId: string;
  readonly itemIds: readonly string[];
  readonly grossMillimes: Millimes;
  readonly feeMillimes: Millimes;
  readonly tvaMillimes: Millimes;
  readonly remainderMillimes: Millimes;
  readonly dryRun: boolean;
}

/** The persons, the reason and the time of the decision. */
interface Decided {
  readonly reason: string;
  readonly at: Instant;
  readonly recordedBy: string;
  /** The approver. Without one the amounts must agree. */
  readonly approvedBy: string | undefined;
}

/**
 * Matches a credit to the items that a person names. One person suffices if the amounts agree: the sum of the items, or
 * the sum less their fees by the schedule, is the credit. A different amount takes a proposal and another person's
 * approval.
 * @throws AppError `forbidden`, `bad_input`, `not_found`, or `conflict` if the line or an item is matched, or the
 * amounts differ.
 */
export async function forceMatch(
  deps: ReconcileDeps,
  { actor, dryRun, reason, lineId, items }: MatchCommand,
): Promise<MatchOutcomeOfPerson> {
  const { database, clock, calendar } = deps;
  requireScope(actor, 'reconciliation:decide');
  checkReason(reason, 'how it is known');
  const at = clock.now();
  return database.transact(
    async (session) => {
      const decided = { reason, at, recordedBy: actor.name, approvedBy: undefined };
      const itemIds = await chosenItemIds(session, deps, items, at);
      const match = await writeAsserted(session, { lineId, itemIds }, decided, calendar);
      const { id, gross, fee, tva, remainder, parts } = match;
      await openAuditTrail(session).record({
        at,
        actor,
        action: 'payout.matched',
        subject: `line:${lineId}`,
        detail: { matchId: id, items: parts.length, reason },
      });
      return {
        lineId,
        matchId: id,
        itemIds: parts.map(({ itemId }) => itemId),
        grossMillimes: gross,
        feeMillimes: fee,
        tvaMillimes: tva,
        remainderMillimes: remainder,
        dryRun,
      };
    },
    { dryRun, retryDuplicate: true },
  );
}

/**
 * Returns the handler of the action `force_match`, for amounts that may differ. Its payload is `{ lineId?, itemIds }`;
 * the default is the only line of the break.
 */
export function forceMatchHandler(calendar: BusinessCalendar): DecideHandler {
  return async (session, { action, reason, proposedBy, reconBreak }, actor, at) => {
    const { lineId = singleLineOfBreak(reconBreak, 'force_match'), itemIds } = readPayload(action.payload);
    const asserted = { lineId, itemIds };
    const decided = { reason, at, recordedBy: proposedBy, approvedBy: actor.name };
    const match = await writeAsserted(session, asserted, decided, calendar);
    const times = await openMatchStore(session).timesMatched([match.lineId]);
    return {
      breakBecomes: reconBreak === undefined ? { kind: 'kept' } : { kind: 'resolved', resolution: 'force_matched' },
      detail: {
        matchId: match.id,
        lineId: match.lineId,
        items: match.parts.length,
        grossMillimes: match.gross,
        remainderMillimes: match.remainder,
      },
      posted: {
        reference: payoutReference(match.lineId, (times.get(match.lineId) ?? 1) - 1),
        amount: amountOf(match),
      },
    };
  };
}

/** Chosen items beside a credit. In millimes. */
export interface TriedMatch {
  readonly lineId: string;
  readonly credit: Millimes;
  /** The number of the items. */
  readonly items: number;
  readonly gross: Millimes;
  /** The fees of the schedule in force; 0 if the items equal the credit without fees. */
  readonly fee: Millimes;
  readonly tva: Millimes;
  readonly net: Millimes;
  /** The credit less the net sum: 0 if one person may match the items. */
  readonly difference: Millimes;
}

/**
 * Returns the sums of chosen items beside a credit, as a match of them would check it. Stores nothing.
 * @throws AppError `bad_input`, `not_found`, `ambiguous_id`, or `conflict` if the line or an item is matched.
 */
export function tryMatch(deps: ReconcileDeps, lineId: string, choice: ItemChoice): Promise<TriedMatch> {
  const { database, clock, calendar } = deps;
  const at = clock.now();
  return database.read(
    async (session) => {
      const itemIds = await chosenItemIds(session, deps, choice, at);
      const { credit, items, rules } = await readAsserted(session, { lineId, itemIds }, at, calendar);
      const { gross, fee, tva, remainder } = assertedMatch(credit, items, rules, calendar);
      const net = millimes(gross - fee - tva);
      return { lineId, credit: credit.amount, items: items.length, gross, fee, tva, net, difference: remainder };
    },
    { snapshot: true, deadlineMs: UNPAID_DEADLINE_MS },
  );
}

/** Returns the credit, the items and the fees of a match of people. @throws AppError as `forceMatch`. */
async function readAsserted(
  session: Session,
  { lineId, itemIds }: AssertedMatch,
  at: Instant,
  calendar: BusinessCalendar,
): Promise<{ readonly credit: PayoutCandidate; readonly items: Item[]; readonly rules: readonly FeeRule[] }> {
  checkItems(itemIds, lineId);
  const through = calendar.dateOf(at);
  const credit = await requireCredit(session, lineId, through);
  const isHeld = (await openMatchStore(session).claimedLines([lineId])).size > 0;
  if (isHeld) throw new AppError('line_matched', { lineId });
  const writtenOff = (await linesWrittenOff(session, [lineId])).get(lineId);
  if (writtenOff !== undefined) throw new AppError('line_written_off', { lineId, breakId: writtenOff.breakId });
  const items = await openItems(session, itemIds, calendar.startOf(addDays(through, 1)));
  return { credit, items, rules: (await openFeeSchedules(session).current())?.rules ?? [] };
}

async function writeAsserted(
  session: Session,
  asserted: AssertedMatch,
  { reason, at, recordedBy, approvedBy }: Decided,
  calendar: BusinessCalendar,
): Promise<NewMatch> {
  const { lineId } = asserted;
  const { credit, items, rules } = await readAsserted(session, asserted, at, calendar);
  const match = assertedMatch(credit, items, rules, calendar);
  if (match.remainder !== 0 && approvedBy === undefined) {
    const differenceMillimes = millimes(Math.abs(match.remainder));
    throw new AppError('amounts_do_not_fit', { differenceMillimes, lineId });
  }
  await postMatches(session, [match], { runId: undefined, reason, approvedBy, recordedAt: at, recordedBy }, calendar);
  await openBreakStore(session).openNew(remainderBreaks(match, match.bookingDate), at, recordedBy);
  return match;
}

/** Checks the number of the items and that each is named once. @throws AppError `bad_input`. */
function checkItems(itemIds: readonly string[], lineId: string): void {
  const once = new Set<string>();
  const repeated = itemIds.find((itemId) => once.size === once.add(itemId).size);
  if (repeated !== undefined) {
    throw new AppError('bad_input', { field: 'itemIds', expected: 'each item once', got: repeated });
  }
  if (itemIds.length > 0 && itemIds.length <= ITEMS_MAX) return;
  throw new AppError('bad_input', {
    field: 'itemIds',
    expected: `1 to ${ITEMS_MAX} unpaid items`,
    got: itemIds.length,
    command:
      `choose them with --items, or with --day, --channel, --agent, --from and --through; ` +
      `"millime reconcile items --credit ${lineId}" lists them`,
  });
}

async function openItems(session: Session, itemIds: readonly string[], before: Instant): Promise<Item[]> {
  const { items } = await readItems(session, { before, wanted: notHeldCondition(undefined, []) });
  const byId = new Map(items.map((item) => [item.itemId, item]));
  const held = await openMatchStore(session).claimed(itemIds);
  return itemIds.map((itemId) => {
    const item = byId.get(itemId);
    if (held.has(itemId)) throw new AppError('item_matched', { itemId });
    if (item === undefined) throw new AppError('not_found', { thing: 'item', id: itemId });
    return item;
  });
}

/**
 * Builds the match with the fees of the schedule, so that a remainder is what they do not explain; or without fees if the
 * items equal the credit.
 */
export function assertedMatch(
  credit: PayoutCandidate,
  items: readonly Item[],
  rules: readonly FeeRule[],
  calendar: BusinessCalendar,
): NewMatch {
  const day = credit.bookingDate;
  const plain = items.map((item) => partOf(item, ZERO_MILLIMES, ZERO_MILLIMES));
  const charged = chargedParts(items, rules, calendar);
  const parts = restOfCredit(credit.amount, plain) === 0 ? plain : charged;
  return {
    id: newId(),
    lineId: credit.lineId,
    kind: 'forced',
    model: undefined,
    stream: undefined,
    evidence: 'asserted',
    gross: sumOf(parts, 'amount'),
    fee: sumOf(parts, 'fee'),
    tva: sumOf(parts, 'tva'),
    remainder: restOfCredit(credit.amount, parts),
    restChannel: largestChannel(parts),
    claimedError: undefined,
    cut: undefined,
    parts: [...parts].sort((a, b) => (a.itemId < b.itemId ? -1 : 1)),
    returned: undefined,
    bookingDate: day,
  };
}

/** Returns the items with the fees of the schedule. */
function chargedParts(items: readonly Item[], rules: readonly FeeRule[], calendar: BusinessCalendar): MatchPart[] {
  return items.map((item) => {
    const share = feeOfItem(item, rules, calendar.dateOf(item.succeededAt));
    return partOf(item, share.fee, share.tva);
  });
}

function partOf({ itemId, channel, amount }: Item, fee: Millimes, tva: Millimes): MatchPart {
  return { itemId, channel, amount, fee, tva, evidence: 'asserted' };
}

function restOfCredit(amount: Millimes, parts: readonly MatchPart[]): Millimes {
  return millimes(parts.reduce((left, part) => left - part.amount + part.fee + part.tva, Number(amount)));
}

function sumOf(parts: readonly MatchPart[], field: 'amount' | 'fee' | 'tva'): Millimes {
  return millimes(parts.reduce((sum, part) => sum + part[field], 0));
}

interface Payload {
  readonly lineId: string | undefined;
  readonly itemIds: readonly string[];
}

/** Without items the check of the items says how to choose them. */
function readPayload({ lineId, itemIds = [], ...unknown }: Readonly<Record<string, unknown>>): Payload {
  const isList = Array.isArray(itemIds) && itemIds.every((each) => typeof each === 'string');
  const isLine = lineId === undefined || typeof lineId === 'string';
  if (!isLine || !isList || Object.keys(unknown).length > 0) {
    const expected = '{"itemIds": ["<item>", …], "lineId": "<credit>"} for force_match, lineId being optional';
    throw new AppError('bad_input', { field: 'payload', expected, command: 'or use --items and --line' });
  }
  return { lineId, itemIds };
}
