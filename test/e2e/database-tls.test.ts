import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithOwnMariaDb, rawConnection } from '../support/db';
import { MariaDbServer } from '../support/mariadb-server';
import { makeCertificate } from '../support/self-signed';
import { call } from './support/call';
import { blocksBelow, DocumentShell } from './support/document-commands';
import { Installation } from './support/installation';

// Goal: every way in which Millime and its scripts reach a server uses TLS, and says so when it cannot.
// Method: a server that accepts TLS only, whose certificate the test signs.

const PASSWORD = 'canary-9b41c7';

describeWithOwnMariaDb('S29: Millime with a MariaDB server that accepts TLS only', () => {
  let server: MariaDbServer;
  let millime: Installation;
  let plainUrl: string;
  let foreign: string;

  beforeAll(async () => {
    const { folder } = new Installation('');
    // The documented commands make the authority and the server's certificate.
    const shell = new DocumentShell(folder, { DATABASE_HOST: 'localhost', DATABASE_ADDRESS: '127.0.0.1' });
    const [commands = ''] = blocksBelow('### Encrypt the connection to MariaDB', 'sh');
    expect(await shell.run(commands)).toMatchObject({ code: 0 });
    const ca = join(folder, 'ca.pem');
    foreign = join(folder, 'foreign.pem');
    writeFileSync(foreign, makeCertificate({}).cert);
    const flags = [`ca=${ca}`, `cert=${join(folder, 'server.pem')}`, `key=${join(folder, 'server.key')}`];
    server = await MariaDbServer.create({
      flags: [...flags.map((flag) => `--ssl-${flag}`), '--log-bin=log', '--server-id=1'],
    });
    await server.start();
    const root = await rawConnection(server.url('mysql'));
    await root.query('create database millime character set utf8mb4');
    await root.query(`create user millime_all@'%' identified by '${PASSWORD}'`);
    await root.query(`grant all on *.* to millime_all@'%'`);
    await root.query('set global require_secure_transport = on');
    await root.end();
    plainUrl = `mysql://millime_all:${PASSWORD}@127.0.0.1:${server.port}/millime`;
    millime = new Installation(`${plainUrl}?tls=required&ca=${ca}`);
    await millime.json(['migrate']);
  }, 120_000);

  afterAll(() => server.remove());

  test('migrates, serves, posts and diagnoses itself inside TLS', async () => {
    await millime.seedAgents(['004711'], 120_000);
    const service = await millime.serve();
    expect((await call(service.baseUrl, { method: 'GET', path: '/readyz' })).status).toBe(200);
    expect(await millime.brokenInvariants()).toEqual([]);
    expect(await millime.json(['doctor'])).toMatchObject({ ok: true, databaseTls: 'required' });
  });

  test.each<[string, (url: string) => string, string]>([
    ['without TLS', () => plainUrl, 'ER_ACCESS_DENIED_ERROR'], // what the server answers
    ['without the CA file', (url) => url.replace(/&ca.*/, ''), 'no known authority signed the certificate'],
    ['with a foreign CA file', (url) => url.replace(/ca=.*/, `ca=${foreign}`), 'no known authority signed'],
  ])('reports a connection %s by doctor and at start', async (_name, change, fault) => {
    const other = new Installation(change(millime.url));
    await other.cli('token', 'rotate');
    for (const command of ['serve', 'doctor', 'migrate']) {
      const { code, stdout, stderr } = await other.cli(command);
      expect(code).toBe(1);
      expect(stdout + stderr).toContain('DATABASE_URL: the database cannot be used (');
      expect(stdout + stderr).toContain(fault);
      expect(stdout + stderr).not.toContain('canary');
    }
  });

  test('names the variable whose server has no TLS, and sends it nothing', async () => {
    const plain = await MariaDbServer.create({ flags: ['--skip-ssl'] });
    try {
      await plain.start();
      const other = new Installation(millime.url, {
        env: { MIGRATION_DATABASE_URL: `${plain.url('mysql')}?tls=required` },
      });
      const { code, stderr } = await other.cli('migrate');
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /\nmillime: MIGRATION_DATABASE_URL: the database cannot be used \(the server offers no TLS\)\n$/,
      );
    } finally {
      await plain.remove();
    }
  });

  test('dumps and restores by its printed scripts inside TLS', async () => {
    const login = join(millime.folder, 'login.cnf');
    writeFileSync(login, `[client]\nuser=millime_all\npassword=${PASSWORD}\n`, { mode: 0o600 });
    const backup = join(millime.folder, 'dump.sql');
    const shell = new DocumentShell(millime.folder, {
      ...millime.env,
      ...{ BACKUP_LOGIN: login, RESTORE_LOGIN: login, BINLOGS: '', BACKUP_PASSPHRASE: 'a passphrase of the test' },
    });
    await millime.cli('token', 'rotate');
    const dumped = await shell.run(`millime backup ${backup} --commands > backup.sh\nsh -eu backup.sh`);
    expect(dumped).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(backup, 'utf8')).toContain('Dump completed');
    const root = await rawConnection(millime.url.replace(/\?.*/, ''), {
      ssl: { rejectUnauthorized: false },
    });
    await root.query('drop database millime');
    await root.end();
    const restored = await shell.run(`millime restore ${backup} --commands > restore.sh\nsh -eu restore.sh`);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    expect(await millime.brokenInvariants()).toEqual([]);

    const script = readFileSync(join(millime.folder, 'backup.sh'), 'utf8');
    writeFileSync(
      join(millime.folder, 'other.sh'),
      script.replaceAll('dump.sql', 'other.sql').replace(/--ssl-ca='?[^' ]+'?/, `--ssl-ca=${foreign}`),
    );
    const refused = await shell.run('sh -eu other.sh');
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/certificate|SSL|TLS/);
  });
});
