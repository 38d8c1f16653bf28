// Goal: with tls=required a connection reaches the right server inside TLS, or none at all.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Database, openDatabase, tlsFault } from '../../../src/db';
import { silentLogger } from '../../../src/logging';
import { describeWithOwnMariaDb, parsedUrl, rawConnection } from '../../support/db';
import { startFakeMariaDb } from '../../support/fake-mariadb';
import { MariaDbServer } from '../../support/mariadb-server';
import { type Certified, makeCertificate } from '../../support/self-signed';
import { testRun } from '../../support/test-run';

const PASSWORD = 'canary-7d20';

let folder: string;
let authority: Certified;

beforeAll(() => {
  folder = mkdtempSync(join(testRun.folder, 'tls-'));
  authority = makeCertificate({});
  file('ca.pem', authority.cert);
  file('foreign.pem', makeCertificate({}).cert);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function withTls(hosts: string, ca: string | null = 'ca.pem'): string {
  const option = ca === null ? '' : `&ca=${encodeURIComponent(join(folder, ca))}`;
  return `mysql://tls_user:${PASSWORD}@${hosts}/millime?tls=required${option}`;
}

async function using<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(parsedUrl(url), silentLogger);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** The version of TLS that a connection uses; empty without TLS. */
function tlsVersion(url: string): Promise<unknown> {
  return using(url, (database) =>
    database.read(async (session) => (await session.raw(`show status like 'Ssl_version'`))[0]?.['Value']),
  );
}

/** Why a connection cannot be opened. */
async function refusal(url: string): Promise<string | undefined> {
  try {
    await using(url, (database) => database.pool.raw('select 1'));
    return undefined;
  } catch (error) {
    return tlsFault(error) ?? String(error);
  }
}

describeWithOwnMariaDb('S23, S29: a connection with tls=required', () => {
  let server: MariaDbServer;

  beforeAll(async () => {
    const names = ['ca', 'cert', 'key'].map((name) => `--ssl-${name}=${join(folder, `server-${name}.pem`)}`);
    server = await MariaDbServer.create({ flags: names });
    file('server-ca.pem', authority.cert);
    certify(makeCertificate({ hosts: ['127.0.0.1', 'localhost'], signedBy: authority }));
    await server.start();
    const root = await rawConnection(server.url('mysql'));
    await root.query('create database millime');
    await root.query(`create user tls_user@'%' identified by '${PASSWORD}'`);
    await root.query('grant all on millime.* to tls_user');
    await root.end();
  });

  afterAll(() => server.remove());

  function certify({ key, cert }: Certified): void {
    file('server-key.pem', key);
    file('server-cert.pem', cert);
  }

  async function recertify(certified: Certified): Promise<void> {
    certify(certified);
    const root = await rawConnection(server.url('mysql'));
    await root.query('flush ssl');
    await root.end();
  }

  test('is encrypted, whether the URL has the address or the name of the server', async () => {
    await recertify(makeCertificate({ hosts: ['127.0.0.1', 'localhost'], signedBy: authority }));
    expect(await tlsVersion(withTls(`127.0.0.1:${server.port}`))).toMatch(/^TLSv1\.[23]$/);
    expect(await tlsVersion(withTls(`localhost:${server.port}`))).toMatch(/^TLSv1\.[23]$/);
    expect(await tlsVersion(withTls(`127.0.0.1:${server.port}`).replace(/\?.*/, ''))).toBe('');
  });

  test.each<[string, () => Certified, string, string | null, RegExp]>([
    ['an authority that is not in the CA file', trusted, '127.0.0.1', 'foreign.pem', /no known authority/],
    ['an authority that Node does not know', trusted, '127.0.0.1', null, /no known authority/],
    ['itself', () => makeCertificate({ hosts: ['127.0.0.1'] }), '127.0.0.1', 'ca.pem', /no known authority/],
    ['the right authority for another name', () => trusted('db.example'), 'localhost', 'ca.pem', /for another host/],
    ['the right authority for another address', () => trusted('127.0.0.2'), '127.0.0.1', 'ca.pem', /another host/],
    // An address is not a name: what is valid for "localhost" proves nothing about an address.
    ['the right authority for localhost', () => trusted('localhost'), '127.0.0.1', 'ca.pem', /for another host/],
    ['the right authority until 2021', expired, '127.0.0.1', 'ca.pem', /has expired/],
  ])('is refused for a certificate signed by %s', async (_by, certified, host, ca, fault) => {
    await recertify(certified());
    expect(await refusal(withTls(`${host}:${server.port}`, ca))).toMatch(fault);
  });

  test('goes to the next host when the first one has no TLS or a foreign certificate', async () => {
    await recertify(trusted());
    const without = await startFakeMariaDb();
    const foreign = await startFakeMariaDb(makeCertificate({ hosts: ['127.0.0.1'] }));
    const hosts = [without, foreign, server].map(({ port }) => `127.0.0.1:${port}`).join(',');
    expect(await tlsVersion(withTls(hosts))).toMatch(/^TLSv1/);
    expect([without.connections(), foreign.connections()]).toEqual([1, 1]);
  });
});

function trusted(...hosts: string[]): Certified {
  return makeCertificate({ hosts: hosts.length === 0 ? ['127.0.0.1'] : hosts, signedBy: authority });
}

function expired(): Certified {
  return makeCertificate({ hosts: ['127.0.0.1'], signedBy: authority, until: '20210101000000Z' });
}

describe('S23, S29: a server that cannot prove itself', () => {
  test('gets nothing at all if it offers no TLS', async () => {
    const server = await startFakeMariaDb();
    expect(await refusal(withTls(`127.0.0.1:${server.port}`))).toBe('the server offers no TLS');
    expect(server.connections()).toBe(1);
    expect(server.plain()).toHaveLength(0);
  });

  test.each<[string, () => Certified]>([
    ['has a foreign certificate', () => makeCertificate({ hosts: ['127.0.0.1'] })],
    ['has the certificate of another host', () => trusted('localhost')],
    ['has an expired certificate', expired],
  ])('gets neither user nor password if it %s', async (_case, certified) => {
    const server = await startFakeMariaDb(certified());
    expect(await refusal(withTls(`127.0.0.1:${server.port}`))).toMatch(/certificate/);
    expect(server.connections()).toBe(1);
    expect(server.plain()).toHaveLength(0);
    expect(server.inTls()).toHaveLength(0);
  });

  test('gets the user inside TLS once it has proven itself', async () => {
    const server = await startFakeMariaDb(trusted());
    await refusal(withTls(`127.0.0.1:${server.port}`)); // it never answers
    expect(server.plain()).toHaveLength(0);
    expect(server.inTls().includes('tls_user')).toBe(true);
  });

  test('makes a running service answer that the database is unavailable', async () => {
    const server = await startFakeMariaDb();
    const reading = using(withTls(`127.0.0.1:${server.port}`), (database) =>
      database.read((session) => session.raw('select 1')),
    );
    await expect(reading).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('S29: a CA file', () => {
  test.each<[string, string | undefined, string]>([
    ['is not there', undefined, 'cannot be read (ENOENT)'],
    ['is empty', '', 'contains no certificate in PEM form'],
    ['has a key instead', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n', 'contains no certificate'],
    ['is damaged', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', 'that cannot be read'],
  ])('that %s is refused before any connection', (_case, text, fault) => {
    if (text !== undefined) file('bad.pem', text);
    const url = withTls('127.0.0.1:1', text === undefined ? 'none.pem' : 'bad.pem');
    expect(() => openDatabase(parsedUrl(url), silentLogger, 'MIGRATION_DATABASE_URL')).toThrow(
      new RegExp(`MIGRATION_DATABASE_URL.*${fault.replace(/[()]/g, '\\$&')}`),
    );
  });
});
