import { beforeEach, expect, test } from '@jest/globals';
import { type Identity, OPERATOR } from '../../../src/identity';
import { describeOnEachDatabase } from '../../support/db';
import { fixedClock } from '../../support/fakes';
import { rowCounts } from '../ledger/row-counts';
import { ADDRESS, openIdentity, PASSWORD, register, signIn } from './users-support';

// Goal: a session lasts as long as it may and no longer, and ends everywhere when its user says so.
// Method: the module on both databases, with a clock that stands still and cheap passwords.

const START = '2026-03-02T09:00:00+01:00';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NEW_PASSWORD = 'trois-bateaux-bleus-dansent';

describeOnEachDatabase('the sessions of users', (harness) => {
  const clock = fixedClock(START);
  let identity: Identity;

  beforeEach(async () => {
    clock.set(START);
    identity = openIdentity(harness, clock);
    await register(identity, 'salma', ['finance']);
  });

  test('end after 30 minutes without use', async () => {
    const { token } = await signIn(identity, 'salma');
    clock.advance(30 * MINUTE - 1);
    expect(await identity.sessions.find(token)).toMatchObject({ idleUntil: clock.now() + 30 * MINUTE });
    clock.advance(30 * MINUTE - 1);
    expect(await identity.sessions.find(token)).toBeDefined();
    clock.advance(30 * MINUTE);
    expect(await identity.sessions.find(token)).toBeUndefined();
  });

  test('end twelve hours after the sign-in, however much they are used', async () => {
    const { token } = await signIn(identity, 'salma');
    const end = clock.now() + 12 * HOUR;
    for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
      clock.advance(20 * MINUTE);
      expect(await identity.sessions.find(token)).toMatchObject({ expiresAt: end });
    }
    clock.set(end - 1);
    expect(await identity.sessions.find(token)).toMatchObject({ idleUntil: end });
    clock.set(end);
    expect(await identity.sessions.find(token)).toBeUndefined();
  });

  test('write their last use once a minute at most', async () => {
    const { token } = await signIn(identity, 'salma');
    const usedAt = async () => (await identity.sessions.list('salma')).map((session) => session.usedAt - clock.now());
    clock.advance(MINUTE - 1);
    await identity.sessions.find(token);
    expect(await usedAt()).toEqual([1 - MINUTE]);
    clock.advance(1);
    await identity.sessions.find(token);
    expect(await usedAt()).toEqual([0]);
  });

  test('are found by their own token alone, and each has a CSRF token of its own', async () => {
    const one = await signIn(identity, 'salma');
    const two = await signIn(identity, 'salma');
    expect(one.session.csrfToken).not.toBe(two.session.csrfToken);
    expect((await identity.sessions.find(one.token))?.csrfToken).toBe(one.session.csrfToken);
    const others = ['', 'x', one.session.id, one.session.csrfToken, one.deviceToken, `${one.token}A`];
    for (const token of others) expect(await identity.sessions.find(token)).toBeUndefined();
  });

  test('end one by one and all together, with one record each', async () => {
    const tokens = [];
    for (let index = 0; index < 3; index += 1) tokens.push((await signIn(identity, 'salma')).token);
    const [first = '', second = ''] = tokens;
    await identity.sessions.end(first);
    await identity.sessions.end(first);
    await identity.sessions.end('unknown');
    expect(await identity.sessions.list('salma')).toHaveLength(2);
    const { actor } = (await identity.sessions.find(second)) ?? {};
    if (actor === undefined) throw new Error('the session ended');
    expect(await identity.sessions.endAll({ name: 'salma', actor, dryRun: false })).toBe(2);
    expect(await identity.sessions.endAll({ name: 'salma', actor, dryRun: false })).toBe(0);
    const actions = (await identity.auditRecords({ limit: 100, keyId: actor.userId })).rows.map(({ action }) => action);
    expect(actions.filter((action) => action === 'user.signed_out')).toHaveLength(1);
    expect(actions.filter((action) => action === 'user.sessions_ended')).toHaveLength(1);
    expect(actions.filter((action) => action === 'user.signed_in')).toHaveLength(3);
  });

  test('of another user end only with the scope and a reason', async () => {
    await register(identity, 'omar', ['finance']);
    const { session } = await signIn(identity, 'omar');
    await signIn(identity, 'salma');
    const end = (given: object) =>
      identity.sessions.endAll({ name: 'salma', actor: session.actor, reason: 'lost', dryRun: false, ...given });
    await expect(end({})).rejects.toMatchObject({ problem: { code: 'missing_scope' } });
    await expect(end({ actor: OPERATOR, reason: undefined })).rejects.toMatchObject({ code: 'bad_input' });
    expect(await end({ actor: OPERATOR })).toBe(1);
  });

  test('all end when the password changes, and one new session goes on', async () => {
    const { session, token } = await signIn(identity, 'salma');
    const other = await signIn(identity, 'salma');
    const change = (oldPassword: string, newPassword: string) =>
      identity.sessions.changePassword(session, { oldPassword, newPassword });
    expect(await change('not the password', NEW_PASSWORD)).toEqual({ outcome: 'refused' });
    await expect(change(PASSWORD, PASSWORD)).rejects.toMatchObject({ problem: { field: 'password' } });
    await expect(change(PASSWORD, 'motdepasse2026')).rejects.toMatchObject({ problem: { field: 'password' } });
    const changed = await change(PASSWORD, NEW_PASSWORD);
    if (changed.outcome !== 'changed') throw new Error(changed.outcome);
    expect(await identity.sessions.find(changed.token)).toEqual(changed.session);
    for (const ended of [token, other.token]) expect(await identity.sessions.find(ended)).toBeUndefined();
    const again = { name: 'salma', address: ADDRESS };
    expect(await identity.sessions.signIn({ ...again, password: PASSWORD })).toEqual({ outcome: 'refused' });
    expect(await identity.sessions.signIn({ ...again, password: NEW_PASSWORD })).toMatchObject({
      outcome: 'signed_in',
    });
  });

  test('slow down guesses of the password by a stolen token, without locking the user out', async () => {
    const { session } = await signIn(identity, 'salma');
    const guesses = await Promise.all(
      Array.from({ length: 12 }, () => identity.sessions.proveAgain(session, 'not the password')),
    );
    expect(guesses.filter(({ outcome }) => outcome === 'refused')).toHaveLength(5);
    expect(await identity.sessions.proveAgain(session, PASSWORD)).toEqual({ outcome: 'wait', retryAfterMs: 1_000 });
    const elsewhere = await signIn(identity, 'salma');
    expect(await identity.sessions.proveAgain(elsewhere.session, PASSWORD)).toMatchObject({ outcome: 'proved' });
    const { rows } = await identity.auditRecords({ limit: 10, action: 'user.proof_failed' });
    expect(rows).toHaveLength(1);
  });

  test('and counts of tries are removed when they no longer count', async () => {
    const { token, deviceToken } = await signIn(identity, 'salma');
    await identity.sessions.signIn({ name: 'nadia', password: PASSWORD, address: ADDRESS });
    const never = new AbortController().signal;
    const left = async () => {
      await identity.sessions.removeEnded(never);
      const { user_sessions, sign_in_tries, user_devices } = await rowCounts(harness.database);
      return [user_sessions, sign_in_tries, user_devices];
    };
    expect(await left()).toEqual([1, 3, 1]);
    clock.advance(29 * MINUTE);
    expect(await identity.sessions.find(token)).toBeDefined();
    clock.advance(29 * MINUTE);
    expect(await left()).toEqual([1, 3, 1]);
    clock.advance(HOUR);
    expect(await left()).toEqual([0, 3, 1]);
    clock.advance(24 * HOUR);
    expect(await left()).toEqual([0, 0, 1]);
    await identity.sessions.signIn({ name: 'salma', password: PASSWORD, address: ADDRESS, deviceToken });
    clock.advance(180 * 24 * HOUR - 1);
    expect((await left())[2]).toBe(1);
    clock.advance(1);
    expect((await left())[2]).toBe(0);
  });
});
