import { describe, expect, test } from '@jest/globals';
import { SCOPES } from '../../../src/identity';
import {
  needsSecondFactor,
  parseRoles,
  type Role,
  ROLES,
  scopesOfRoles,
  storedRoles,
} from '../../../src/identity/users/role';

const of = (...roles: Role[]): string[] => [...scopesOfRoles(roles)];

describe('the scopes of roles', () => {
  test('let field find one agent and read nothing else', () => expect(of('field')).toEqual(['agents:lookup']));

  test('let a reader read everything except the audit trail, and change nothing', () => {
    const readable = SCOPES.filter((scope) => scope.endsWith(':read') && scope !== 'audit:read');
    expect(of('reader').sort()).toEqual(['agents:lookup', ...readable].sort());
  });

  test('never let finance approve, and never let one role alone write off', () => {
    expect(of('finance')).toContain('breaks:work');
    for (const scope of ['breaks:decide', 'payments:refund', 'statements:accept', 'days:reopen']) {
      expect(of('finance')).not.toContain(scope);
      expect(of('approver')).toContain(scope);
    }
  });

  test('let an administrator decide about users and keys, and see no agent and no money', () => {
    expect(of('admin').sort()).toEqual(['audit:read', 'jobs:read', 'keys:manage', 'users:manage']);
    for (const role of ROLES.filter((each) => each !== 'admin')) expect(of(role)).not.toContain('users:manage');
  });

  test('are those of all roles together, in the order of the list', () => {
    const both = of('operator', 'field');
    expect(new Set(both)).toEqual(new Set([...of('operator'), ...of('field')]));
    expect(both).toEqual(SCOPES.filter((scope) => both.includes(scope)));
  });

  test('are none for a role that this version does not know', () => {
    expect(storedRoles('approver treasurer')).toEqual(['approver']);
    expect(storedRoles('treasurer')).toEqual([]);
    expect(of()).toEqual([]);
  });
});

describe('the roles of a user', () => {
  test('are the named ones, once each', () => {
    expect(parseRoles(['reader', 'field', 'reader'])).toEqual(['field', 'reader']);
    expect(parseRoles(['admin', 'operator', 'reader'])).toEqual(['reader', 'operator', 'admin']);
  });

  test.each([[[]], [['']], [['Admin']], [['constructor']], [['admin', 'finance']], [['approver', 'admin']]])(
    'cannot be %j',
    (names) => {
      expect(() => parseRoles(names)).toThrow(expect.objectContaining({ code: 'bad_input' }));
    },
  );

  test('need a second factor if one of them approves or administers', () => {
    expect(ROLES.filter((role) => needsSecondFactor([role]))).toEqual(['approver', 'admin']);
    expect(needsSecondFactor(['reader', 'approver'])).toBe(true);
  });
});
