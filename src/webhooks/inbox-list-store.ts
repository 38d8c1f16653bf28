import { afterKey, column, type Decoded, rowCodec, type Session } from '../db';
import { mergeByKey, type Page, pageByKey } from '../kernel';
import { conflictCount, ENTRY, selectEntries, shown } from './inbox-store';
import {
  type InboxEntry,
  type InboxFilter,
  type InboxKey,
  WEBHOOK_FAMILIES,
  WEBHOOK_STATES,
  type WebhookState,
} from './webhooks';

/** The columns that a page examines. Only the rows of the page need the others, among them the content. */
const EXAMINED = rowCodec({
  id: column.text('id'),
  receivedAt: column.number('received_at'),
  family: column.word('family', WEBHOOK_FAMILIES),
  state: column.word('state', WEBHOOK_STATES),
});
const COUNTED = rowCodec({ ...EXAMINED.fields, conflicts: column.number('conflicts') });
type Examined = Decoded<typeof COUNTED>;

/** Returns a page of entries, newest first. It examines at most 2,000 rows, of several states 2,000 of each. */
export async function listEntries(session: Session, filter: InboxFilter): Promise<Page<InboxEntry, InboxKey>> {
  const { states, family, conflicted, after: first, limit } = filter;
  const { rows, next } = await pageByKey<Examined, InboxKey>({
    read: (after, count) => examine(session, filter, after, count),
    keyOf,
    keep: (row) =>
      (family === undefined || row.family === family) &&
      (states === undefined || states.includes(row.state)) &&
      (conflicted === undefined || conflicted === row.conflicts > 0),
    ...{ after: first, limit },
  });
  const ids = rows.map(({ id }) => id);
  const entries = rows.length === 0 ? [] : await ENTRY.all(selectEntries(session).whereIn('w.id', ids));
  const byId = new Map(entries.map((entry) => [entry.id, shown(entry)]));
  return { rows: ids.flatMap((id) => byId.get(id) ?? []), next };
}

function keyOf({ receivedAt, id }: Examined): InboxKey {
  return [receivedAt, id];
}

/** An index serves the payment, and another one each state. */
async function examine(
  session: Session,
  { states, paymentId, conflicted }: InboxFilter,
  after: InboxKey | undefined,
  count: number,
): Promise<readonly Examined[]> {
  const order = { columns: ['w.received_at', 'w.id'], order: 'desc', after } as const;
  const read = (equal: Readonly<Record<string, string>>): Promise<Examined[]> => {
    const query = session('webhook_inbox as w')
      .select(EXAMINED.columns('w'))
      // Only who asks for conflicts pays for their count.
      .select(conflicted === undefined ? session.fragment('0 as conflicts') : conflictCount(session));
    return COUNTED.all(afterKey(session, query, { equal, ...order }, count));
  };
  if (paymentId !== undefined) return read({ 'w.payment_id': paymentId });
  if (states === undefined) return read({});
  const lists: Examined[][] = [];
  for (const state of new Set<WebhookState>(states)) lists.push(await read({ 'w.state': state }));
  return mergeByKey(lists, keyOf, 'desc', count);
}
