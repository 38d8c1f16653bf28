import { z } from 'zod';
import { type AuditRecord, type FreshKey, type ListedKey, SCOPES } from '../identity';
import { idValue, instantJson, instantValue } from './values';

/** Another version of Millime may have more scopes, so an answer may name one that this list lacks. */
const scopesValue = z.array(z.enum(SCOPES)).meta({ description: 'What the key may do.' });

const keyFields = {
  id: idValue,
  name: z.string().meta({ description: 'The person or the program that uses the key.', example: 'salma' }),
  scopes: scopesValue,
};

/** An API key without its secret. */
export const listedKey = z
  .strictObject({
    ...keyFields,
    state: z.enum(['active', 'expired', 'revoked']),
    createdAt: instantValue,
    createdBy: z.string(),
    expiresAt: instantValue.nullable().meta({ description: 'Null: valid until it is revoked.' }),
    revokedAt: instantValue.nullable(),
  })
  .meta({ id: 'ApiKey' });

/** Returns a key of a list as JSON. */
export function keyJson(key: ListedKey): z.input<typeof listedKey> {
  return {
    id: key.id,
    name: key.name,
    scopes: [...key.scopes],
    state: key.state,
    createdAt: instantJson(key.createdAt),
    createdBy: key.recordedBy,
    expiresAt: instantJson(key.expiresAt),
    revokedAt: instantJson(key.revokedAt),
  };
}

/** A new key with its secret. */
export const freshKey = z
  .strictObject({
    key: z.string().nullable().meta({ description: 'The only copy of the key; null in a dry run.' }),
    ...keyFields,
    id: idValue.nullable(),
    expiresAt: instantValue.nullable(),
  })
  .meta({ id: 'NewApiKey' });

/** Returns a new key as JSON. A dry run creates none, so it has no id. */
export function freshKeyJson({ key, text }: FreshKey): z.input<typeof freshKey> {
  return {
    key: text ?? null,
    id: text === undefined ? null : key.id,
    name: key.name,
    scopes: [...key.scopes],
    expiresAt: instantJson(key.expiresAt),
  };
}

const auditFields = {
  id: idValue,
  at: instantValue,
  actor: z.strictObject({
    kind: z.enum(['api_key', 'user', 'operator', 'job']),
    name: z.string(),
    keyId: idValue.nullable().meta({ description: 'The id of the key, or of the user.' }),
  }),
  action: z.string().meta({ description: 'A noun and a past participle.', example: 'agent.closed' }),
  subject: z.string().meta({ description: 'A kind and an id.', example: 'agent:004711' }),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
};

/** An audit record as the command line prints it. */
type AuditRecordJson = z.input<z.ZodObject<typeof auditFields>>;

/** One action: the actor, the action and its subject. */
export const auditRecord = z
  .strictObject({
    ...auditFields,
    requestId: z.string().nullable().meta({ description: 'The request of the HTTP API in which it happened.' }),
  })
  .meta({ id: 'AuditRecord' });

/** Returns an audit record as JSON, without its request. */
export function auditRecordJson(record: AuditRecord): AuditRecordJson {
  const { id, at, actorKind, actorName, keyId, action, subject, detail } = record;
  const actor = { kind: actorKind, name: actorName, keyId: keyId ?? null };
  return { id, at: instantJson(at), actor, action, subject, detail };
}

/** Returns an audit record as JSON, with its request. */
export function auditRecordWithRequestJson(record: AuditRecord): z.input<typeof auditRecord> {
  return { ...auditRecordJson(record), requestId: record.requestId ?? null };
}
