import { AppError } from '../kernel';
import type { Scope } from './scope';

/** The person, script or job that acts. Every use case that one of them starts requires an actor. */
export type Actor =
  /** The owner of an API key. Two keys with the same name belong to one owner. */
  | {
      readonly kind: 'api_key';
      readonly name: string;
      readonly keyId: string;
      readonly scopes: ReadonlySet<Scope>;
      /** The request of the HTTP API in which the actor acts. Its audit records name it. */
      readonly requestId?: string;
    }
  /** A person who signed in. A user and the keys of their name are one person. */
  | {
      readonly kind: 'user';
      readonly name: string;
      readonly userId: string;
      readonly scopes: ReadonlySet<Scope>;
      readonly requestId?: string;
    }
  /** A person with a shell on this machine and no key: they can read Millime's passwords in any case. */
  | { readonly kind: 'operator'; readonly name: 'cli' }
  | { readonly kind: 'job'; readonly name: `job:${string}` };

/** An actor with a name of its own and with scopes: a user, or the owner of a key. */
export type Person = Extract<Actor, { readonly kind: 'api_key' | 'user' }>;

/** Returns whether the actor is a user or the owner of a key. */
export function isPerson(actor: Actor): actor is Person {
  return actor.kind === 'api_key' || actor.kind === 'user';
}

/** Returns the id of a user, or of the key of another person. */
export function personId(person: Person): string {
  return person.kind === 'user' ? person.userId : person.keyId;
}

/** A decision of an actor, with the reason for the record. */
export interface ReasonedDecision {
  readonly reason: string;
  readonly actor: Actor;
  /** Does everything except store it. */
  readonly dryRun: boolean;
}

export const OPERATOR: Actor = { kind: 'operator', name: 'cli' };

export function jobActor(job: string): Actor {
  return { kind: 'job', name: `job:${job}` };
}

/**
 * Checks that the actor may use the scope. The operator and the jobs have every scope.
 *
 * @throws AppError `forbidden` when another actor does not have the scope.
 */
export function requireScope(actor: Actor, scope: Scope): void {
  if (actor.kind === 'operator' || actor.kind === 'job') return;
  if (!actor.scopes.has(scope)) throw new AppError('missing_scope', { name: actor.name, scope });
}
