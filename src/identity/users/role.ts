import { AppError } from '../../kernel';
import { type Scope, SCOPES } from '../scope';

export const ROLES = ['field', 'reader', 'finance', 'approver', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** The lists of who did what are for administrators. */
const READING = SCOPES.filter((scope) => scope.endsWith(':read') && scope !== 'audit:read');

const READER: readonly Scope[] = ['agents:lookup', ...READING];

/** The scopes of each role. They are not stored: a change of this table reaches every user with the next version. */
const SCOPES_OF: Readonly<Record<Role, readonly Scope[]>> = {
  field: ['agents:lookup'],
  reader: READER,
  finance: [
    ...READER,
    ...(['agents:write', 'dues:write', 'payments:write', 'statements:write', 'reconciliation:run'] as const),
    ...(['reconciliation:decide', 'breaks:work', 'days:close'] as const),
  ],
  approver: [
    ...READER,
    ...(['breaks:work', 'breaks:decide', 'statements:accept', 'days:reopen', 'payments:refund'] as const),
  ],
  operator: ['jobs:read', 'webhooks:read', 'webhooks:replay', 'reports:read', 'tokens:manage'],
  admin: ['users:manage', 'keys:manage', 'audit:read', 'jobs:read'],
};

/** An administrator can create users, so they must not be one of the two people who decide. */
const NOT_OF_ADMIN: readonly Scope[] = ['breaks:work', 'breaks:decide'];

const WITH_SECOND_FACTOR: readonly Role[] = ['approver', 'admin'];

/** Returns the scopes of all roles together, in the order of their list. */
export function scopesOfRoles(roles: readonly Role[]): ReadonlySet<Scope> {
  return new Set(SCOPES.filter((scope) => roles.some((role) => SCOPES_OF[role].includes(scope))));
}

/** Returns whether a user with these roles needs a second factor. */
export function needsSecondFactor(roles: readonly Role[]): boolean {
  return roles.some((role) => WITH_SECOND_FACTOR.includes(role));
}

/**
 * Reads the names of roles.
 *
 * @throws AppError `bad_input` that lists the known roles, or names a role that an administrator cannot have.
 */
export function parseRoles(names: readonly string[]): readonly Role[] {
  const unknown = names.filter((name) => !ROLES.some((role) => role === name));
  if (names.length === 0 || unknown.length > 0) {
    const expected = `some of ${ROLES.join(', ')}`;
    throw new AppError('bad_input', { field: 'roles', expected, got: unknown.join(', ') });
  }
  const roles = ROLES.filter((role) => names.includes(role));
  const other = roles.find((role) => role !== 'admin' && NOT_OF_ADMIN.some((scope) => SCOPES_OF[role].includes(scope)));
  if (roles.includes('admin') && other !== undefined) {
    const fault = `admin and ${other} must be different people`;
    throw new AppError('bad_input', {
      field: 'roles',
      fault,
      fix: 'an admin can create users, and would be two people',
    });
  }
  return roles;
}

/** Returns stored roles. A role that this version does not know grants nothing. */
export function storedRoles(text: string): readonly Role[] {
  const names = text.split(' ');
  return ROLES.filter((role) => names.includes(role));
}
