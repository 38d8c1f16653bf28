import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { compose } from '../../src/compose';
import { loadConfig } from '../../src/config';
import { OPERATOR } from '../../src/identity';
import { formatInstant, MINUTE_MS } from '../../src/kernel';
import { silentLogger } from '../../src/logging';
import { describeOnEachDialect, freshDatabase } from '../support/db';
import { headerOf, startMailServer } from '../support/mail-server';
import { makeCertificate } from '../support/self-signed';
import { ServerProcess } from '../support/server-process';
import { testRun } from '../support/test-run';
import { until } from './support/until';

// Goal: a process that is killed after the mail server has a message, and before it stores that, loses nothing: another
// process sends the message again, and its Message-ID tells that it is the same.
// Method: the mail server kills the process when the whole message has arrived. It changes to TLS (STARTTLS) with a
// certificate that only the processes trust.

const STARTED = Date.parse('2026-03-03T09:00:00+01:00');
const LIMIT_MS = 90_000;

describeOnEachDialect('a message whose sender is killed', (dialect) => {
  test(
    'is sent again by another process, with the same id and over TLS',
    async () => {
      const folder = mkdtempSync(join(testRun.folder, 'notify-'));
      const { url } = await freshDatabase(dialect);
      const certificate = makeCertificate({ hosts: ['127.0.0.1'] });
      const [clockFile, caFile] = [join(folder, 'clock'), join(folder, 'ca.pem')];
      const setClock = (ms: number): void => writeFileSync(clockFile, formatInstant(ms));
      writeFileSync(caFile, certificate.cert);
      setClock(STARTED);
      const mail = await startMailServer({ disabledCommands: [], ...certificate });
      const environment = {
        ...{ DATABASE_URL: url, CLOCK_FILE: clockFile, NODE_EXTRA_CA_CERTS: caFile },
        SERVICE_JWT_KEYS_FILE: join(folder, 'keys.json'),
        ...{ SMTP_URL: `smtp://127.0.0.1:${mail.port}?tls=required`, SMTP_FROM: 'millime@bank.example' },
      };
      const { NODE_EXTRA_CA_CERTS: _ca, ...settings } = environment;
      const millime = compose(loadConfig(settings), silentLogger);
      const processes: ServerProcess[] = [];
      const serve = async (minutes: number): Promise<ServerProcess> => {
        const started = await ServerProcess.start(environment);
        processes.push(started);
        setClock(STARTED + minutes * MINUTE_MS);
        return started;
      };
      try {
        const place = { way: 'email', address: 'ops@bank.example', kinds: ['failed_job'], language: 'fr' } as const;
        const { recipient } = await millime.notifications.add({ ...place, actor: OPERATOR });
        const messageId = await millime.notifications.test(recipient.id, OPERATOR);
        mail.onMail(async () => {
          mail.onMail(() => Promise.resolve());
          await processes[0]?.kill9();
        });
        await serve(1);
        await until('the first copy', () => mail.mails.length === 1);
        await processes[0]?.exited;
        // The leases of the killed process end.
        await millime.database.transact(async (session) => {
          await session('notification_deliveries').update({ lease_until: 0 });
          await session('job_runs').where('status', 'running').update({ lease_until: 0 });
        });
        await serve(2);
        await until('the message is stored as sent', async () => {
          const { deliveries } = await millime.notifications.list(OPERATOR);
          return deliveries.every(({ state }) => state === 'sent');
        });
        expect(mail.mails.map((each) => headerOf(each, 'Message-ID'))).toEqual([
          `<${messageId}@bank.example>`,
          `<${messageId}@bank.example>`,
        ]);
        expect(mail.mails.map(({ isEncrypted }) => isEncrypted)).toEqual([true, true]);
        expect(processes.map(({ output }) => output).join()).not.toContain('ops@bank.example');
      } finally {
        await Promise.all(processes.map((each) => each.kill9()));
        await millime.close();
        await mail.stop();
      }
    },
    LIMIT_MS,
  );
});
