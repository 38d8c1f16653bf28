import type { World } from '../../../scripts/evaluate/world';
import type { Database, Session } from '../../../src/db';
import { postItem } from '../../../src/gateway-items';
import { compareBytes } from '../../../src/kernel';
import { openPaymentObservations, openPaymentStore } from '../../../src/payments/testing';
import type { Item, Observation } from '../../../src/payout-inference';
import { openStatements } from '../../../src/statements';
import { aPayment } from '../../support/factories/a-payment';
import { PAYOUT_TEXT, type Rooms } from '../ledger/rooms';

const AGENT = 'A1';
const PUT_DEADLINE_MS = 120_000;

/**
 * Brings a generated world into the books as its days would have: agents' payments by confirms, the other channels as
 * posted items with what was seen of them, the bank's lines as one statement.
 *
 * @returns the world's id of each line of the statement.
 */
export async function putWorld(database: Database, rooms: Rooms, { files }: World): Promise<Map<string, string>> {
  await rooms.importAgents(AGENT);
  for (const { itemId, amount, succeededAt } of files.items.filter(isOfAgent)) {
    rooms.clock.set(succeededAt);
    await rooms.confirm({ transactionId: itemId.replace('service:', ''), agentId: AGENT, amount });
  }
  await database.transact(
    async (session) => {
      for (const item of files.items) if (!isOfAgent(item)) await putItem(session, item);
      await putLooks(session, files);
    },
    // Thousands of statements in one transaction, on a machine that has other work.
    { deadlineMs: PUT_DEADLINE_MS },
  );
  const lines = [...files.lines].sort(
    (a, b) => compareBytes(a.bookingDate, b.bookingDate) || compareBytes(a.lineId, b.lineId),
  );
  const last = lines.at(-1);
  if (last === undefined) throw new Error('a world has lines');
  rooms.clock.set(`${last.bookingDate}T23:59:59+01:00`);
  await rooms.importStatement(lines.map(({ bookingDate, amount }) => [bankDay(bookingDate), PAYOUT_TEXT, amount]));
  const credits = await database.read((session) =>
    openStatements(session).payoutCandidates({ through: last.bookingDate }),
  );
  const creditsGiven = lines.filter(({ amount }) => amount > 0);
  return new Map(credits.map(({ lineId }, index) => [lineId, creditsGiven[index]?.lineId ?? '']));
}

function isOfAgent({ channel }: Pick<Item, 'channel'>): boolean {
  return channel === 'agent';
}

async function putItem(session: Session, item: Item): Promise<void> {
  const { itemId, channel, amount, refundOf, succeededAt } = item;
  await postItem(
    session,
    { itemId, channel, amount, refundOf, agentId: undefined, occurredAt: succeededAt },
    { recordedAt: succeededAt, recordedBy: 'test' },
  );
}

async function putLooks(session: Session, { items, observations }: World['files']): Promise<void> {
  const store = openPaymentStore(session);
  const history = openPaymentObservations(session);
  const seen = new Map<string, Observation[]>();
  for (const look of observations) seen.set(look.itemId, [...(seen.get(look.itemId) ?? []), look]);
  for (const { itemId, amount, succeededAt, ...item } of items) {
    if (isOfAgent(item) || item.refundOf !== undefined) continue;
    const looks = seen.get(itemId) ?? [];
    const trackingId = itemId.replace('payment:', '').padStart(26, '0').toUpperCase();
    const known = { trackingId, itemId, gatewayId: itemId.replace('payment:', ''), amount, ourShare: amount };
    const succeeded = { succeededAfter: succeededAt, succeededUntil: succeededAt, requestedAt: succeededAt };
    await store.add([aPayment({ ...known, ...succeeded, status: 'SUCCESS' })]);
    for (const { observedAt, status, settlementStatus } of looks) {
      const said = { settlementStatus, method: undefined, amount: undefined, detail: '' };
      await history.append({ trackingId, source: 'verify', observedAt, status, ...said }, observedAt);
    }
  }
}

/** `05/03/2026`, as the bank writes it. */
function bankDay(date: string): string {
  return date.split('-').reverse().join('/');
}
