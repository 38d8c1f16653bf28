import { beforeEach, expect, test } from '@jest/globals';
import { type Actor, type Identity, OPERATOR, type Role, SCOPES } from '../../../src/identity';
import { describeOnEachDatabase } from '../../support/db';
import { fixedClock } from '../../support/fakes';
import { contents } from '../ledger/row-counts';
import { ADDRESS, enroll, invite, openIdentity, PASSWORD, register, signIn } from './users-support';

// Goal: users are managed by an actor with the scope, about others only; and a name is one person, as a user and as the
// owner of keys. Method: the module on both databases, with a clock that stands still and cheap passwords.

const START = '2026-03-02T09:00:00+01:00';
const HOUR = 3_600_000;

describeOnEachDatabase('the users', (harness) => {
  const clock = fixedClock(START);
  let identity: Identity;

  beforeEach(() => {
    clock.set(START);
    identity = openIdentity(harness, clock);
  });

  const person = (name: string, scopes: readonly (typeof SCOPES)[number][]): Actor => ({
    ...{ kind: 'user', name, userId: '0'.repeat(26), scopes: new Set(scopes) },
  });
  const admin = person('root', ['users:manage', 'keys:manage']);

  const create = (name: string, more: { roles?: readonly string[]; fullName?: string; actor?: Actor } = {}) =>
    identity.users.create({ name, fullName: 'Salma Ben Ali', roles: ['field'], actor: admin, dryRun: false, ...more });

  const about = (name: string, actor: Actor = admin, dryRun = false) => ({ name, actor, reason: 'a test', dryRun });

  const key = (name: string, scopes: readonly string[], actor: Actor = OPERATOR) =>
    identity.createKey({ name, scopes, actor, dryRun: false });

  test('are created with a code that sets the password once, within a day', async () => {
    const { user, code = '' } = await create('salma', { roles: ['field', 'reader', 'field'] });
    expect(user).toMatchObject({ name: 'salma', roles: ['field', 'reader'], state: 'invited', recordedBy: 'root' });
    const set = (typed: string, password = PASSWORD) =>
      identity.sessions.setFirstPassword({ name: 'salma', code: typed, password, address: ADDRESS });
    expect(await set('0000-0000')).toEqual({ outcome: 'refused' });
    await expect(set(code, 'short')).rejects.toMatchObject({ code: 'bad_input', problem: { field: 'password' } });
    await expect(set(code, 'SalmaBenAli1')).rejects.toMatchObject({ code: 'bad_input' });
    const both = await Promise.all([set(` ${code.toLowerCase()} `), set(code.replaceAll('-', ''))]);
    expect(both.map(({ outcome }) => outcome).sort()).toEqual(['refused', 'set']);
    expect(await identity.users.find('salma')).toMatchObject({ state: 'active' });
    const late = await identity.users.resetPassword(about('salma'));
    clock.advance(24 * HOUR);
    expect(await set(late.code ?? '')).toEqual({ outcome: 'refused' });
  });

  test.each<[string, object]>([
    ['a reserved name', { name: 'cli' }],
    ['a name of other characters', { name: 'Salma' }],
    ['no full name', { fullName: ' ' }],
    ['a full name with a line end', { fullName: 'Salma\nBen Ali' }],
    ['no role', { roles: [] }],
    ['an unknown role', { roles: ['field', 'root'] }],
    ['the roles of an administrator and of finance', { roles: ['admin', 'finance'] }],
    ['the roles of an administrator and of an approver', { roles: ['approver', 'admin'] }],
  ])('cannot have %s', async (_what, given) => {
    const before = await contents(harness.database);
    const command = { name: 'salma', fullName: 'Salma', roles: ['field'], actor: admin, dryRun: false, ...given };
    await expect(identity.users.create(command)).rejects.toMatchObject({ code: 'bad_input' });
    expect(await contents(harness.database)).toEqual(before);
  });

  test('are changed only with the scope, and never by themselves', async () => {
    await create('salma');
    const before = await contents(harness.database);
    const { users } = identity;
    const decisions = [
      (actor: Actor) => users.setRoles({ ...about('salma', actor), roles: ['reader'] }),
      (actor: Actor) => users.disable(about('salma', actor)),
      (actor: Actor) => users.enable(about('salma', actor)),
      (actor: Actor) => users.resetPassword(about('salma', actor)),
      (actor: Actor) => users.resetSecondFactor(about('salma', actor)),
    ];
    const others = SCOPES.filter((scope) => scope !== 'users:manage');
    for (const decide of decisions) {
      await expect(decide(person('omar', others))).rejects.toMatchObject({ problem: { code: 'missing_scope' } });
      await expect(decide(person('salma', SCOPES))).rejects.toMatchObject({ problem: { code: 'own_user' } });
    }
    await expect(create('omar', { actor: person('salma', others) })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(users.disable({ ...about('salma'), reason: ' ' })).rejects.toMatchObject({ code: 'bad_input' });
    await expect(users.disable(about('nadia'))).rejects.toMatchObject({ code: 'not_found' });
    for (const decide of decisions) await decide({ ...admin });
    expect(await contents(harness.database)).not.toEqual(before);
  });

  test('stay as they are in a dry run', async () => {
    await enroll(identity, clock, 'salma', ['approver']);
    const before = await contents(harness.database);
    const { users, sessions } = identity;
    const dry = about('salma', admin, true);
    expect(await users.setRoles({ ...dry, roles: ['reader'] })).toBe('changed');
    expect(await users.disable(dry)).toBe('disabled');
    expect(await users.resetPassword(dry)).toMatchObject({ code: undefined });
    expect(await users.resetSecondFactor(dry)).toBe('reset');
    expect(await sessions.endAll(dry)).toBe(1);
    const command = { name: 'omar', fullName: 'Omar', roles: ['field'], actor: admin, dryRun: true };
    expect(await users.create(command)).toMatchObject({ code: undefined, user: { name: 'omar' } });
    expect(await contents(harness.database)).toEqual(before);
  });

  test('lose every session with each decision, and their rights immediately', async () => {
    await register(identity, 'salma', ['finance']);
    const { users, sessions } = identity;
    const decisions: (() => Promise<unknown>)[] = [
      () => users.setRoles({ ...about('salma'), roles: ['reader'] }),
      () => users.disable(about('salma')),
      () => sessions.endAll(about('salma')),
    ];
    for (const decide of decisions) {
      const tokens = [(await signIn(identity, 'salma')).token, (await signIn(identity, 'salma')).token];
      await decide();
      for (const token of tokens) expect(await sessions.find(token)).toBeUndefined();
      await users.enable(about('salma'));
    }
    const { session } = await signIn(identity, 'salma');
    expect(session.actor.scopes.has('breaks:work')).toBe(false);
    expect(session.actor.scopes.has('breaks:read')).toBe(true);
    expect(await users.resetPassword(about('salma'))).toHaveProperty('code');
    const old = { name: 'salma', password: PASSWORD, address: ADDRESS };
    expect(await sessions.signIn(old)).toEqual({ outcome: 'refused' });
    const { rows } = await identity.auditRecords({ limit: 100, subject: 'user:salma' });
    const decided = rows.filter(({ actorName }) => actorName === 'root').map(({ action }) => action);
    expect(decided).toEqual(
      ['password_reset', 'sessions_ended', 'enabled', 'disabled', 'roles_changed'].map((step) => `user.${step}`),
    );
  });

  test('enroll again after their second factor was reset', async () => {
    await enroll(identity, clock, 'salma', ['approver']);
    expect(await identity.users.resetSecondFactor(about('salma'))).toBe('reset');
    const answer = await identity.sessions.signIn({ name: 'salma', password: PASSWORD, address: ADDRESS });
    expect(answer).toMatchObject({ outcome: 'must_enroll', session: { actor: { scopes: new Set() } } });
  });

  test('are listed by name in pages', async () => {
    for (const name of ['salma', 'amal', 'omar']) await create(name);
    const first = await identity.users.list({ limit: 2 });
    expect(first.rows.map(({ name }) => name)).toEqual(['amal', 'omar']);
    expect(first.next).toEqual(['omar']);
    const second = await identity.users.list({ limit: 2, after: first.next });
    expect(second).toMatchObject({ rows: [{ name: 'salma' }], next: undefined });
    await identity.users.setLanguage('salma', 'ar');
    expect(await identity.users.find('salma')).toMatchObject({ language: 'ar' });
    await expect(create('salma')).rejects.toMatchObject({ problem: { code: 'user_exists' } });
  });

  test('create keys in their own name alone, with scopes that they hold', async () => {
    await register(identity, 'salma', ['finance']);
    const { actor } = (await signIn(identity, 'salma')).session;
    const own = await key('salma', ['breaks:work'], actor);
    expect(await identity.authenticate(own.text ?? '')).toMatchObject({ name: 'salma', keyId: own.key.id });
    const refusals: [string, Promise<unknown>][] = [
      ['scopes_exceeded', key('salma', ['breaks:decide'], actor)],
      ['missing_scope', key('erp', ['breaks:work'], actor)],
      ['name_of_user', key('salma', ['agents:read'], OPERATOR)],
      ['name_of_user', key('salma', ['keys:manage'], admin)],
      ['name_of_user', identity.recoverKey({ name: 'salma', reason: 'lost', dryRun: false })],
    ];
    for (const [code, refused] of refusals) await expect(refused).rejects.toMatchObject({ problem: { code } });
    expect((await identity.listKeys({ name: 'salma', limit: 10 })).rows).toHaveLength(1);
    const omar = await key('erp', ['agents:read'], OPERATOR);
    const revoke = (keyId: string) => identity.revokeKey({ keyId, actor, reason: 'old', dryRun: false });
    await expect(revoke(omar.key.id)).rejects.toMatchObject({ problem: { code: 'missing_scope' } });
    expect(await revoke(own.key.id)).toBe('revoked');
  });

  test('lose the scopes of their keys with their roles, and all keys while disabled', async () => {
    await register(identity, 'salma', ['finance']);
    const { actor } = (await signIn(identity, 'salma')).session;
    const { text = '' } = await key('salma', ['breaks:work', 'breaks:read'], actor);
    await identity.users.setRoles({ ...about('salma'), roles: ['reader'] });
    expect(await identity.authenticate(text)).toMatchObject({ scopes: new Set(['breaks:read']) });
    await identity.users.disable(about('salma'));
    expect(await identity.authenticate(text)).toBeUndefined();
    await identity.users.enable(about('salma'));
    expect(await identity.authenticate(text)).toMatchObject({ scopes: new Set(['breaks:read']) });
  });

  test('get the name of a key from the operator alone, who states why', async () => {
    await key('salma', ['breaks:work']);
    const before = await contents(harness.database);
    await expect(create('salma')).rejects.toMatchObject({ problem: { code: 'name_of_key' } });
    await expect(create('salma', { actor: OPERATOR })).rejects.toMatchObject({ problem: { field: 'reason' } });
    expect(await contents(harness.database)).toEqual(before);
    const roles: Role[] = ['field'];
    const command = { name: 'salma', fullName: 'Salma', roles, actor: OPERATOR, reason: 'the same', dryRun: false };
    expect(await identity.users.create(command)).toMatchObject({ user: { name: 'salma' } });
  });

  test('and keys never get one name concurrently', async () => {
    for (let round = 0; round < 10; round += 1) {
      const name = `name-${round}`;
      const [user, made] = await Promise.allSettled([create(name), key(name, ['agents:read'], admin)]);
      expect([user.status, made.status].sort()).toEqual(['fulfilled', 'rejected']);
    }
  });

  test('limits and records the look-ups of a user as those of a key', async () => {
    await register(identity, 'salma', ['field']);
    const { actor } = (await signIn(identity, 'salma')).session;
    const ids = Array.from({ length: 30 }, (_, index) => `A${index}`);
    expect(await identity.recordLookUps(actor, ids, { isLimited: true })).toBeUndefined();
    expect(await identity.recordLookUps(actor, ['B'], { isLimited: true })).toMatchObject({ most: 30 });
    const { rows } = await identity.auditRecords({ limit: 100, action: 'agent.looked_up' });
    expect(rows).toHaveLength(30);
    expect(rows[0]).toMatchObject({ actorKind: 'user', actorName: 'salma', keyId: actor.userId });
  });

  test('cannot set a password with the code of another user', async () => {
    const code = await invite(identity, 'salma', ['field']);
    await invite(identity, 'omar', ['field']);
    const tried = { name: 'omar', code, password: PASSWORD, address: ADDRESS };
    expect(await identity.sessions.setFirstPassword(tried)).toEqual({ outcome: 'refused' });
    expect(await identity.users.find('omar')).toMatchObject({ state: 'invited' });
  });
});
