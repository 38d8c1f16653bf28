import { column, type Decoded, rowCodec, type Session } from '../db';
import { assert, type Instant, newId } from '../kernel';
import type { Actor } from './actor';

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

export interface AuditQuery {
  readonly limit: number;
  readonly subject?: string | undefined;
}

/** The audit trail inside one transaction. A change and its record are stored together or not at all. */
export interface AuditTrail {
  record(entry: NewAuditRecord): Promise<void>;
  /** Lists records, newest first. */
  list(query: AuditQuery): Promise<AuditRecord[]>;
  /** Returns the first record of a request of the HTTP API, which is stored with the effect of the request. */
  ofRequest(requestId: string): Promise<AuditRecord | undefined>;
}

const RECORD = rowCodec({
  id: column.text('id'),
  at: column.number('at'),
  actorKind: column.word('actor_kind', ['api_key', 'operator', 'job']),
  actorName: column.text('actor_name'),
  keyId: column.optional(column.text('key_id')),
  requestId: column.optional(column.text('request_id')),
  action: column.text('action'),
  subject: column.text('subject'),
  detail: column.json('detail', (value) => value as AuditDetail),
});

export function openAuditTrail(session: Session): AuditTrail {
  return {
    async record({ actor, subject, ...entry }) {
      assert(Buffer.byteLength(subject, 'utf8') <= SUBJECT_BYTES_MAX, 'the subject of an audit record fits its column');
      const { keyId, requestId } = actor.kind === 'api_key' ? actor : {};
      const by = { actorKind: actor.kind, actorName: actor.name, keyId, requestId };
      await session('audit_records').insert(RECORD.write({ ...entry, ...by, id: newId(), subject }));
    },
    list: ({ limit, subject }) =>
      RECORD.all(
        session('audit_records as a')
          .select(RECORD.columns('a'))
          .where(subject === undefined ? {} : { 'a.subject': subject })
          .orderBy([
            { column: 'a.at', order: 'desc' },
            { column: 'a.id', order: 'desc' },
          ])
          .limit(limit),
      ),
    ofRequest: (requestId) =>
      RECORD.first(
        session('audit_records as a')
          .select(RECORD.columns('a'))
          .where('a.request_id', requestId)
          .orderBy('a.id')
          .limit(1),
      ),
  };
}
