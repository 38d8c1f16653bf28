import { rowsOf, type Row, type Session } from '../db';
import { assert, newId, type Instant } from '../kernel';
import type { Actor } from './actor';

/** What the column `subject` holds on every database. */
const SUBJECT_BYTES_MAX = 320;

/** A few values that explain a record to a person. Never a secret, never who an agent is. */
export type AuditDetail = Readonly<Record<string, string | number | null>>;

/** Who did what to what. */
export interface NewAuditRecord {
  readonly at: Instant;
  readonly actor: Actor;
  /** A noun and what happened to it, such as `agent.closed`. */
  readonly action: string;
  /** A kind and an id, such as `agent:004711`. */
  readonly subject: string;
  readonly detail: AuditDetail;
}

export interface AuditRecord {
  readonly id: string;
  readonly at: Instant;
  readonly actorKind: Actor['kind'];
  readonly actorName: string;
  readonly keyId: string | undefined;
  readonly action: string;
  readonly subject: string;
  readonly detail: AuditDetail;
}

export interface AuditQuery {
  readonly limit: number;
  readonly subject?: string | undefined;
}

/** The audit trail inside one transaction. A change and its record are stored together, or neither is. */
export interface AuditTrail {
  record(entry: NewAuditRecord): Promise<void>;
  /** The newest first. */
  list(query: AuditQuery): Promise<AuditRecord[]>;
}

export function openAuditTrail(session: Session): AuditTrail {
  return {
    async record({ at, actor, action, subject, detail }) {
      assert(Buffer.byteLength(subject, 'utf8') <= SUBJECT_BYTES_MAX, 'the subject of an audit record is too long');
      await session('audit_records').insert({
        id: newId(),
        at,
        actor_kind: actor.kind,
        actor_name: actor.name,
        key_id: actor.kind === 'api_key' ? actor.keyId : null,
        action,
        subject,
        detail: JSON.stringify(detail),
      });
    },
    async list({ limit, subject }) {
      const rows = await rowsOf(
        session('audit_records as a')
          .select('a.id', 'a.at', 'a.actor_kind', 'a.actor_name', 'a.key_id', 'a.action', 'a.subject', 'a.detail')
          .where(subject === undefined ? {} : { 'a.subject': subject })
          .orderBy([
            { column: 'a.at', order: 'desc' },
            { column: 'a.id', order: 'desc' },
          ])
          .limit(limit),
      );
      return rows.map(toAuditRecord);
    },
  };
}

function toAuditRecord(row: Row): AuditRecord {
  return {
    id: row['id'] as string,
    at: Number(row['at']),
    actorKind: row['actor_kind'] as Actor['kind'],
    actorName: row['actor_name'] as string,
    keyId: row['key_id'] === null ? undefined : (row['key_id'] as string),
    action: row['action'] as string,
    subject: row['subject'] as string,
    detail: JSON.parse(row['detail'] as string) as AuditDetail,
  };
}
