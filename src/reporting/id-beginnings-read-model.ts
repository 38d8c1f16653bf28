import { column, rowCodec, type Session } from '../db';
import { BEGINNING_CHARACTERS_MIN, CANDIDATES_SHOWN_MAX, onlyId, requireBeginning } from '../kernel';
import { isPayoutLine } from './payout-marks';

/** A column of ids. */
export interface IdPlace {
  readonly table: string;
  readonly column: string;
  /** Whether the ids are Millime's: 26 characters in upper case, which people may type in lower case. */
  readonly isUlid: boolean;
  /** A name of people, of which a beginning is not enough. */
  readonly isWholeOnly?: boolean;
  /** Only rows `t` that meet a condition. */
  readonly condition?: string;
}

const ULID_BEGINNING = /^[0-9A-HJKMNP-TV-Z]{4,26}$/i;
/** The greatest character of Unicode. Both databases compare ids by their bytes. */
const LAST_CHARACTER = '\u{10FFFF}';

const ours = (table: string, name = 'id'): IdPlace => ({ table, column: name, isUlid: true });
const outside = (table: string, name: string): IdPlace => ({ table, column: name, isUlid: false });
const whole = (table: string, name: string): IdPlace => ({ ...outside(table, name), isWholeOnly: true });

/** The ids that commands ask for, by what they name. */
const PLACES = {
  break: [ours('recon_breaks')],
  proposal: [ours('break_proposals')],
  run: [ours('recon_runs')],
  statement: [ours('bank_statements')],
  credit: [{ ...ours('bank_statement_lines'), condition: isPayoutLine('t') }],
  payment: [ours('payments', 'tracking_id'), outside('payments', 'gateway_id'), whole('payments', 'reference')],
  subscription: [
    ours('subscriptions', 'tracking_id'),
    outside('subscriptions', 'subscription_id'),
    whole('subscriptions', 'reference'),
  ],
  webhook: [ours('webhook_inbox')],
  'API key': [ours('api_keys')],
  token: [ours('service_tokens', 'jti'), outside('service_tokens', 'jti')],
} as const satisfies Readonly<Record<string, readonly IdPlace[]>>;

export type IdKind = keyof typeof PLACES;

/** Where a text may name something else, for which the use case then states why it is not of the kind. */
const OTHERS: Readonly<Partial<Record<IdKind, readonly IdPlace[]>>> = { credit: [ours('bank_statement_lines')] };

const FOUND = rowCodec({ id: column.text('id') });

/**
 * Returns the id of which a text is a unique beginning of at least 4 characters. An exact id always wins. A text that
 * names nothing is returned as it is, so that the use case reports it.
 *
 * @throws AppError `ambiguous_id` that lists up to five ids, `not_found` for a text of fewer characters.
 */
export async function fullId(session: Session, kinds: readonly IdKind[], text: string): Promise<string> {
  const places = kinds.flatMap((kind): readonly IdPlace[] => PLACES[kind]);
  const others = kinds.flatMap((kind) => OTHERS[kind] ?? []);
  const thing = kinds.join(' or ');
  const id = (await idIn(session, { thing, places }, text)) ?? (await idIn(session, { thing, places: others }, text));
  if (id === undefined) requireBeginning(thing, text);
  return id ?? text;
}

/** Returns the id in some columns that a text names; undefined if none does. @throws AppError `ambiguous_id`. */
export async function idIn(
  session: Session,
  { thing, places }: { readonly thing: string; readonly places: readonly IdPlace[] },
  text: string,
): Promise<string | undefined> {
  for (const place of places) {
    const typed = typedAs(place, text);
    const [exact] = await FOUND.all(idsOf(session, place).where(`t.${place.column}`, typed).limit(1));
    if (exact !== undefined) return exact.id;
  }
  if (text.length < BEGINNING_CHARACTERS_MIN) return undefined;
  const found: string[] = [];
  for (const place of places) found.push(...(await idsBeginning(session, place, text)));
  return onlyId(thing, text, found);
}

/** Returns the ids of a column that begin with a text, or the values of another column of their rows; at most six. */
export async function idsBeginning(
  session: Session,
  place: IdPlace,
  text: string,
  key = place.column,
): Promise<string[]> {
  if (place.isWholeOnly === true || (place.isUlid && !ULID_BEGINNING.test(text))) return [];
  const typed = typedAs(place, text);
  const found = await FOUND.all(
    idsOf(session, place, key)
      .where(`t.${place.column}`, '>=', typed)
      .where(`t.${place.column}`, '<', `${typed}${LAST_CHARACTER}`)
      .orderBy(`t.${place.column}`)
      .limit(CANDIDATES_SHOWN_MAX + 1),
  );
  return found.map(({ id }) => id);
}

function idsOf(session: Session, { table, column: name, condition }: IdPlace, key = name): ReturnType<Session> {
  const query = session(`${table} as t`).select(`t.${key} as id`);
  return condition === undefined ? query : query.whereRaw(condition);
}

function typedAs({ isUlid }: IdPlace, text: string): string {
  return isUlid && ULID_BEGINNING.test(text) ? text.toUpperCase() : text;
}
