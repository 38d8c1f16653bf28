import { beforeEach, expect, test } from '@jest/globals';
import { type Identity, OPERATOR } from '../../../src/identity';
import { describeOnEachDatabase } from '../../support/db';
import { fixedClock } from '../../support/fakes';
import { contents } from '../ledger/row-counts';
import { ADDRESS, codeAt, enroll, invite, openIdentity, PASSWORD, register, signedIn, signIn } from './users-support';

// Goal: the right password and code sign in, wrong ones do not, guesses are slowed down, and no stranger locks a user out.
// Method: the module on both databases, with a clock that stands still and cheap passwords.

const START = '2026-03-02T09:00:00+01:00';
const STRANGER = '203.0.113.9';
const WRONG = 'une-autre-phrase-longue';
const MINUTE = 60_000;

describeOnEachDatabase('the sign-in of users', (harness) => {
  const clock = fixedClock(START);
  let identity: Identity;

  beforeEach(() => {
    clock.set(START);
    identity = openIdentity(harness, clock);
  });

  const attempt = (name: string, password: string, more: { address?: string; deviceToken?: string } = {}) =>
    identity.sessions.signIn({ name, password, address: ADDRESS, ...more });

  const failures = async () => {
    const { rows } = await identity.auditRecords({ limit: 100, action: 'user.sign_in_failed' });
    return rows.map(({ subject, detail, actorName }) => ({ subject, detail, actorName }));
  };

  test('starts a session with the scopes of the roles for the right password only', async () => {
    await register(identity, 'salma', ['field']);
    expect(await attempt('salma', WRONG)).toEqual({ outcome: 'refused' });
    const { session, token } = signedIn(await attempt('Salma ', PASSWORD));
    expect(session).toMatchObject({
      state: 'full',
      user: { name: 'salma', fullName: 'salma Ben Ali', roles: ['field'], hasSecondFactor: false },
      actor: { kind: 'user', name: 'salma', scopes: new Set(['agents:lookup']) },
      startedAt: clock.now(),
      provedAt: clock.now(),
    });
    expect(await identity.sessions.find(token)).toEqual(session);
  });

  test('accepts a password however the keyboard composes its characters', async () => {
    await register(identity, 'salma', ['field']);
    expect(PASSWORD.normalize('NFD')).not.toBe(PASSWORD);
    signedIn(await attempt('salma', PASSWORD.normalize('NFD')));
  });

  test('S33: gives unknown names, wrong passwords, invited and disabled users one answer', async () => {
    await register(identity, 'salma', ['field']);
    await register(identity, 'omar', ['field']);
    await invite(identity, 'amal', ['field']);
    const about = { name: 'omar', actor: OPERATOR, reason: 'left', dryRun: false };
    await identity.users.disable(about);
    const answers = [
      await attempt('nadia', PASSWORD),
      await attempt('not a name', PASSWORD),
      await attempt('x'.repeat(5_000), PASSWORD),
      await attempt('salma', WRONG),
      await attempt('salma', ''),
      await attempt('salma', PASSWORD + 'x'.repeat(100_000)),
      await attempt('omar', PASSWORD),
      await attempt('amal', ''),
    ];
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set(['{"outcome":"refused"}']));
  });

  test('stores no password, token, code or typed unknown name, in no form', async () => {
    const code = await invite(identity, 'salma', ['field']);
    await identity.sessions.setFirstPassword({ name: 'salma', code, password: PASSWORD, address: ADDRESS });
    const { token, deviceToken, session } = await signIn(identity, 'salma');
    await attempt('secret-typed-as-name', WRONG);
    await attempt('salma', WRONG);
    const kept = JSON.stringify(await contents(harness.database)).toLowerCase();
    expect(kept).toContain('$scrypt$');
    const secrets = [code, code.replaceAll('-', ''), token, deviceToken, session.csrfToken, PASSWORD, WRONG];
    for (const secret of [...secrets, 'secret-typed-as-name']) expect(kept).not.toContain(secret.toLowerCase());
  });

  test('S33: verifies at most five of fifty concurrent guesses', async () => {
    await register(identity, 'salma', ['field']);
    const answers = await Promise.all(Array.from({ length: 50 }, () => attempt('salma', WRONG)));
    const waits = answers.filter(({ outcome }) => outcome === 'wait');
    expect(answers.filter(({ outcome }) => outcome === 'refused')).toHaveLength(5);
    expect(waits).toHaveLength(45);
    expect(new Set(waits.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set(['{"outcome":"wait","retryAfterMs":1000}']),
    );
    expect(await failures()).toEqual([
      { subject: 'user:salma', detail: { address: ADDRESS, why: 'password' }, actorName: 'job:sign-in' },
    ]);
  });

  test('waits one second after five failures, twice as long after each more, and not at all after a success', async () => {
    await register(identity, 'salma', ['field']);
    for (let index = 0; index < 5; index += 1) await attempt('salma', WRONG);
    for (const pause of [1_000, 2_000, 4_000, 8_000]) {
      expect(await attempt('salma', PASSWORD)).toEqual({ outcome: 'wait', retryAfterMs: pause });
      clock.advance(pause);
      expect(await attempt('salma', WRONG)).toEqual({ outcome: 'refused' });
    }
    clock.advance(16_000);
    signedIn(await attempt('salma', PASSWORD));
    for (let index = 0; index < 5; index += 1) {
      expect(await attempt('salma', WRONG)).toEqual({ outcome: 'refused' });
    }
  });

  test('S33: does not let a stranger lock a user out, from another address or from that of a known browser', async () => {
    await register(identity, 'salma', ['field']);
    const { deviceToken } = await signIn(identity, 'salma');
    for (let index = 0; index < 30; index += 1) {
      await attempt('salma', WRONG, { address: STRANGER });
      await attempt('salma', WRONG);
    }
    expect(await attempt('salma', PASSWORD, { address: STRANGER })).toMatchObject({ outcome: 'wait' });
    expect(await attempt('salma', PASSWORD)).toMatchObject({ outcome: 'wait' });
    // From a new address, and from the browser that signed in before behind the address of the stranger.
    signedIn(await attempt('salma', PASSWORD, { address: '198.51.100.7' }));
    expect(signedIn(await attempt('salma', PASSWORD, { deviceToken })).deviceToken).toBe(deviceToken);
  });

  test('slows down a known browser by itself, and a browser of another user not at all', async () => {
    await register(identity, 'salma', ['field']);
    await register(identity, 'omar', ['field']);
    const { deviceToken } = await signIn(identity, 'salma');
    for (let index = 0; index < 5; index += 1) await attempt('salma', WRONG, { deviceToken });
    expect(await attempt('salma', PASSWORD, { deviceToken })).toMatchObject({ outcome: 'wait' });
    signedIn(await attempt('salma', PASSWORD));
    // A token of salma's browser does not free the guesses about omar.
    for (let index = 0; index < 5; index += 1) await attempt('omar', WRONG, { deviceToken });
    expect(await attempt('omar', PASSWORD, { deviceToken })).toMatchObject({ outcome: 'wait' });
  });

  test('accepts twenty tries a minute from one address, whatever the names', async () => {
    await register(identity, 'salma', ['field']);
    clock.advance(MINUTE);
    const address = '2001:db8:0:1::/64';
    const outcomes: string[] = [];
    for (let index = 0; index < 25; index += 1) {
      outcomes.push((await attempt(`nobody-${index}`, WRONG, { address })).outcome);
    }
    expect(outcomes).toEqual([...Array<string>(20).fill('refused'), ...Array<string>(5).fill('wait')]);
    const other = { address: '2001:db8:0:2::/64' };
    signedIn(await attempt('salma', PASSWORD, other));
    clock.advance(MINUTE);
    signedIn(await attempt('salma', PASSWORD, { address }));
    // One record for all unknown names of the address.
    expect(await failures()).toEqual([{ subject: 'users', detail: { address }, actorName: 'job:sign-in' }]);
  });

  test('asks for the second factor, counts wrong codes as failures, and accepts each code once', async () => {
    const secret = await enroll(identity, clock, 'salma', ['approver']);
    const withCode = (secondFactor: string, password = PASSWORD) =>
      identity.sessions.signIn({ name: 'salma', password, secondFactor, address: ADDRESS });
    const code = codeAt(secret, clock.now());
    for (let index = 0; index < 8; index += 1) {
      expect(await attempt('salma', PASSWORD)).toEqual({ outcome: 'second_factor_needed' });
    }
    expect(await withCode(code, WRONG)).toEqual({ outcome: 'refused' });
    const { session } = signedIn(await withCode(`${code.slice(0, 3)} ${code.slice(3)}`));
    expect(session).toMatchObject({ state: 'full', user: { hasSecondFactor: true } });
    expect(session.actor.scopes.has('breaks:decide')).toBe(true);
    // The failure before was forgotten: five more, of used and wrong codes, and then a wait.
    for (const used of [code, code, codeAt(secret, clock.now() - 30_000), code, code]) {
      expect(await withCode(used)).toEqual({ outcome: 'refused' });
    }
    expect(await withCode(codeAt(secret, clock.now() + 30_000))).toEqual({ outcome: 'wait', retryAfterMs: 1_000 });
    clock.advance(1_000);
    signedIn(await withCode(codeAt(secret, clock.now() + 30_000)));
  });

  test('lets one of many concurrent uses of one code sign in', async () => {
    const secret = await enroll(identity, clock, 'salma', ['approver']);
    const secondFactor = codeAt(secret, clock.now());
    const uses = await Promise.all(
      Array.from({ length: 5 }, () =>
        identity.sessions.signIn({ name: 'salma', password: PASSWORD, secondFactor, address: ADDRESS }),
      ),
    );
    expect(uses.map(({ outcome }) => outcome).sort()).toEqual([...Array<string>(4).fill('refused'), 'signed_in']);
  });

  test('gives an approver without a second factor a session without scopes until a code is confirmed', async () => {
    await register(identity, 'salma', ['approver']);
    const { sessions } = identity;
    const answer = await attempt('salma', PASSWORD);
    if (answer.outcome !== 'must_enroll') throw new Error(answer.outcome);
    expect(answer.session).toMatchObject({ state: 'must_enroll', actor: { scopes: new Set() } });
    expect(await sessions.find(answer.token)).toMatchObject({ state: 'must_enroll', actor: { scopes: new Set() } });
    expect(await sessions.confirmEnrollment(answer.session, '123456')).toEqual({ outcome: 'refused' });
    const begun = await sessions.beginEnrollment(answer.session);
    if (!('secret' in begun)) throw new Error(begun.outcome);
    const { secret, uri } = begun;
    expect(uri).toBe(`otpauth://totp/Millime:salma?issuer=Millime&secret=${secret}&algorithm=SHA1&digits=6&period=30`);
    expect(await sessions.confirmEnrollment(answer.session, '000000')).toEqual({ outcome: 'refused' });
    const enrolled = await sessions.confirmEnrollment(answer.session, codeAt(secret, clock.now()));
    expect(enrolled).toMatchObject({ outcome: 'enrolled', session: { state: 'full' } });
    expect(await sessions.find(answer.token)).toBeUndefined();
    // The code that enrolled cannot sign in.
    const secondFactor = codeAt(secret, clock.now());
    const again = await sessions.signIn({ name: 'salma', password: PASSWORD, secondFactor, address: ADDRESS });
    expect(again).toEqual({ outcome: 'refused' });
  });

  test('replaces a second factor only with a code of the present one, which is used up', async () => {
    const { sessions } = identity;
    const secret = await enroll(identity, clock, 'salma', ['approver']);
    const second = () => codeAt(secret, clock.now());
    const answer = await sessions.signIn({
      name: 'salma',
      password: PASSWORD,
      secondFactor: second(),
      address: ADDRESS,
    });
    if (answer.outcome !== 'signed_in') throw new Error(answer.outcome);
    const { session } = answer;
    clock.advance(60_000);
    expect(await sessions.beginEnrollment(session)).toEqual({ outcome: 'refused' });
    expect(await sessions.beginEnrollment(session, '000000')).toEqual({ outcome: 'refused' });
    const code = second();
    expect(await sessions.beginEnrollment(session, code)).toHaveProperty('secret');
    expect(await sessions.beginEnrollment(session, code)).toEqual({ outcome: 'refused' });
  });

  test('enrolls only with a password that was given in the last ten minutes', async () => {
    await register(identity, 'salma', ['field']);
    const { session, token } = await signIn(identity, 'salma');
    clock.advance(10 * MINUTE);
    await expect(identity.sessions.beginEnrollment(session)).rejects.toMatchObject({
      problem: { code: 'proof_needed' },
    });
    expect(await identity.sessions.proveAgain(session, WRONG)).toEqual({ outcome: 'refused' });
    expect(await identity.sessions.proveAgain(session, PASSWORD)).toMatchObject({ outcome: 'proved' });
    const proved = await identity.sessions.find(token);
    if (proved === undefined) throw new Error('the session ended');
    expect(proved.provedAt).toBe(clock.now());
    await expect(identity.sessions.beginEnrollment(proved)).resolves.toHaveProperty('secret');
  });
});
