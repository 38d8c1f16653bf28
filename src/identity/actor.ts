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
  /** A person with a shell on this machine and no key: they can read Millime's passwords in any case. */
  | { readonly kind: 'operator'; readonly name: 'cli' }
  | { readonly kind: 'job'; readonly name: `job:${string}` };

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
 * Checks that the actor may use the scope.
 *
 * @throws AppError `forbidden` when the actor's key does not have the scope.
 */
export function requireScope(actor: Actor, scope: Scope): void {
  if (actor.kind === 'api_key' && !actor.scopes.has(scope)) {
    throw new AppError('missing_scope', { name: actor.name, scope });
  }
}
