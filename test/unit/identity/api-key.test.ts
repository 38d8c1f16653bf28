import { describe, expect, test } from '@jest/globals';
import { SCOPES } from '../../../src/identity';
import { checkActorName } from '../../../src/identity/actor-name';
import { type ApiKey, parseScopes, stateOf } from '../../../src/identity/keys/api-key';

describe('the name of a key or a user', () => {
  test.each(['salma', 's', '7', 'salma.ben-ali', 'erp_export', 'a'.repeat(63), 'cli2', 'job.nightly'])(
    'may be %j',
    (name) => expect(() => checkActorName(name)).not.toThrow(),
  );

  test.each([
    '',
    'Salma',
    'salma ',
    '-salma',
    '.salma',
    '_salma',
    'a'.repeat(64),
    'job:nightly',
    'sal/ma',
    'é',
    'cli',
    'gateway',
    'job',
    'system',
    'salma\n',
  ])('cannot be %j', (name) =>
    expect(() => checkActorName(name)).toThrow(expect.objectContaining({ code: 'bad_input' })),
  );
});

describe('the scopes of a key', () => {
  test('are the named ones, once each', () => {
    expect([...parseScopes(['keys:manage', 'agents:write', 'keys:manage'])]).toEqual(['agents:write', 'keys:manage']);
    expect([...parseScopes(SCOPES)]).toEqual([...SCOPES]);
  });

  test.each([[[]], [['']], [['agents:everything']], [['agents:write', 'AGENTS:WRITE']], [['*']], [['constructor']]])(
    'cannot be %j, and the known ones are named',
    (names) => {
      expect(() => parseScopes(names)).toThrow(SCOPES.join(', '));
    },
  );
});

test('a key is valid until its expiry, and a revoked one never', () => {
  const key: ApiKey = {
    id: '0'.repeat(26),
    name: 'salma',
    scopes: new Set(),
    createdAt: 0,
    expiresAt: 1_000,
    recordedBy: 'cli',
    revokedAt: undefined,
  };
  expect(stateOf(key, 999)).toBe('active');
  expect(stateOf(key, 1_000)).toBe('expired');
  expect(stateOf({ ...key, expiresAt: undefined }, Number.MAX_SAFE_INTEGER)).toBe('active');
  expect(stateOf({ ...key, revokedAt: 5_000 }, 1)).toBe('revoked');
});
