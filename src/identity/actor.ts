import { AppError } from '../kernel';
import type { Scope } from './scope';

/** Who acts. Every use case that a person, a script or a job starts takes one. */
export type Actor =
  /** The owner of an API key. Two keys of one name are one person. */
  | {
      readonly kind: 'api_key';
      readonly name: string;
      readonly keyId: string;
      readonly scopes: ReadonlySet<Scope>;
    }
  /** Whoever has a shell on this machine and uses the command line without a key: he holds our passwords anyway. */
  | { readonly kind: 'operator'; readonly name: 'cli' }
  | { readonly kind: 'job'; readonly name: `job:${string}` };

export const OPERATOR: Actor = { kind: 'operator', name: 'cli' };

export function jobActor(job: string): Actor {
  return { kind: 'job', name: `job:${job}` };
}

/** @throws AppError `forbidden` when the actor's key does not have the scope. */
export function requireScope(actor: Actor, scope: Scope): void {
  if (actor.kind === 'api_key' && !actor.scopes.has(scope)) {
    throw new AppError('forbidden', `the API key of ${actor.name} does not have the scope ${scope}`);
  }
}
