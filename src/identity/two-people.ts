import { AppError } from '../kernel';
import { type Actor, isPerson, OPERATOR, type Person, requireScope } from './actor';
import type { Scope } from './scope';

interface ScopesOfTwo {
  readonly propose: Scope;
  readonly approve: Scope;
}

const ON_BREAKS = { propose: 'breaks:work', approve: 'breaks:decide' } as const;

/** Every action that takes two people, with the scope of each. An action that is missing here cannot be proposed. */
export const TWO_PEOPLE_ACTIONS = {
  write_off: ON_BREAKS,
  accept: ON_BREAKS,
  reopen: ON_BREAKS,
  force_match: ON_BREAKS,
  unmatch: ON_BREAKS,
  reopen_day: { propose: 'days:reopen', approve: 'days:reopen' },
} as const satisfies Readonly<Record<string, ScopesOfTwo>>;
export type TwoPeopleAction = keyof typeof TWO_PEOPLE_ACTIONS;

/** Returns the person who proposes an action. @throws AppError `forbidden`. */
export function requireProposer(actor: Actor, action: TwoPeopleAction): Person {
  requireScope(actor, TWO_PEOPLE_ACTIONS[action].propose);
  return requirePerson(actor);
}

/** Returns the person who approves what another person proposed. @throws AppError `forbidden`. */
export function requireApprover(actor: Actor, action: TwoPeopleAction, proposedBy: string): Person {
  requireScope(actor, TWO_PEOPLE_ACTIONS[action].approve);
  const approver = requirePerson(actor);
  if (approver.name === proposedBy) throw new AppError('same_person', { name: proposedBy });
  // Version 0.1.0 let the operator propose to reopen a day.
  if (proposedBy === OPERATOR.name) throw new AppError('person_needed', { name: proposedBy });
  return approver;
}

/**
 * Returns the actor if it is a user or the owner of a key. Only their names distinguish two people: any other actor may
 * be either of them, also where no user and no key exists.
 * @throws AppError `forbidden`.
 */
export function requirePerson(actor: Actor): Person {
  if (isPerson(actor)) return actor;
  throw new AppError('person_needed', { name: actor.name });
}
