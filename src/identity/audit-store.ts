import { afterKey, byIndex, column, type Decoded, rowCodec, type Session } from '../db';
import { assert, type Instant, newId, type Page, pageByKey } from '../kernel';
import { type Actor, isPerson, personId } from './actor';

/** The length of the column `subject` on every database. */
const SUBJECT_BYTES_MAX = 320;

/** A few values that explain a record to a person. Never a secret, never personal data of an agent. */
export type AuditDetail = Readonly<Record<string, string | number | null>>;

/** One action: the actor, the action and its subject. */
export interface NewAuditRecord {
  readonly at: Instant;
  readonly actor: Actor;
  /** A noun and a past participle, such as `agent.closed`. */
  readonly action: string;
  /** A kind and an id, such as `agent:004711`. */
  readonly subject: string;
  readonly detail: AuditDetail;
}

export type AuditRecord = Decoded<typeof RECORD>;

/** The time and the id of a record, by which the list is sorted. */
export type AuditKey = readonly [at: Instant, id: string];

export interface AuditQuery {
  readonly subject?: string | undefined;
  readonly actorName?: string | undefined;
  readonly action?: string | undefined;
  readonly keyId?: string | undefined;
  /** Records from this instant on. */
  readonly since?: Instant | undefined;
  /** Records before this instant. */
  readonly until?: Instant | undefined;
  readonly after?: AuditKey | undefined;
  readonly limit: number;
}

export interface AuditTimes {
  readonly keyId: string;
  readonly action: string;
  /** Records from this instant on. */
  readonly since: Instant;
}

/** The audit trail inside one transaction. A change and its record are stored together or not at all. */
export interface AuditTrail {
  record(entry: NewAuditRecord): Promise<void>;
  /** Returns the first record of a request of the HTTP API, which is stored with the effect of the request. */
  ofRequest(requestId: string): Promise<AuditRecord | undefined>;
  /** Returns the times of the newest records of a key and an action, newest first. */
  times(done: AuditTimes, most: number): Promise<Instant[]>;
  /** Returns a page of records, newest first. */
  list(query: AuditQuery): Promise<Page<AuditRecord, AuditKey>>;
}

const RECORD = rowCodec({
  id: column.text('id'),
  at: column.number('at'),
  actorKind: column.word('actor_kind', ['api_key', 'user', 'operator', 'job']),
  actorName: column.text('actor_name'),
  /** The id of the key, or of the user. */
  keyId: column.optional(column.text('key_id')),
  requestId: column.optional(column.text('request_id')),
  action: column.text('action'),
  subject: column.text('subject'),
  detail: column.json('detail', (value) => value as AuditDetail),
});

const TIME = rowCodec({ at: column.number('at') });

export function openAuditTrail(session: Session): AuditTrail {
  return {
    async record({ actor, subject, ...entry }) {
      assert(Buffer.byteLength(subject, 'utf8') <= SUBJECT_BYTES_MAX, 'the subject of an audit record fits its column');
      const person = isPerson(actor) ? { keyId: personId(actor), requestId: actor.requestId } : {};
      const by = { actorKind: actor.kind, actorName: actor.name, ...person };
      await session('audit_records').insert(RECORD.write({ ...entry, ...by, id: newId(), subject }));
    },
    ofRequest: (requestId) =>
      RECORD.first(
        session('audit_records as a')
          .select(RECORD.columns('a'))
          .where('a.request_id', requestId)
          .orderBy('a.id')
          .limit(1),
      ),
    async times({ keyId, action, since }, most) {
      const found = byIndex(session, 'audit_records', 'a', 'audit_records_key_at')
        .select(TIME.columns('a'))
        .where({ 'a.key_id': keyId, 'a.action': action })
        .where('a.at', '>=', since)
        .orderBy('a.at', 'desc')
        .limit(most);
      return (await TIME.all(found)).map(({ at }) => at);
    },
    list: (query) =>
      pageByKey<AuditRecord, AuditKey>({
        read: (after, count) => recordsAfter(session, query, after, count),
        keyOf: ({ at, id }) => [at, id],
        keep: (record) => isWanted(record, query),
        ...{ after: query.after, limit: query.limit },
      }),
  };
}

/** An index serves one of these conditions, beside the time. `isWanted` checks the others. */
const INDEXED = ['subject', 'action', 'keyId'] as const;

function recordsAfter(
  session: Session,
  query: AuditQuery,
  after: AuditKey | undefined,
  count: number,
): Promise<AuditRecord[]> {
  const { since, until } = query;
  const found = session('audit_records as a').select(RECORD.columns('a'));
  const indexed = INDEXED.find((field) => query[field] !== undefined);
  const value = indexed === undefined ? undefined : query[indexed];
  const equal = indexed === undefined || value === undefined ? {} : { [RECORD.column(indexed, 'a')]: value };
  if (since !== undefined) void found.where('a.at', '>=', since);
  if (until !== undefined) void found.where('a.at', '<', until);
  return RECORD.all(afterKey(session, found, { equal, columns: ['a.at', 'a.id'], order: 'desc', after }, count));
}

function isWanted(record: AuditRecord, query: AuditQuery): boolean {
  return ([...INDEXED, 'actorName'] as const).every(
    (field) => query[field] === undefined || query[field] === record[field],
  );
}
