import type { Session } from '../../db';
import type { Instant } from '../../kernel';
import { OPERATOR } from '../actor';
import { type Scope, SCOPES } from '../scope';
import { openActorNames } from '../users/actor-name-store';
import { scopesOfRoles } from '../users/role';
import { stateOf } from './api-key';
import { openApiKeys } from './api-key-store';

/** A person who is not asking now: their name, and the key that they used, if any. */
export interface AbsentPerson {
  readonly name: string;
  readonly keyId: string | undefined;
}

const NONE: ReadonlySet<Scope> = new Set();

/**
 * Returns what a person may do now, for what Millime does for them while they are away. A disabled user and a key that
 * is not active have no scopes. The operator has all.
 */
export async function presentScopes(
  session: Session,
  { name, keyId }: AbsentPerson,
  now: Instant,
): Promise<ReadonlySet<Scope>> {
  const user = await openActorNames(session).userOf(name);
  if (user?.isDisabled === true) return NONE;
  const ofUser = user === undefined ? undefined : scopesOfRoles(user.roles);
  if (keyId === undefined) return ofUser ?? (name === OPERATOR.name ? new Set(SCOPES) : NONE);
  const stored = await openApiKeys(session).find(keyId);
  if (stored === undefined || stateOf(stored.key, now) !== 'active') return NONE;
  return ofUser === undefined ? stored.key.scopes : new Set([...stored.key.scopes].filter((each) => ofUser.has(each)));
}
