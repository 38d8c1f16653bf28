// Goal: administrators and operators see how the installation works and who did what, and change rights with their effect
// said before. Secrets are shown once.
// Method: requests of a browser without scripts, on both databases.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { OPERATOR } from '../../src/identity';
import { browser, describeConsole, PASSWORD, person, type Visitor } from './support/visitor';

const AFTER_THE_PROOF = '2026-03-02T09:20:00.000Z';

describeConsole('the pages of an administrator', (current) => {
  let admin: Visitor;
  beforeEach(async () => {
    admin = await person(current.api, { name: 'amel', roles: ['admin'] });
  });

  describe('keys', () => {
    test('are created with the rights of the person, and shown once', async () => {
      const page = await admin.get('/console/keys');
      const made = await admin.send(page, 'create', { name: 'exporter', scopes: ['jobs:read'], days: '30' });
      const [secret] = /mk_[\w.-]+|[\w-]{40,}/.exec(made.byRole('status').join()) ?? [];
      expect(made.heading).toBe('Key created');
      expect(secret).toBeDefined();
      const { rows } = await current.api.millime.identity.listKeys({ limit: 10 });
      expect(rows).toMatchObject([{ name: 'exporter', recordedBy: 'amel', state: 'active' }]);
      const list = await admin.get('/console/keys');
      expect(list.source).not.toContain(secret);
      const again = await admin.send(page, 'create', { name: 'exporter', scopes: ['jobs:read'], days: '30' });
      expect(again.status).toBe(409);
    });

    test.each([
      [{ name: 'exporter' }, 'Choose at least one right'],
      [{ name: 'exporter', scopes: ['jobs:read'], days: 'soon' }, 'Enter a number from 1 to'],
      [{ name: ' ', scopes: ['jobs:read'] }, 'This field is required'],
    ])('are refused from %j', async (fields, fault) => {
      const page = await admin.send(await admin.get('/console/keys'), 'create', fields);
      expect(page.status).toBe(400);
      expect(page.byRole('alert').join()).toContain(fault);
      expect((await current.api.millime.identity.listKeys({ limit: 1 })).rows).toEqual([]);
    });

    test('grant nothing that the person lacks', async () => {
      const page = await admin.send(await admin.get('/console/keys'), 'create', {
        ...{ name: 'exporter', scopes: ['payments:refund'] },
      });
      expect(page.status).toBe(403);
      expect((await current.api.millime.identity.listKeys({ limit: 1 })).rows).toEqual([]);
    });

    test('are revoked with a reason, after their effect is said', async () => {
      const { key } = await current.api.millime.identity.createKey({
        ...{ name: 'exporter', scopes: ['jobs:read'], ttlSeconds: undefined, actor: OPERATOR, dryRun: false },
      });
      const list = await admin.get('/console/keys');
      const link = list.links.find(({ text }) => text === 'Revoke');
      const page = await admin.get(link?.href ?? '');
      expect(page.text).toContain('A revoked key never becomes valid again');
      const empty = await admin.send(page, 'revoke', { reason: '' });
      expect(empty.status).toBe(400);
      expect(empty.text).toContain('A revoked key never becomes valid again');
      const done = await admin.send(page, 'revoke', { reason: 'leaked' });
      expect(done.byRole('status')).toEqual(['The key is revoked.']);
      const { rows } = await current.api.millime.identity.listKeys({ limit: 1 });
      expect(rows).toMatchObject([{ id: key.id, state: 'revoked' }]);
    });
  });

  describe('users', () => {
    test('are created with a code that is shown once and sets their password', async () => {
      const page = await admin.get('/console/users');
      const made = await admin.send(page, 'create', {
        name: 'rim',
        fullName: 'Rim Sassi',
        roles: ['reader', 'finance'],
      });
      const status = made.byRole('status').join();
      expect(status).toContain('Copy this code now');
      expect(status).toContain(`http://127.0.0.1:${current.api.port}/console/welcome`);
      const code = /is not shown again\. (\S+)/.exec(status)?.[1] ?? '';
      const set = await current.api.millime.identity.sessions.setFirstPassword({
        ...{ name: 'rim', code, password: PASSWORD, address: '127.0.0.1' },
      });
      expect(set.outcome).toBe('set');
      expect((await admin.get('/console/users')).source).not.toContain(code);
      expect((await browser(current.api).signIn('rim', PASSWORD)).path).not.toContain('sign-in');
    });

    test('are refused without a role, and keep what was typed', async () => {
      const page = await admin.send(await admin.get('/console/users'), 'create', {
        name: 'rim',
        fullName: 'Rim Sassi',
      });
      expect(page.status).toBe(400);
      expect(page.byRole('alert').join()).toContain('Choose at least one role');
      expect(page.forms.flatMap(({ fields }) => fields)).toContainEqual(['fullName', 'Rim Sassi']);
    });

    test('who exist already are named', async () => {
      const page = await admin.send(await admin.get('/console/users'), 'create', {
        ...{ name: 'amel', fullName: 'Another', roles: ['reader'] },
      });
      expect(page.status).toBe(409);
      expect(page.byRole('alert').join()).toContain('amel');
    });

    test('decide nothing about themselves', async () => {
      const page = await admin.get('/console/users/amel');
      expect(page.text).toContain('This is your own account');
      expect(page.forms.some(({ fields }) => fields.some(([, value]) => value === 'disable'))).toBe(false);
    });

    describe('of another person', () => {
      let other: Visitor;
      beforeEach(async () => {
        other = await person(current.api, { name: 'salma', roles: ['finance'] });
      });

      test('get other roles, and their sessions end', async () => {
        const page = await admin.get('/console/users/salma');
        const done = await admin.send(page, 'changeRoles', { roles: ['reader'], 'reason-changeRoles': 'moved' });
        expect(done.byRole('status')).toEqual(['The roles are changed and the sessions ended.']);
        expect(await current.api.millime.identity.users.find('salma')).toMatchObject({ roles: ['reader'] });
        expect((await other.get('/console/me')).path).toContain('/console/sign-in');
      });

      test('are disabled and enabled, each with a reason', async () => {
        const page = await admin.get('/console/users/salma');
        const empty = await admin.send(page, 'disable', { 'reason-disable': ' ' });
        expect(empty.status).toBe(400);
        const disabled = await admin.send(page, 'disable', { 'reason-disable': 'left' });
        expect(disabled.byRole('status')).toEqual(['The user is disabled.']);
        expect((await other.get('/console/me')).path).toContain('/console/sign-in');
        const enabled = await admin.send(disabled, 'enable', { 'reason-enable': 'back' });
        expect(enabled.byRole('status')).toEqual(['The user is enabled.']);
      });

      test('lose their password for a code that is shown once', async () => {
        const page = await admin.get('/console/users/salma');
        const reset = await admin.send(page, 'resetPassword', { 'reason-resetPassword': 'forgotten' });
        expect(reset.byRole('status').join()).toContain('Copy this code now');
        expect((await browser(current.api).signIn('salma', PASSWORD)).status).toBe(403);
      });

      test('are signed out everywhere', async () => {
        const page = await admin.get('/console/users/salma');
        expect(page.rows.length).toBeGreaterThan(0);
        const done = await admin.send(page, 'endSessions', { 'reason-endSessions': 'lost phone' });
        expect(done.byRole('status')).toEqual(['The sessions are ended.']);
        expect(done.text).toContain('No current session');
      });

      test('lose their second factor', async () => {
        await person(current.api, { name: 'karim', roles: ['approver'] });
        const page = await admin.get('/console/users/karim');
        const done = await admin.send(page, 'resetSecondFactor', { 'reason-resetSecondFactor': 'new phone' });
        expect(done.byRole('status')).toEqual(['The second factor is removed.']);
        expect(await current.api.millime.identity.users.find('karim')).toMatchObject({ hasSecondFactor: false });
      });

      test('are decided about only with a recent password', async () => {
        current.api.setClock(AFTER_THE_PROOF);
        const page = await admin.send(await admin.get('/console/users/salma'), 'disable', { 'reason-disable': 'left' });
        expect(page.heading).toBe('Confirm that it is you');
        const done = await admin.send(page, 'disable', { proof_password: PASSWORD });
        expect(done.byRole('status')).toEqual(['The user is disabled.']);
      });
    });
  });

  describe('the audit trail', () => {
    test('says who did what on what, in plain words', async () => {
      await admin.send(await admin.get('/console/users'), 'create', {
        ...{ name: 'rim', fullName: 'Rim Sassi', roles: ['reader'] },
      });
      const page = await admin.get('/console/audit?action=user.created&actor=amel');
      expect(page.rows).toHaveLength(1);
      expect(page.rows[0]?.slice(1, 4)).toEqual(['amel user', 'user created', 'rim user']);
      expect(page.rows[0]?.[4]).toContain('reader');
      expect(page.links).toContainEqual({ href: '/console/users/rim', text: 'rim' });
    });

    test('leads to a thing, or to all records about it if the person may not open it', async () => {
      const { agents } = current.api.millime;
      await agents.add({ agentId: '004711', fullName: 'Rim', phone: '' }, { actor: OPERATOR, dryRun: false });
      const page = await admin.get('/console/audit?action=agent.added');
      const link = page.links.find(({ text }) => text === '004711');
      expect(link?.href).toBe('/console/audit?subject=agent%3A004711');
      expect((await admin.get(link?.href ?? '')).rows).toHaveLength(1);
    });

    test('finds by days and subject, and says what a filter lacks', async () => {
      expect(
        (await admin.get('/console/audit?from=2026-03-02&to=2026-03-02&subject=user:amel')).rows.length,
      ).toBeGreaterThan(0);
      expect((await admin.get('/console/audit?to=2026-03-01')).text).toContain('Nothing fits this filter');
      const page = await admin.get('/console/audit?from=yesterday');
      expect(page.status).toBe(200);
      expect(page.byRole('alert').join()).toContain('Enter a date');
    });
  });

  test('shows the jobs, the checks and the tokens', async () => {
    const page = await admin.get('/console/operations');
    expect(page.heading).toBe('Operations');
    expect(page.text).toContain('every day at 06:30');
    expect(page.text).toContain('The gateway is not configured');
    expect(page.rows.some(([name]) => name === 'nightly reconciliation')).toBe(true);
  });
});

describeConsole('the tokens of the gateway', (current) => {
  let operator: Visitor;
  beforeEach(async () => {
    operator = await person(current.api, { name: 'omar', roles: ['operator'] });
  });
  const check = async (token: string) =>
    (
      await fetch(`http://127.0.0.1:${current.api.port}/service/check/004711`, {
        headers: { Authorization: `Bearer ${token}` },
      })
    ).status;

  test('are minted and shown once, let the gateway call, and are revoked', async () => {
    const page = await operator.get('/console/tokens');
    const minted = await operator.send(page, 'mint', { subject: 'gateway', days: '30' });
    const [token = ''] = /ey[\w-]+\.[\w-]+\.[\w-]+/.exec(minted.byRole('status').join()) ?? [];
    expect(await check(token)).toBe(200);
    const list = await operator.get('/console/tokens');
    expect(list.source).not.toContain(token);
    const link = list.links.findLast(({ text }) => text === 'Revoke');
    const asked = await operator.get(link?.href ?? '');
    expect(asked.text).toContain('Give the gateway another token first');
    const done = await operator.send(asked, 'revoke');
    expect(done.byRole('status')).toEqual(['The token is revoked.']);
    expect(await check(token)).toBe(403);
  });

  test('are a link of the check as long as another one is due', async () => {
    const links = async () =>
      (await operator.get('/console/operations')).links.filter(({ text }) => text === 'See and create tokens').length;
    expect(await links()).toBe(2);
    await operator.send(await operator.get('/console/tokens'), 'mint', { subject: 'gateway', days: '400' });
    expect(await links()).toBe(1);
  });

  test.each([
    [{ subject: 'gateway' }, 'This field is required'],
    [{ subject: 'gateway', days: 'soon' }, 'Enter a number from 1 to'],
    [{ subject: 'gateway', days: '401' }, 'from 1 to 400'],
  ])('are refused from %j', async (fields, fault) => {
    const before = (await operator.get('/console/tokens')).rows.length;
    const page = await operator.send(await operator.get('/console/tokens'), 'mint', fields);
    expect(page.status).toBe(400);
    expect(page.byRole('alert').join()).toContain(fault);
    expect((await operator.get('/console/tokens')).rows).toHaveLength(before);
  });
});

describeConsole(
  'the inbox of webhooks',
  (current) => {
    let operator: Visitor;
    beforeEach(async () => {
      operator = await person(current.api, { name: 'omar', roles: ['operator'] });
      await current.api.millime.webhooks.receiveHint('pos', Buffer.from('{"pos":1}'));
    });

    test('lists what arrived, and nothing is parked or in conflict', async () => {
      const page = await operator.get('/console/webhooks');
      expect(page.rows).toHaveLength(1);
      for (const query of ['state=parked', 'conflicted=true']) {
        expect((await operator.get(`/console/webhooks?${query}`)).text).toContain('All done');
      }
      expect((await operator.get('/console/webhooks?state=nonesuch')).byRole('alert')).toHaveLength(1);
    });

    test('shows the facts of one without its content, and processes it again', async () => {
      const [link] = (await operator.get('/console/webhooks')).links.filter(({ href }) =>
        /webhooks\/\w{26}$/.test(href),
      );
      const page = await operator.get(link?.href ?? '');
      expect(page.source).not.toContain('{"pos":1}');
      const done = await operator.send(page, 'replay');
      expect(done.byRole('status').join()).toContain('processed again');
      expect(done.text).toContain("to be processed again, at a person's request");
      const { rows } = await current.api.millime.identity.auditRecords({ limit: 5, action: 'webhook.replayed' });
      expect(rows).toMatchObject([{ actorName: 'omar' }]);
    });

    test('explains why a pasted request is refused, and keeps it', async () => {
      const request = 'POST /webhooks/payment\r\n\r\n{}';
      const page = await operator.send(await operator.get('/console/webhooks'), 'diagnose', { request });
      expect(page.text).toContain('✕ rejected');
      expect(page.text).toContain('missing signature');
      expect(
        page.forms.flatMap(({ fields }) => fields).some(([name, value]) => name === 'request' && value.includes('{}')),
      ).toBe(true);
      const empty = await operator.send(await operator.get('/console/webhooks'), 'diagnose', { request: '' });
      expect(empty.status).toBe(400);
    });

    test.each([
      ['fr', "L'en-tête X-Service-Signature manque."],
      ['ar', 'الترويسة X-Service-Signature غائبة.'],
    ] as const)('explains it to someone who reads in %s', async (language, reason) => {
      const reader = await person(current.api, { name: `reader-${language}`, roles: ['operator'], language });
      const request = 'POST /webhooks/payment\r\n\r\n{}';
      const page = await reader.send(await reader.get('/console/webhooks'), 'diagnose', { request });
      expect(page.text).toContain(reason);
      expect(page.source).not.toContain('<bdi lang="en">');
    });
  },
  { hasGateway: true },
);
