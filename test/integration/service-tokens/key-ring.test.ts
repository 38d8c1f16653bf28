import { execFile, fork } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AppError } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { createKeyRing } from '../../../src/service-tokens/testing';
import { recordingLogger } from '../../support/fakes';
import { hmacKey } from '../../support/hmac-key';

// Goal: the key file is created once, checked, and refreshed. Method: real files.

const folder = mkdtempSync(join(tmpdir(), 'millime-key-ring-'));
afterAll(() => rmSync(folder, { recursive: true }));

const K = hmacKey('filed').toString('base64url');
const SECRET = hmacKey('environment').toString('hex');
const KEY = { kid: 'one', kty: 'oct', alg: 'HS256', status: 'active', k: K };

let keysFile: string;
beforeEach(() => {
  const own = join(folder, randomBytes(8).toString('hex'));
  mkdirSync(own);
  keysFile = join(own, 'keys.json');
});

function writeKeys(...keys: unknown[]): void {
  writeFileSync(keysFile, JSON.stringify({ keys }), { mode: 0o600 });
}

const ring = (settings: { secret?: string } = {}, logger = silentLogger): ReturnType<typeof createKeyRing> =>
  createKeyRing({ keysFile, secret: settings.secret }, logger);

const kidsOf = async (keys: ReturnType<typeof createKeyRing>): Promise<string[]> => [
  ...(await keys.current()).byKid.keys(),
];

test('many concurrent starts create one common key', async () => {
  const logger = recordingLogger();
  const sets = await Promise.all(Array.from({ length: 20 }, () => ring({}, logger).current()));
  expect(new Set(sets.map(({ signing }) => signing[0]?.kid)).size).toBe(1);
  expect(new Set(sets.map(({ signing }) => signing[0]?.signs.export().toString('hex'))).size).toBe(1);
  expect(sets[0]?.signing[0]?.signs.symmetricKeySize).toBe(32);
  expect(logger.events('service_tokens.key_file_made')).toHaveLength(1);
  expect(readdirSync(dirname(keysFile))).toEqual(['keys.json']);
});

test('processes that start concurrently create one common key', async () => {
  const script = join(dirname(keysFile), 'start.cjs');
  const module = join(__dirname, '../../../src/service-tokens/key-file.ts');
  writeFileSync(
    script,
    `const { makeKeyFile, readKeyFile } = require(${JSON.stringify(module)});
     process.once('message', async () => {
       const how = await makeKeyFile(${JSON.stringify(keysFile)});
       const { keys } = await readKeyFile(${JSON.stringify(keysFile)});
       process.send({ how, kids: keys.map((key) => key.kid) });
       process.disconnect();
     });
     process.send('ready');`,
  );
  const children = Array.from({ length: 4 }, () => fork(script, { execArgv: ['--require', 'tsx/cjs'] }));
  const answer = (child: (typeof children)[number]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('error', reject);
      child.once('exit', () => reject(new Error('a process ended without an answer')));
    });
  await Promise.all(children.map(answer));
  const answers = children.map(answer);
  for (const child of children) child.send('go');
  const started = (await Promise.all(answers)) as { how: string; kids: string[] }[];
  expect(started.filter(({ how }) => how === 'made')).toHaveLength(1);
  expect(new Set(started.flatMap(({ kids }) => kids)).size).toBe(1);
});

test('a second start uses the key file of the first', async () => {
  const first = await ring().current();
  const before = readFileSync(keysFile, 'utf8');
  expect((await ring().current()).signing[0]?.kid).toBe(first.signing[0]?.kid);
  expect(readFileSync(keysFile, 'utf8')).toBe(before);
});

test('the first active key signs; the others verify, and the secret never signs', async () => {
  writeKeys({ ...KEY, status: 'verify_only' }, { ...KEY, kid: 'two' }, { ...KEY, kid: 'three' });
  const keys = await ring({ secret: SECRET }).current();
  expect(keys.signing.map(({ kid }) => kid)).toEqual(['two', 'three']);
  expect([...keys.byKid.keys()]).toEqual(['one', 'two', 'three']);
  expect(keys.withoutKid.map(({ kid, verifies }) => [kid, verifies.export().toString()])).toEqual([
    [undefined, SECRET],
  ]);
});

test.each<[string, () => void, RegExp]>([
  ['text that is not JSON', () => writeFileSync(keysFile, `{${K}`, { mode: 0o600 }), /is not valid JSON$/],
  ['an empty file', () => writeFileSync(keysFile, '', { mode: 0o600 }), /is not valid JSON$/],
  [
    'a short key',
    () => writeKeys({ ...KEY, k: K.slice(0, 22) + 'A' }),
    /must have its bytes|is shorter than 32 bytes$/,
  ],
  [
    'an unknown alg',
    () => writeKeys({ ...KEY, alg: 'HS512' }),
    /key 1 must have one of the alg HS256, EdDSA, ES256, RS256$/,
  ],
  ['one kid twice', () => writeKeys(KEY, KEY), /key 2 has the kid of an earlier key$/],
  [
    'a file that the group can read',
    () => (writeKeys(KEY), chmodSync(keysFile, 0o640)),
    /mode 640\); run chmod 600 on it$/,
  ],
  ['a file that all can read', () => (writeKeys(KEY), chmodSync(keysFile, 0o604)), /mode 604\); run chmod 600 on it$/],
  ['a folder', () => mkdirSync(keysFile, { mode: 0o700 }), /is not a file$/],
  ['a link to itself', () => symlinkSync(keysFile, keysFile), /cannot be read \(ELOOP\)$/],
  ['a link to nowhere', () => symlinkSync(join(folder, 'nowhere'), keysFile), /cannot be created \(EEXIST\)$/],
])('%s stops the start with one line that names the variable and shows no key', async (_name, arrange, message) => {
  arrange();
  const error: unknown = await ring()
    .current()
    .catch((reason: unknown) => reason);
  if (!(error instanceof AppError)) throw new Error('it did not stop');
  expect(error.code).toBe('misconfigured');
  expect(error.message).toMatch(/^SERVICE_JWT_KEYS_FILE: [^\n]*$/);
  expect(error.message).toMatch(message);
  expect(error.message).not.toContain(K.slice(0, 16));
});

test('a short secret stops the start with one line that does not show it', async () => {
  const secret = 'x'.repeat(31);
  const error: unknown = await ring({ secret })
    .current()
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'misconfigured', message: 'SERVICE_JWT_SECRET: is shorter than 32 bytes' });
});

test('S30: a guessable secret stops the start with one line that does not show it', async () => {
  const error: unknown = await ring({ secret: 'canary-canary-canary-canary-canary-' })
    .current()
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: 'misconfigured',
    message: 'SERVICE_JWT_SECRET: is easy to guess: it repeats a short text; create one with "openssl rand -hex 32"',
  });
});

test('a public key as the secret stops the start with one line that does not show it', async () => {
  const secret = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const error: unknown = await ring({ secret })
    .current()
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: 'misconfigured',
    message: 'SERVICE_JWT_SECRET: is another kind of key written as text, which is not a secret',
  });
});

test('no key file is created if a foreign issuer supplies the keys', async () => {
  const keys = createKeyRing({ keysFile, secret: undefined, foreign: {} }, silentLogger);
  expect((await keys.current()).signing).toEqual([]);
  expect(existsSync(keysFile)).toBe(false);
});

test('a start after a failed one tries again', async () => {
  writeFileSync(keysFile, '', { mode: 0o600 });
  const keys = ring();
  await expect(keys.current()).rejects.toMatchObject({ code: 'misconfigured' });
  writeKeys(KEY);
  expect(await kidsOf(keys)).toEqual(['one']);
});

test('a changed or replaced key file takes effect within a second', async () => {
  writeKeys(KEY);
  const logger = recordingLogger();
  const keys = ring({}, logger);
  expect(await kidsOf(keys)).toEqual(['one']);
  writeKeys({ ...KEY, kid: 'two' }, KEY);
  await sleep(1_000);
  expect(await kidsOf(keys)).toEqual(['two', 'one']);
  rmSync(keysFile);
  writeKeys({ ...KEY, kid: 'six' }, KEY);
  await sleep(1_000);
  expect((await keys.current()).signing[0]?.kid).toBe('six');
  expect(logger.events('service_tokens.keys_reloaded')).toHaveLength(2);
  expect(JSON.stringify(logger.entries)).not.toContain(K);
});

test('a key file that appears beside the secret is used within a second', async () => {
  const keys = ring({ secret: SECRET });
  expect((await keys.current()).signing).toEqual([]);
  writeKeys(KEY);
  await sleep(1_000);
  const now = await keys.current();
  expect(now.signing[0]?.kid).toBe('one');
  expect(now.withoutKid).toHaveLength(1);
});

test.each<[string, () => void]>([
  ['is unusable', () => writeFileSync(keysFile, 'half a fi')],
  ['is open to others', () => chmodSync(keysFile, 0o644)],
  ['is away', () => rmSync(keysFile)],
])(
  'the old keys stay in use while the changed file %s; one log line reports it until the next change',
  async (_name, spoil) => {
    writeKeys(KEY);
    const logger = recordingLogger();
    const keys = ring({}, logger);
    await keys.current();
    spoil();
    for (let look = 0; look < 3; look += 1) {
      await sleep(510);
      expect(await kidsOf(keys)).toEqual(['one']);
    }
    expect(logger.events('service_tokens.key_file_bad').map(({ level }) => level)).toEqual(['error']);
    rmSync(keysFile, { force: true });
    writeKeys({ ...KEY, kid: 'healed' });
    await sleep(1_000);
    expect(await kidsOf(keys)).toEqual(['healed']);
  },
);

test('a pipe in place of the key file is refused without waiting for its writer', async () => {
  await promisify(execFile)('mkfifo', ['-m', '600', keysFile]);
  await expect(ring().current()).rejects.toMatchObject({ message: /is not a file$/ });
});

test('a key file without keys takes effect, and does not prevent a start', async () => {
  writeKeys(KEY);
  const keys = ring();
  await keys.current();
  writeKeys();
  expect((await keys.refresh()).byKid.size).toBe(0);
  expect(await kidsOf(ring())).toEqual([]);
});

describe('The check of the key file for an unknown kid', () => {
  test('finds a key that was added just before, however recent the last check was', async () => {
    writeKeys(KEY);
    const keys = ring();
    expect(await kidsOf(keys)).toEqual(['one']);
    for (const kid of ['two', 'three', 'four']) {
      writeKeys({ ...KEY, kid }, KEY);
      expect([...(await keys.refresh()).byKid.keys()]).toEqual([kid, 'one']);
    }
  });

  test('is shared by all waiting callers, and the keys stay when the file is unusable', async () => {
    writeKeys(KEY);
    const logger = recordingLogger();
    const keys = ring({}, logger);
    await keys.current();
    writeFileSync(keysFile, '');
    const startedAt = performance.now();
    // Each crowd costs one look, and two looks are 50 ms apart.
    for (let crowd = 0; crowd < 5; crowd += 1) {
      const sets = await Promise.all(Array.from({ length: 1_000 }, () => keys.refresh()));
      expect(new Set(sets).size).toBe(1);
      expect([...(sets[0]?.byKid.keys() ?? [])]).toEqual(['one']);
    }
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(4 * 49);
    expect(logger.events('service_tokens.key_file_bad')).toHaveLength(1);
  });

  test('checks the permissions of the file each time', async () => {
    writeKeys(KEY);
    const logger = recordingLogger();
    const keys = ring({}, logger);
    await keys.current();
    writeKeys({ ...KEY, kid: 'two' });
    chmodSync(keysFile, 0o644);
    expect([...(await keys.refresh()).byKid.keys()]).toEqual(['one']);
    expect(logger.events('service_tokens.key_file_bad')).toHaveLength(1);
    chmodSync(keysFile, 0o600);
    expect([...(await keys.refresh()).byKid.keys()]).toEqual(['two']);
  });
});
