import { column, rowCodec, type Session } from '../db';
import { AppError, BEGINNING_CHARACTERS_MIN, onlyId, requireBeginning } from '../kernel';
import { type IdPlace, idsBeginning } from './id-beginnings-read-model';
import type { PaymentSource } from './payment-list-read-model';

/** A payment of any channel, as its source and its id name it. */
export interface NamedPayment {
  readonly source: PaymentSource;
  readonly id: string;
}

/** A column by which users name a payment, and the column of the id of its source. */
interface Name extends IdPlace {
  readonly source: PaymentSource;
  readonly key: string;
  /** The item ids that this name may have in front. */
  readonly prefix: string;
}

const name = (source: PaymentSource, table: string, column: string, key = column): Name => ({
  source,
  table,
  column,
  key,
  isUlid: column === 'tracking_id',
  prefix: source === 'confirm' ? 'service:' : 'payment:',
});

const NAMES: readonly Name[] = [
  name('attempt', 'payments', 'tracking_id'),
  name('attempt', 'payments', 'gateway_id', 'tracking_id'),
  name('confirm', 'agent_confirmations', 'transaction_id'),
  name('charge', 'subscription_charges', 'payment_id'),
  name('qr_payment', 'qr_transactions', 'transaction_unique_id'),
];

const KEY = rowCodec({ id: column.text('id') });
const OPPOSITE = rowCodec({ id: column.optional(column.text('refund_of')) });

/**
 * Finds the payment that a text names: by an id of Millime or the gateway, a transactionId, an item id, or the
 * reference of an attempt, of which the newest counts; otherwise by a unique beginning of an id. A refund names the
 * payment that it takes back.
 *
 * @throws AppError `not_found`; `ambiguous_id` if it names several payments.
 */
export async function findPayment(session: Session, text: string): Promise<NamedPayment> {
  const wanted = (await refundedItem(session, text)) ?? text;
  const exact = await namedBy(session, wanted);
  const attempt = exact.some(({ source }) => source === 'attempt') ? [] : await byReference(session, wanted);
  const found = [...exact, ...attempt];
  const only = onlyOne(text, found.length > 0 ? found : await begunBy(session, wanted));
  if (only === undefined) {
    requireBeginning('payment', text);
    throw new AppError('not_found', { thing: 'payment', id: text });
  }
  return only;
}

async function refundedItem(session: Session, text: string): Promise<string | undefined> {
  if (!text.startsWith('refund:')) return undefined;
  const refund = session('gateway_items as i').select('i.refund_of').where('i.item_id', text);
  return (await OPPOSITE.first(refund))?.id;
}

async function namedBy(session: Session, text: string): Promise<NamedPayment[]> {
  const found: NamedPayment[] = [];
  for (const each of NAMES) {
    for (const word of wordsFor(each, text)) {
      const rows = session(`${each.table} as t`).select(`t.${each.key} as id`).where(`t.${each.column}`, word);
      for (const { id } of await KEY.all(rows)) found.push({ source: each.source, id });
    }
  }
  return found;
}

async function begunBy(session: Session, text: string): Promise<NamedPayment[]> {
  const found: NamedPayment[] = [];
  for (const each of NAMES) {
    for (const word of wordsFor(each, text)) {
      if (word.length < BEGINNING_CHARACTERS_MIN) continue;
      for (const id of await idsBeginning(session, each, word, each.key)) found.push({ source: each.source, id });
    }
  }
  return found;
}

/** Returns the text as this name may have it: with or without the prefix of an item id. */
function wordsFor({ prefix, isUlid }: Name, text: string): string[] {
  const typed = isUlid ? text.toUpperCase() : text;
  return text.startsWith(prefix) ? [typed, text.slice(prefix.length)] : [typed];
}

async function byReference(session: Session, reference: string): Promise<NamedPayment[]> {
  const newest = session('payments as t')
    .select('t.tracking_id as id')
    .where('t.reference', reference)
    .orderBy('t.tracking_id', 'desc')
    .limit(1);
  return (await KEY.all(newest)).map(({ id }) => ({ source: 'attempt', id }));
}

function onlyOne(text: string, found: readonly NamedPayment[]): NamedPayment | undefined {
  const byName = new Map(found.map((each) => [typedName(each), each]));
  const only = onlyId('payment', text, [...byName.keys()]);
  return only === undefined ? undefined : byName.get(only);
}

/** Returns a name by which a user can choose exactly this payment. */
function typedName({ source, id }: NamedPayment): string {
  if (source === 'attempt') return id;
  return source === 'confirm' ? `service:${id}` : `payment:${id}`;
}
