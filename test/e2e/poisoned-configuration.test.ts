import { chmodSync, mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeOnMariaDb, freshDatabase, unmigratedDatabaseUrl } from '../support/db';
import { runCli } from '../support/server-process';
import { rocaKeyPair } from '../unit/service-tokens/roca-key';
import { call } from './support/call';
import { Installation } from './support/installation';

// Goal: a bad or missing setting stops the start immediately with one line that names the variable and shows no secret,
// and doctor finds it before.
// Method: one setting made bad at a time, in an otherwise working installation; the output is searched for every
// secret.

const CANARY = 'canary-3f9a61c07be24d58a1c6e0b7d2f4983a';

type Poison = (millime: Installation) => Record<string, string> | Promise<Record<string, string>>;

let taken: Server;

beforeAll(async () => {
  taken = createServer((socket) => void socket.destroy());
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  await new Promise((resolve) => taken.close(resolve));
});

function takenPort(): string {
  return String((taken.address() as { port: number }).port);
}

/** Leaves the variable out, so that a key file is needed. */
const NO_SECRET = 'no secret';

async function expectRefusal(millime: Installation, poison: Record<string, string>, variable: string): Promise<void> {
  const env = { ...millime.env, PORT: '0', SERVICE_JWT_SECRET: `${CANARY}-secret`, ...poison };
  if (env.SERVICE_JWT_SECRET === NO_SECRET) delete (env as Partial<typeof env>).SERVICE_JWT_SECRET;
  const { code, stdout, stderr } = await runCli(['serve'], env);
  expect(stderr).toMatch(new RegExp(`^millime: [^\\n]*\\b${variable}\\b[^\\n]*\\n$`));
  expect(code).toBe(1);
  expect(stdout + stderr).not.toContain('canary');
  expect(stdout).not.toContain('listening');
  const doctor = await runCli(['doctor'], env);
  const problems = doctor.stdout.split('\n').filter((line) => line.startsWith('problem: '));
  expect([doctor.code, `${problems.join('\n')}${doctor.stderr}`]).toEqual([
    1,
    expect.stringMatching(`\\b${variable}\\b`),
  ]);
  expect(doctor.stdout + doctor.stderr).not.toContain('canary');
}

describe('F24: serve refuses to start', () => {
  test('never with a valid configuration', async () => {
    const millime = new Installation((await freshDatabase('sqlite')).url);
    const service = await millime.serve({ env: { SERVICE_JWT_SECRET: `${CANARY}-secret` } });
    expect((await call(service.baseUrl, { method: 'GET', path: '/readyz' })).status).toBe(200);
    expect(service.output).not.toContain('canary');
    // The port is taken, by Millime itself.
    const { port } = new URL(service.baseUrl);
    const env = { ...millime.env, SERVICE_JWT_SECRET: `${CANARY}-secret`, PORT: port };
    expect((await runCli(['doctor'], env)).code).toBe(0);
  });

  test.each<[string, string, Poison]>([
    ['an empty secret', 'SERVICE_JWT_SECRET', () => ({ SERVICE_JWT_SECRET: '' })],
    ['an empty DATABASE_URL', 'DATABASE_URL', () => ({ DATABASE_URL: '' })],
    ['a secret of 31 bytes', 'SERVICE_JWT_SECRET', () => ({ SERVICE_JWT_SECRET: CANARY.slice(0, 31) })],
    ['S30: a secret of one letter', 'SERVICE_JWT_SECRET', () => ({ SERVICE_JWT_SECRET: 'a'.repeat(32) })],
    ['S30: a secret that repeats', 'SERVICE_JWT_SECRET', () => ({ SERVICE_JWT_SECRET: 'canary'.repeat(6) })],
    [
      'S30: a secret of an example',
      'SERVICE_JWT_SECRET',
      () => ({ SERVICE_JWT_SECRET: 'your-super-secret-jwt-token-with-at-least-32-characters-long' }),
    ],
    [
      'S31: a key of a faulty chip',
      'SERVICE_JWT_KEYS_FILE',
      (millime) => {
        const jwk = rocaKeyPair().privateKey.export({ format: 'jwk' });
        const text = JSON.stringify({ keys: [{ ...jwk, kid: 'one', alg: 'RS256', status: 'active' }] });
        return { SERVICE_JWT_KEYS_FILE: ownersOnly(millime.file('roca.json', text)) };
      },
    ],
    ['a DATABASE_URL of another kind', 'DATABASE_URL', () => ({ DATABASE_URL: `postgres://u:${CANARY}@localhost/db` })],
    ['a DATABASE_URL without a database', 'DATABASE_URL', () => ({ DATABASE_URL: `mysql://u:${CANARY}@localhost` })],
    ['a bad MIGRATION_DATABASE_URL', 'MIGRATION_DATABASE_URL', () => ({ MIGRATION_DATABASE_URL: `my:${CANARY}` })],
    ['a MariaDB that is not there', 'DATABASE_URL', () => ({ DATABASE_URL: `mysql://u:${CANARY}@127.0.0.1:1/db` })],
    [
      'a database file that is none',
      'DATABASE_URL',
      (millime) => ({ DATABASE_URL: `sqlite:${millime.file('not-a-database', `${CANARY}\n`.repeat(50))}` }),
    ],
    [
      'a database file in a folder that cannot be',
      'DATABASE_URL',
      (millime) => ({ DATABASE_URL: `sqlite:${millime.file('a-file', '')}/millime.sqlite3` }),
    ],
    [
      'a key file that cannot be made',
      'SERVICE_JWT_KEYS_FILE',
      (millime) => ({
        SERVICE_JWT_SECRET: NO_SECRET,
        SERVICE_JWT_KEYS_FILE: `${millime.file('a-file', '')}/keys.json`,
      }),
    ],
    [
      'a key file that is a folder',
      'SERVICE_JWT_KEYS_FILE',
      (millime) => {
        mkdirSync(`${millime.folder}/keys-folder`);
        return { SERVICE_JWT_KEYS_FILE: `${millime.folder}/keys-folder` };
      },
    ],
    [
      'a key file that is no JSON',
      'SERVICE_JWT_KEYS_FILE',
      (millime) => ({ SERVICE_JWT_KEYS_FILE: ownersOnly(millime.file('bad.json', `{"keys": "${CANARY}`)) }),
    ],
    [
      'a key file without keys',
      'SERVICE_JWT_KEYS_FILE',
      (millime) => ({ SERVICE_JWT_KEYS_FILE: ownersOnly(millime.file('empty.json', `{"${CANARY}": []}`)) }),
    ],
    [
      'a key file that others may read',
      'SERVICE_JWT_KEYS_FILE',
      async (millime) => {
        await millime.token(); // makes a good one
        chmodSync(millime.env['SERVICE_JWT_KEYS_FILE'] as string, 0o644);
        return {};
      },
    ],
    ['a PORT that is a word', 'PORT', () => ({ PORT: 'http' })],
    ['a PORT above 65535', 'PORT', () => ({ PORT: '65536' })],
    ['a PORT that is taken', 'PORT', () => ({ PORT: takenPort() })],
    ['a HOST that is not ours', 'HOST', () => ({ HOST: '203.0.113.77' })],
    ['a METRICS_PORT that is taken', 'METRICS_PORT', () => ({ METRICS_PORT: takenPort() })],
    ['a CLOCK_FILE that is not there', 'CLOCK_FILE', (millime) => ({ CLOCK_FILE: `${millime.folder}/no-clock` })],
    ['a CLOCK_FILE without an instant', 'CLOCK_FILE', (millime) => ({ CLOCK_FILE: millime.file('noon', 'noon\n') })],
    [
      'a CLOCK_FILE in production',
      'CLOCK_FILE',
      (millime) => ({ NODE_ENV: 'production', CLOCK_FILE: millime.file('clock', '2026-03-02T09:00:00Z\n') }),
    ],
    ['a HOLIDAYS_FILE that is not there', 'HOLIDAYS_FILE', (millime) => ({ HOLIDAYS_FILE: `${millime.folder}/none` })],
    [
      'a HOLIDAYS_FILE with a bad day',
      'HOLIDAYS_FILE',
      (millime) => ({ HOLIDAYS_FILE: millime.file('holidays.csv', 'date,name\n2026-02-30,Nothing\n') }),
    ],
    [
      'a STATEMENT_PROFILES_FILE that is not there',
      'STATEMENT_PROFILES_FILE',
      (millime) => ({ STATEMENT_PROFILES_FILE: `${millime.folder}/none.json` }),
    ],
    [
      'a STATEMENT_PROFILES_FILE that says nothing',
      'STATEMENT_PROFILES_FILE',
      (millime) => ({ STATEMENT_PROFILES_FILE: millime.file('profiles.json', '{"profiles": [{"name": 1}]}') }),
    ],
    ['a BUSINESS_TIMEZONE that is unknown', 'BUSINESS_TIMEZONE', () => ({ BUSINESS_TIMEZONE: 'Africa/Carthage' })],
    ['a LOG_LEVEL that is unknown', 'LOG_LEVEL', () => ({ LOG_LEVEL: 'loud' })],
    ['a limit that is no amount', 'SERVICE_CONFIRM_MAX_MILLIMES', () => ({ SERVICE_CONFIRM_MAX_MILLIMES: '1,5' })],
  ])('with %s', async (_name, variable, poison) => {
    const millime = new Installation((await freshDatabase('sqlite')).url);
    await expectRefusal(millime, await poison(millime), variable);
  });

  test('and names every bad variable in one line', async () => {
    const millime = new Installation((await freshDatabase('sqlite')).url);
    const poison = { PORT: '-1', LOG_LEVEL: 'loud', DATABASE_URL: `oracle:${CANARY}` };
    for (const variable of Object.keys(poison)) await expectRefusal(millime, poison, variable);
  });
});

describe('S30: serve and doctor warn', () => {
  test('of settings that can be guessed or are open, without a part of them', async () => {
    const millime = new Installation((await freshDatabase('sqlite')).url, {
      env: {
        HOST: '0.0.0.0',
        GATEWAY_PRIVATE_KEY: 'sk_of_the_test',
        HINT_TOKEN: 'canarycanarycanary',
        BACKUP_PASSPHRASE: 'motdepasse1234',
      },
    });
    await millime.token();
    const variables = ['HOST', 'HINT_TOKEN', 'BACKUP_PASSPHRASE'];
    const doctor = await millime.json<{ ok: boolean; warnings: string[] }>(['doctor']);
    expect(doctor.ok).toBe(true);
    expect(doctor.warnings.map((warning) => warning.split(':', 1)[0])).toEqual(expect.arrayContaining(variables));
    const service = await millime.serve({ env: { HOST: '127.0.0.1' } });
    const unsafe = service.output.split('\n').filter((line) => line.includes('"config.unsafe"'));
    for (const variable of variables.slice(1)) {
      expect(unsafe.some((line) => line.includes(`"detail":"${variable}: `))).toBe(true);
    }
    expect(JSON.stringify(doctor) + service.output).not.toMatch(/canary|motdepasse/);
  });

  test('of nothing in a safe installation', async () => {
    const millime = new Installation((await freshDatabase('sqlite')).url);
    await millime.token();
    expect(await millime.json(['doctor'])).toMatchObject({ ok: true, warnings: [] });
    expect((await millime.serve()).output).not.toContain('config.unsafe');
  });
});

describeOnMariaDb('F24: serve refuses to start on MariaDB', () => {
  test('while migrations are missing, and starts after "millime migrate"', async () => {
    const millime = new Installation(await unmigratedDatabaseUrl('mariadb'));
    await expectRefusal(millime, {}, 'DATABASE_URL');
    expect((await millime.cli('serve')).stderr).toContain('millime migrate');
    expect((await millime.cli('migrate')).code).toBe(0);
    const service = await millime.serve();
    expect((await call(service.baseUrl, { method: 'GET', path: '/readyz' })).status).toBe(200);
  });

  test.each<[string, (url: string) => string]>([
    ['with a user that the server does not let in', (url) => url.replace(/\/\/[^@]+@/, `//nobody:${CANARY}@`)],
    ['with a database that is not there', (url) => url.replace(/\/[^/]+$/, '/no_such_database')],
  ])('%s', async (_name, change) => {
    const { url } = await freshDatabase('mariadb');
    await expectRefusal(new Installation(url), { DATABASE_URL: change(url) }, 'DATABASE_URL');
  });
});

function ownersOnly(path: string): string {
  chmodSync(path, 0o600);
  return path;
}
