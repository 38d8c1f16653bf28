import { describe, expect, test } from '@jest/globals';
import { loadConfig, unsafeSettings } from '../../../src/config';

const PLAIN = 'the connection to another machine is not encrypted';
const GUESSABLE = 'easy to guess';
const STRONG = 'kE5r0Qy0cV3mPq7Z';

const judge = (environment: Record<string, string>): string[] => unsafeSettings(loadConfig(environment));

describe('unsafeSettings', () => {
  test.each<[string, Record<string, string>]>([
    ['the defaults', {}],
    ['S29: a database of this machine', { DATABASE_URL: 'mysql://u:password@127.0.0.1/d' }],
    ['S29: two hosts of this machine', { DATABASE_URL: 'mysql://u:password@127.0.0.1:1,localhost:2/d' }],
    ['S29: TLS to another machine', { DATABASE_URL: `mysql://u:${STRONG}@db.example/d?tls=required` }],
    ['S30: a random hint token', { GATEWAY_PRIVATE_KEY: 'k', HINT_TOKEN: 'x7Gq2LpWv' }],
    ['S30: the hint token of the private key', { GATEWAY_PRIVATE_KEY: 'password' }],
    ['S30: a hint token that nothing uses', { HINT_TOKEN: 'password' }],
    ['S30: a random passphrase', { BACKUP_PASSPHRASE: 'plinth-otter-vacuum-moss' }],
    ['an open host of metrics that are off', { METRICS_HOST: '0.0.0.0' }],
    ['metrics on the loopback address', { METRICS_PORT: '9464' }],
    ['S30: every loopback address', { HOST: '127.0.0.2' }],
    ['S30: the loopback address of IPv6', { HOST: '::1' }],
    ['S30: this machine by its name', { HOST: 'localhost' }],
    ['S30: an open address behind a named proxy', { HOST: '0.0.0.0', TRUSTED_PROXIES: '10.0.0.7' }],
  ])('accepts %s', (_name, environment) => {
    expect(judge(environment)).toEqual([]);
  });

  test.each<[string, Record<string, string>, string, string]>([
    [
      'metrics that other machines can read',
      { METRICS_HOST: '0.0.0.0', METRICS_PORT: '9464' },
      'METRICS_HOST',
      'without a key',
    ],
    ['S29: a plain connection', { DATABASE_URL: `mysql://u:${STRONG}@db.example/d` }, 'DATABASE_URL', PLAIN],
    ['S29: one host elsewhere', { DATABASE_URL: `mysql://u:${STRONG}@127.0.0.1,10.0.0.5/d` }, 'DATABASE_URL', PLAIN],
    [
      'S29: a plain connection of the migration user',
      { MIGRATION_DATABASE_URL: `mysql://u:${STRONG}@db.example/d` },
      'MIGRATION_DATABASE_URL',
      PLAIN,
    ],
    [
      'S30: a known password elsewhere',
      { DATABASE_URL: 'mysql://u:Passw0rd@db.example/d?tls=required' },
      'DATABASE_URL',
      GUESSABLE,
    ],
    ['S30: no password elsewhere', { DATABASE_URL: 'mysql://u@db.example/d?tls=required' }, 'DATABASE_URL', GUESSABLE],
    ['S30: a known hint token', { GATEWAY_PRIVATE_KEY: 'k', HINT_TOKEN: 'password' }, 'HINT_TOKEN', GUESSABLE],
    ['S30: a known passphrase', { BACKUP_PASSPHRASE: 'motdepasse2026' }, 'BACKUP_PASSPHRASE', GUESSABLE],
    ['S30: every address of IPv4', { HOST: '0.0.0.0' }, 'HOST', 'TRUSTED_PROXIES'],
    ['S30: every address of IPv6', { HOST: '::' }, 'HOST', 'TRUSTED_PROXIES'],
    ['S30: an address of the network', { HOST: '192.168.1.5' }, 'HOST', 'TRUSTED_PROXIES'],
  ])('warns of %s', (_name, environment, variable, text) => {
    const [warning, ...others] = judge(environment);
    expect(others).toEqual([]);
    expect(warning).toMatch(new RegExp(`^${variable}: .*${text}`));
    for (const secret of ['assw0rd', 'password;', 'motdepasse', STRONG]) expect(warning).not.toContain(secret);
  });
});
