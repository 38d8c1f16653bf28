// Goal: an event is told once to each person who asked for it and may read it, whatever fails in between.
// Method: a mail server and an endpoint on this machine, on both databases.
import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Row, rowsOf } from '../../../src/db';
import { OPERATOR } from '../../../src/identity';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel';
import { describeOnEachDatabase } from '../../support/db';
import { headerOf, type MailServer, startMailServer, textOf } from '../../support/mail-server';
import { makeCertificate } from '../../support/self-signed';
import { startWebhookEndpoint, type WebhookEndpoint } from '../../support/webhook-endpoint';
import { type Bench, notificationBench, SECRET } from './bench';

const ALL = ['high_break', 'failed_job', 'token_expiring'] as const;

describeOnEachDatabase('notifications', (harness) => {
  let bench: Bench;
  let mail: MailServer;
  let endpoint: WebhookEndpoint;

  beforeEach(async () => {
    [mail, endpoint] = await Promise.all([startMailServer(), startWebhookEndpoint()]);
    bench = notificationBench(harness.database, { mailPort: mail.port });
  });
  afterEach(() => Promise.all([mail.stop(), endpoint.stop()]));

  const rowsIn = (table: string): Promise<readonly Row[]> =>
    harness.database.read((session) => rowsOf(session(table).select('*')));
  const mailTo = (address: string, more: object = {}) =>
    bench.notifications.add({ way: 'email', address, kinds: ALL, language: 'en', actor: OPERATOR, ...more });
  const webhook = (more: object = {}) =>
    bench.notifications.add({
      ...{ way: 'webhook', address: endpoint.url, kinds: ALL, language: 'en', actor: OPERATOR, ...more },
    });
  const run = async (): Promise<number> => {
    await bench.notifications.observe();
    return bench.notifications.send();
  };
  const messages = async () => (await bench.notifications.list(OPERATOR)).deliveries;

  describe('of breaks', () => {
    test('tell of each break once, all of one run in one mail', async () => {
      await mailTo('finance@bank.example');
      const fingerprints = Array.from({ length: 30 }, (_, index) => `f${index}`);
      const [first = ''] = await bench.openHigh(...fingerprints);
      expect(await run()).toBe(1);
      expect(mail.mails).toHaveLength(1);
      const [only] = mail.mails;
      if (only === undefined) throw new Error('no mail');
      expect(only.to).toEqual(['finance@bank.example']);
      expect(headerOf(only, 'Subject')).toBe('Millime: 30 new breaks of high severity');
      expect(headerOf(only, 'Auto-Submitted')).toBe('auto-generated');
      const text = textOf(only).replaceAll('\u00a0', ' ');
      expect(text).toContain('2 500,000 DT');
      expect(text).toContain(`https://millime.example/console/breaks/${first}`);
      expect(text).toContain('and 10 others');
      expect(await run()).toBe(0);
      await bench.openHigh('later');
      expect(await run()).toBe(1);
      expect(mail.mails.map((each) => headerOf(each, 'Subject'))[1]).toBe('Millime: 1 new break of high severity');
    });

    test('tell nothing of what was there before a person asked', async () => {
      await bench.openHigh('before');
      await run();
      await mailTo('finance@bank.example');
      expect(await run()).toBe(0);
      expect(mail.mails).toEqual([]);
    });

    test('tell of a reopened break again, unless it was closed for less than an hour', async () => {
      await mailTo('finance@bank.example');
      const [id = ''] = await bench.openHigh('f');
      await run();
      await bench.resolveHigh(id);
      await run();
      await bench.reopenHigh(id, 'f');
      expect(await run()).toBe(0);
      await bench.resolveHigh(id);
      await run();
      bench.clock.advance(HOUR_MS + MINUTE_MS);
      await bench.reopenHigh(id, 'f');
      expect(await run()).toBe(1);
      expect(mail.mails).toHaveLength(2);
    });

    test('are stored once by processes that find the same break concurrently', async () => {
      await mailTo('finance@bank.example');
      await webhook();
      const other = notificationBench(harness.database, { mailPort: mail.port });
      for (let round = 0; round < 10; round += 1) {
        await bench.openHigh(`a${round}`, `b${round}`);
        await Promise.all([bench, other].map(({ notifications }) => notifications.observe()));
      }
      await Promise.all([bench, other].map(({ notifications }) => notifications.send()));
      expect(mail.mails).toHaveLength(10);
      expect(endpoint.received).toHaveLength(10);
      expect(new Set(mail.mails.map((each) => headerOf(each, 'Message-ID'))).size).toBe(10);
    });

    test('are written in the language of the recipient, with the amount', async () => {
      await mailTo('finance@bank.example', { language: 'ar' });
      await mailTo('siege@bank.example', { language: 'fr' });
      await bench.openHigh('f');
      await run();
      const subjects = mail.mails.map((each) => headerOf(each, 'Subject'));
      expect(subjects.sort()).toEqual(['Millime: 1 nouvel écart de gravité élevée', 'Millime: فارق جديد عالي الخطورة']);
      const arabic = mail.mails.find(({ to }) => to.includes('finance@bank.example'));
      // A link that touches a sign of direction would lead elsewhere.
      expect(arabic && textOf(arabic).split(/\r?\n/)).toContainEqual(
        expect.stringMatching(/^https:\/\/millime\.example\/console\/breaks\/[0-9A-Z]{26}$/),
      );
    });
  });

  test('tell of a failed job when it turns, and not at each run', async () => {
    await webhook({ kinds: ['failed_job'] });
    const at = bench.clock.now();
    await bench.endJob(at - DAY_MS, 'done');
    expect(await run()).toBe(0);
    await bench.endJob(at, 'failed');
    expect(await run()).toBe(1);
    await bench.endJob(at + DAY_MS, 'failed');
    expect(await run()).toBe(0);
    expect(endpoint.received.map(({ body }) => JSON.parse(body))).toEqual([
      {
        type: 'failed_job',
        timestamp: '2026-03-03T08:00:00.000Z',
        data: {
          count: 1,
          items: [
            { job: 'reconcile', window: '2026-03-03T08:00:00.000Z', url: 'https://millime.example/console/operations' },
          ],
        },
      },
    ]);
  });

  test('tell of an expiring token a week before, a day before, and at its end', async () => {
    await mailTo('ops@bank.example', { kinds: ['token_expiring'] });
    const expiresAt = bench.clock.now() + 6 * DAY_MS;
    bench.tokens = { state: 'expiring', expiresAt };
    expect([await run(), await run()]).toEqual([1, 0]);
    bench.clock.set(expiresAt - DAY_MS);
    expect([await run(), await run()]).toEqual([1, 0]);
    bench.tokens = { state: 'expired' };
    expect([await run(), await run()]).toEqual([1, 0]);
    expect(headerOf(mail.mails[2] ?? never(), 'Subject')).toBe('Millime: the gateway has no valid token');
  });

  describe('as webhooks', () => {
    test('are signed as Standard Webhooks says, with the secret that was shown', async () => {
      const { secret = '' } = await webhook();
      await bench.openHigh('f');
      await run();
      const { headers, body } = endpoint.received[0] ?? never();
      const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
      const expected = createHmac('sha256', key).update(signed).digest('base64');
      expect(headers['webhook-signature']).toBe(`v1,${expected}`);
      expect(Number(headers['webhook-timestamp']) * 1_000).toBe(bench.clock.now());
      const stored = JSON.stringify(await rowsIn('notification_recipients'));
      expect([stored.includes(secret), stored.includes(key.toString('hex')), stored.includes(SECRET)]).toEqual([
        ...[false, false, false],
      ]);
    });

    test('have a signature of the previous secret while it is configured', async () => {
      const { secret: before = '' } = await webhook();
      const secrets = ['another-secret-of-forty-characters-at-least', SECRET];
      const rotated = notificationBench(harness.database, { mailPort: mail.port, secrets });
      await bench.openHigh('f');
      await rotated.notifications.observe();
      await rotated.notifications.send();
      const { headers, body } = endpoint.received[0] ?? never();
      const key = Buffer.from(before.replace('whsec_', ''), 'base64');
      const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
      const signatures = String(headers['webhook-signature']).split(' ');
      expect(signatures).toHaveLength(2);
      expect(signatures[1]).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    });

    test('are repeated with the same id until the endpoint accepts them', async () => {
      await webhook();
      await bench.openHigh('f');
      endpoint.answerWith(500);
      expect(await run()).toBe(0);
      expect(await messages()).toMatchObject([{ state: 'waiting', tries: 1, error: 'bad_status', answer: 500 }]);
      expect(await run()).toBe(0);
      expect(endpoint.received).toHaveLength(1);
      bench.clock.advance(MINUTE_MS);
      endpoint.answerWith(200);
      expect(await run()).toBe(1);
      expect(new Set(endpoint.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      expect(await messages()).toMatchObject([{ state: 'sent', tries: 2, error: undefined }]);
    });

    test('fail after the last try, and are then shown as failed', async () => {
      await webhook();
      await bench.openHigh('f');
      endpoint.answerWith(503);
      for (let tries = 1; tries <= 12; tries += 1) {
        await run();
        bench.clock.advance(6 * HOUR_MS);
      }
      await run();
      expect(endpoint.received).toHaveLength(12);
      expect(await messages()).toMatchObject([{ state: 'failed', tries: 12, error: 'bad_status', answer: 503 }]);
      expect(bench.logger.events('notifications.failed')).toHaveLength(1);
    });

    test('follow no redirect', async () => {
      const target = await startWebhookEndpoint();
      try {
        await webhook();
        await bench.openHigh('f');
        endpoint.answerWith(307, { Location: target.url });
        await run();
        expect(target.received).toEqual([]);
        expect(await messages()).toMatchObject([{ state: 'waiting', error: 'redirected', answer: 307 }]);
      } finally {
        await target.stop();
      }
    });

    test.each(['127.0.0.1', 'localhost'])('are not sent to %s unless a setting allows it', async (host) => {
      const guarded = notificationBench(harness.database, { allowsPrivateAddresses: false });
      await webhook({ address: endpoint.url.replace('127.0.0.1', host) });
      await bench.openHigh('f');
      await guarded.notifications.observe();
      await guarded.notifications.send();
      expect(endpoint.received).toEqual([]);
      expect(await messages()).toMatchObject([{ error: 'private_address' }]);
    });
  });

  describe('by e-mail', () => {
    test('are sent over TLS or not at all', async () => {
      const strict = notificationBench(harness.database, { mailPort: mail.port, tls: 'required' });
      await mailTo('finance@bank.example');
      await bench.openHigh('f');
      await strict.notifications.observe();
      await strict.notifications.send();
      expect(mail.mails).toEqual([]);
      expect(await messages()).toMatchObject([{ state: 'waiting', error: 'tls_failed' }]);
    });

    test('are not sent to a server whose certificate no authority signed', async () => {
      const encrypted = await startMailServer({ disabledCommands: [], ...makeCertificate({}) });
      try {
        const strict = notificationBench(harness.database, { mailPort: encrypted.port, tls: 'required' });
        await mailTo('finance@bank.example');
        await bench.openHigh('f');
        await strict.notifications.observe();
        await strict.notifications.send();
        expect(encrypted.mails).toEqual([]);
        expect(await messages()).toMatchObject([{ state: 'waiting', error: 'tls_failed' }]);
      } finally {
        await encrypted.stop();
      }
    });

    test.each([
      [550, 'failed'],
      [451, 'waiting'],
    ])('answered %i for the address are %s', async (code, state) => {
      await mailTo('finance@bank.example');
      await bench.openHigh('f');
      mail.refuseWith(code);
      await run();
      expect(await messages()).toMatchObject([{ state, error: 'refused', answer: code }]);
    });

    test('wait while the server is down, and log no address', async () => {
      await mailTo('finance@bank.example');
      await bench.openHigh('f');
      await mail.stop();
      await run();
      expect(await messages()).toMatchObject([{ state: 'waiting', error: 'unreachable' }]);
      expect(JSON.stringify(bench.logger.entries)).not.toContain('finance@bank.example');
    });
  });

  describe('of a person', () => {
    test('need the scope of each kind', async () => {
      const operator = await bench.user('omar', ['operator']);
      const place = { way: 'email', address: 'omar@bank.example', language: 'fr', actor: operator } as const;
      await expect(bench.notifications.add({ ...place, kinds: ['high_break'] })).rejects.toMatchObject({
        problem: { code: 'missing_scope', params: { scope: 'breaks:read' } },
      });
      await bench.notifications.add({ ...place, kinds: ['failed_job'] });
      expect((await bench.notifications.list(operator)).recipients).toHaveLength(1);
    });

    test.each(['roles', 'disabled'] as const)('are dropped once the person lost the right: %s', async (how) => {
      const salma = await bench.user('salma', ['finance']);
      await mailTo('salma@bank.example', { kinds: ['high_break'], actor: salma });
      await bench.openHigh('f');
      await bench.notifications.observe();
      const command = { name: 'salma', reason: 'moved', actor: OPERATOR, dryRun: false };
      if (how === 'roles') await bench.identity.users.setRoles({ ...command, roles: ['operator'] });
      else await bench.identity.users.disable(command);
      expect(await bench.notifications.send()).toBe(0);
      expect(mail.mails).toEqual([]);
      expect(await messages()).toMatchObject([{ state: 'dropped', error: 'rights_lost' }]);
    });

    test('end with the key that asked for them', async () => {
      const made = { name: 'exporter', scopes: ['breaks:read'], ttlSeconds: undefined, actor: OPERATOR, dryRun: false };
      const { text = '', key } = await bench.identity.createKey(made);
      const actor = await bench.identity.authenticate(text);
      await webhook({ kinds: ['high_break'], actor });
      await bench.openHigh('first');
      expect(await run()).toBe(1);
      await bench.identity.revokeKey({ keyId: key.id, reason: 'lost', actor: OPERATOR, dryRun: false });
      await bench.openHigh('second');
      expect(await run()).toBe(0);
      expect(endpoint.received).toHaveLength(1);
    });

    test('are seen and removed by that person alone, and leave no address', async () => {
      const salma = await bench.user('salma', ['finance']);
      const omar = await bench.user('omar', ['finance']);
      const { recipient } = await mailTo('salma@bank.example', { kinds: ['high_break'], actor: salma });
      await bench.notifications.test(recipient.id, salma);
      expect(await bench.notifications.list(omar)).toEqual({ recipients: [], deliveries: [] });
      for (const step of ['test', 'remove'] as const) {
        await expect(bench.notifications[step](recipient.id, omar)).rejects.toMatchObject({ code: 'not_found' });
      }
      await bench.notifications.remove(recipient.id, salma);
      expect(await rowsIn('notification_recipients')).toEqual([]);
      expect(await rowsIn('notification_deliveries')).toEqual([]);
      expect(JSON.stringify(await rowsIn('audit_records'))).not.toContain('salma@bank.example');
    });

    test('are tested with one message, however often it is asked for', async () => {
      const { recipient } = await mailTo('ops@bank.example');
      const ids = [await bench.notifications.test(recipient.id, OPERATOR)];
      ids.push(await bench.notifications.test(recipient.id, OPERATOR));
      expect(new Set(ids).size).toBe(1);
      expect(await run()).toBe(1);
      expect(headerOf(mail.mails[0] ?? never(), 'Message-ID')).toBe(`<${ids[0]}@bank.example>`);
    });
  });

  test.each([
    [{ address: 'nobody' }, 'address'],
    [{ address: 'a@b.example\r\nBcc: c@d.example' }, 'address'],
    [{ way: 'webhook', address: 'http://bank.example/x' }, 'address'],
    [{ way: 'webhook', address: 'https://user:secret@bank.example/x' }, 'address'],
    [{ kinds: [] }, 'kinds'],
    [{ kinds: ['everything'] }, 'kinds'],
  ])('are refused for %j, and nothing is stored', async (input, field) => {
    await expect(mailTo('finance@bank.example', input)).rejects.toMatchObject({
      problem: { code: 'bad_input', field },
    });
    expect(await rowsIn('notification_recipients')).toEqual([]);
  });

  test('are refused by a way that is not configured, and beyond twenty', async () => {
    const off = notificationBench(harness.database, { secrets: [] });
    const place = { kinds: ALL, language: 'en', actor: OPERATOR } as const;
    for (const [way, address] of [
      ['email', 'a@b.example'],
      ['webhook', 'https://b.example/'],
    ] as const) {
      await expect(off.notifications.add({ ...place, way, address })).rejects.toMatchObject({
        problem: { code: 'notifications_off' },
      });
    }
    for (let index = 0; index < 20; index += 1) await mailTo(`a${index}@bank.example`);
    await expect(mailTo('one@bank.example')).rejects.toMatchObject({ problem: { code: 'too_many_recipients' } });
  });

  test('are removed 30 days after they were sent', async () => {
    await webhook();
    await bench.openHigh('f');
    await run();
    bench.clock.advance(31 * DAY_MS);
    await bench.notifications.send();
    expect(await rowsIn('notification_deliveries')).toEqual([]);
    // The break still holds, so it is not told again.
    expect(await run()).toBe(0);
  });
});

function never(): never {
  throw new Error('nothing arrived');
}
