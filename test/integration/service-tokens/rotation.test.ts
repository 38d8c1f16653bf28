import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database } from '../../../src/db';
import { openAuditTrail } from '../../../src/identity';
import { formatInstant, sha256Hex } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { createServiceTokens, KEY_ALGORITHMS, type ServiceTokens } from '../../../src/service-tokens';
import { acquireLock, type FileLock, readKeyFile, replaceKeyFile } from '../../../src/service-tokens/testing';
import { describeOnOneDatabase } from '../../support/db';
import { TESTER } from '../../support/factories';
import { type FixedClock, fixedClock } from '../../support/fakes';
import { hmacKey } from '../../support/hmac-key';
import { AUDIENCE, ISSUER, NOW, SECRET } from '../../unit/service-tokens/signed-token';

// Goal: a rotation loses no key, no token and no request, even if others use the file. Method: real files and locks.

const folder = mkdtempSync(join(tmpdir(), 'millime-rotation-'));
afterAll(() => rmSync(folder, { recursive: true }));

const DAY_SECONDS = 86_400;
const MINT = { subject: 'gateway', ttlSeconds: 90 * DAY_SECONDS, actor: TESTER };
const ROTATE = { alg: 'HS256', retire: false, actor: TESTER } as const;
const KEY = { kid: 'one', kty: 'oct', alg: 'HS256', status: 'active', k: hmacKey('filed').toString('base64url') };
const PUBLIC = {
  kid: 'public',
  alg: 'EdDSA',
  status: 'verify_only',
  ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }),
};

let clock: FixedClock;
let keysFile: string;
beforeEach(() => {
  clock = fixedClock(NOW);
  keysFile = join(folder, randomBytes(8).toString('hex'), 'keys.json');
});

function room(database: Database, secret?: string): ServiceTokens {
  const settings = { keysFile, secret, issuer: ISSUER, audience: AUDIENCE, foreign: undefined };
  return createServiceTokens({ database, clock, logger: silentLogger, settings });
}

function writeKeys(...keys: object[]): void {
  mkdirSync(dirname(keysFile), { recursive: true });
  writeFileSync(keysFile, JSON.stringify({ keys }), { mode: 0o600 });
}

interface Entry {
  readonly kid: string;
  readonly alg: string;
  readonly status: string;
}

const entries = (): Entry[] => (JSON.parse(readFileSync(keysFile, 'utf8')) as { keys: Entry[] }).keys;
const statuses = (): [string, string][] => entries().map(({ kid, status }) => [kid, status]);

describeOnOneDatabase('A key rotation', (harness) => {
  test('works for all algorithms: a new key signs immediately, and older tokens stay valid', async () => {
    const serviceTokens = room(harness.database);
    const server = room(harness.database);
    const tokens = [(await serviceTokens.mint(MINT)).token];
    for (const alg of KEY_ALGORITHMS) {
      const { kid, verifyOnly, retired } = await serviceTokens.rotate({ ...ROTATE, alg });
      expect(statuses()).toEqual([[kid, 'active'], ...verifyOnly.map((old) => [old, 'verify_only'])]);
      expect(retired).toEqual([]);
      const minted = await serviceTokens.mint(MINT);
      expect(minted).toMatchObject({ kid, alg });
      tokens.push(minted.token);
      for (const token of tokens) expect(await server.verify(`Bearer ${token}`)).toBeDefined();
    }
    expect(entries().map(({ alg }) => alg)).toEqual(['RS256', 'ES256', 'EdDSA', 'HS256', 'HS256']);
    expect(statSync(keysFile).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(keysFile))).toEqual(['keys.json']);
    expect((await serviceTokens.list({ limit: 100 })).rows.map(({ minted }) => minted?.alg).sort()).toEqual([
      'ES256',
      'EdDSA',
      'HS256',
      'HS256',
      'RS256',
    ]);
  });

  test('is named as the remedy when a token is minted for an algorithm without a key', async () => {
    const serviceTokens = room(harness.database);
    await serviceTokens.start();
    const wanted = { ...MINT, alg: 'ES256' } as const;
    await expect(serviceTokens.mint(wanted)).rejects.toMatchObject({
      code: 'bad_input',
      message: 'alg: expected the algorithm of an active key, got "ES256"; run "millime token rotate --alg ES256"',
    });
    await expect(serviceTokens.planMint(wanted)).rejects.toMatchObject({ code: 'bad_input' });
    const { kid } = await serviceTokens.rotate({ ...ROTATE, alg: 'ES256' });
    expect(await serviceTokens.mint(wanted)).toMatchObject({ kid, alg: 'ES256' });
  });

  test('leaves minting to the first active key of the algorithm', async () => {
    writeKeys(KEY, { ...KEY, kid: 'two', k: hmacKey('two').toString('base64url') });
    const serviceTokens = room(harness.database);
    expect((await serviceTokens.mint(MINT)).kid).toBe('one');
    expect((await serviceTokens.mint({ ...MINT, alg: 'HS256' })).kid).toBe('one');
  });

  test('is recorded with the new key before the file changes', async () => {
    const serviceTokens = room(harness.database);
    const { jti } = await serviceTokens.mint(MINT);
    clock.advance(1);
    const { kid } = await serviceTokens.rotate({ ...ROTATE, alg: 'EdDSA' });
    clock.advance(1);
    await serviceTokens.revoke(jti, TESTER);
    const { rows: trail } = await harness.database.read((session) => openAuditTrail(session).list({ limit: 10 }));
    expect(trail.map(({ action, subject, actorName }) => [action, subject, actorName])).toEqual([
      ['token.revoked', `token:${jti}`, 'test'],
      ['token.rotated', `token_key:${kid}`, 'test'],
      ['token.rotation_begun', `token_key:${kid}`, 'test'],
      ['token.minted', `token:${jti}`, 'test'],
    ]);
    const before = readFileSync(keysFile, 'utf8');
    const broken: Database = { ...harness.database, transact: () => Promise.reject(new Error('no database')) };
    await expect(room(broken).rotate(ROTATE)).rejects.toThrow('no database');
    expect(readFileSync(keysFile, 'utf8')).toBe(before);
    expect(readdirSync(dirname(keysFile))).toEqual(['keys.json']);
  });

  test('is recorded as begun when it fails before the file changes, and not recorded if the file would grow too long', async () => {
    writeKeys(KEY);
    const serviceTokens = room({
      ...harness.database,
      transact: async (...work) => {
        const done = await harness.database.transact(...work);
        writeKeys({ ...KEY, kid: 'edited' });
        return done;
      },
    });
    await expect(serviceTokens.rotate(ROTATE)).rejects.toMatchObject({ code: 'conflict' });
    const actions = async (): Promise<string[]> =>
      (await harness.database.read((session) => openAuditTrail(session).list({ limit: 10 }))).rows.map(
        ({ action }) => action,
      );
    expect(await actions()).toEqual(['token.rotation_begun']);
    writeKeys({ ...KEY, note: 'x'.repeat(256 * 1_024 - 200) });
    await expect(room(harness.database).rotate(ROTATE)).rejects.toMatchObject({ message: /is larger than/ });
    expect(await actions()).toEqual(['token.rotation_begun']);
  });

  test('creates the first key of an empty file, which before verifies and signs nothing', async () => {
    const serviceTokens = room(harness.database);
    const { token } = await serviceTokens.mint(MINT);
    writeKeys();
    await expect(serviceTokens.mint(MINT)).rejects.toMatchObject({
      message: /^SERVICE_JWT_KEYS_FILE: expected an active key to sign with/,
    });
    expect(await serviceTokens.verify(`Bearer ${token}`)).toBeUndefined();
    await room(harness.database).start();
    const { kid } = await serviceTokens.rotate(ROTATE);
    expect(statuses()).toEqual([[kid, 'active']]);
  });

  test('replaces a key file that was lost in production while tokens are valid; a start creates none', async () => {
    const { jti } = await room(harness.database).mint(MINT);
    rmSync(keysFile);
    const lost = {
      code: 'misconfigured',
      message: `SERVICE_JWT_KEYS_FILE: ${keysFile} is missing, and valid tokens need its keys; restore it, or run "millime token rotate" to begin with a new key`,
    };
    const serviceTokens = room(harness.database);
    await expect(serviceTokens.start()).rejects.toMatchObject(lost);
    await expect(serviceTokens.mint(MINT)).rejects.toMatchObject(lost);
    await expect(serviceTokens.planMint(MINT)).rejects.toMatchObject(lost);
    expect(existsSync(keysFile)).toBe(false);
    const { kid } = await serviceTokens.rotate(ROTATE);
    expect((await serviceTokens.mint(MINT)).kid).toBe(kid);
    rmSync(keysFile);
    for (const { jti: other } of (await serviceTokens.list({ limit: 100 })).rows) {
      await serviceTokens.revoke(other, TESTER);
    }
    expect((await serviceTokens.list({ limit: 100 })).rows.map((token) => token.jti)).toContain(jti);
    await room(harness.database).start();
    expect(entries()).toHaveLength(1);
  });

  test('removes the files that a killed process left, of which doctor warns', async () => {
    writeKeys(KEY);
    const id = '0'.repeat(26);
    const left = `${keysFile}.${deadPid()}.${id}.tmp`;
    const living = `${keysFile}.${process.pid}.${id}.tmp`;
    for (const path of [left, living]) writeFileSync(path, 'keys', { mode: 0o600 });
    const { warnings } = await room(harness.database).diagnose({ isDatabaseReady: true, instantText: formatInstant });
    const texts = warnings.map(({ text }) => text);
    expect(texts.filter((text) => text.includes('.tmp'))).toEqual([expect.stringContaining(left)]);
    await room(harness.database).rotate(ROTATE);
    expect([existsSync(left), existsSync(living)]).toEqual([false, true]);
  });

  test('drops only keys whose last token has expired when it retires keys', async () => {
    const key = (kid: string, status: string, fill: number): object => ({
      ...KEY,
      kid,
      status,
      k: hmacKey(String(fill)).toString('base64url'),
    });
    const mintWith = async (kid: string, fill: number, ttlSeconds: number): Promise<string> => {
      writeKeys(key(kid, 'active', fill));
      return (await room(harness.database).mint({ ...MINT, ttlSeconds })).jti;
    };
    await mintWith('expired', 1, 60);
    const revoked = await mintWith('revoked', 2, 10 * DAY_SECONDS);
    await mintWith('needed', 3, 61);
    await mintWith('signs', 5, 60);
    writeKeys(
      key('signs', 'active', 5),
      ...['expired', 'revoked', 'needed', 'never used'].map((kid, index) => key(kid, 'verify_only', index + 1)),
      PUBLIC,
    );
    const serviceTokens = room(harness.database);
    await serviceTokens.revoke(revoked, TESTER);
    clock.advance(60_000); // the end of a token is not part of its life

    const before = readFileSync(keysFile, 'utf8');
    const outcome = { verifyOnly: ['signs', 'needed', 'public'], retired: ['expired', 'revoked', 'never used'] };
    expect(await serviceTokens.rotate({ ...ROTATE, retire: true, dryRun: true })).toMatchObject({
      ...outcome,
      kid: undefined,
    });
    expect(readFileSync(keysFile, 'utf8')).toBe(before);
    const rotation = await serviceTokens.rotate({ ...ROTATE, retire: true });
    expect(rotation).toMatchObject(outcome);
    expect(statuses()).toEqual([
      [rotation.kid, 'active'],
      ['signs', 'verify_only'],
      ['needed', 'verify_only'],
      ['public', 'verify_only'],
    ]);
  });

  test('creates the key file if the secret was the only source of keys', async () => {
    const serviceTokens = room(harness.database, SECRET);
    await serviceTokens.start();
    const { kid } = await serviceTokens.rotate({ ...ROTATE, alg: 'EdDSA' });
    expect(statuses()).toEqual([[kid, 'active']]);
    expect(statSync(keysFile).mode & 0o777).toBe(0o600);
    expect((await serviceTokens.mint(MINT)).kid).toBe(kid);
  });

  test('keeps every key when several people rotate concurrently', async () => {
    await room(harness.database).start();
    const rotations = await Promise.all(
      Array.from({ length: 6 }, () => room(harness.database).rotate({ ...ROTATE, alg: 'EdDSA' })),
    );
    const kids = entries().map(({ kid }) => kid);
    expect(kids).toHaveLength(7);
    expect(new Set(kids)).toEqual(new Set([...rotations.map(({ kid }) => kid), kids.at(-1)]));
    expect(entries().filter(({ status }) => status === 'active')).toHaveLength(1);
    expect(readdirSync(dirname(keysFile))).toEqual(['keys.json']);
  });

  test('follows a symbolic link and leaves it a link', async () => {
    writeKeys(KEY);
    const real = keysFile;
    keysFile = join(dirname(real), 'link.json');
    symlinkSync('keys.json', keysFile);
    const { kid } = await room(harness.database).rotate(ROTATE);
    expect(lstatSync(keysFile).isSymbolicLink()).toBe(true);
    expect(lstatSync(real).isFile()).toBe(true);
    expect(entries()[0]?.kid).toBe(kid);
  });

  test.each<[string, object]>([
    ['a short secret', { ...KEY, k: Buffer.alloc(31, 1).toString('base64url') }],
    [
      'RSA of 1024 bits',
      {
        kid: 'weak',
        alg: 'RS256',
        status: 'active',
        ...generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey.export({ format: 'jwk' }),
      },
    ],
  ])('refuses a file with a weak key, as minting does: %s', async (_name, weak) => {
    writeKeys(weak, KEY);
    const serviceTokens = room(harness.database);
    await expect(serviceTokens.mint(MINT)).rejects.toMatchObject({ code: 'misconfigured', message: /is shorter than/ });
    await expect(serviceTokens.rotate(ROTATE)).rejects.toMatchObject({
      code: 'misconfigured',
      message: /is shorter than/,
    });
    expect((await serviceTokens.list({ limit: 100 })).rows).toEqual([]);
  });

  test('requires the scope tokens:manage', async () => {
    const actor = { ...TESTER, scopes: new Set(['agents:write'] as const) } as typeof TESTER;
    await expect(room(harness.database).rotate({ ...ROTATE, actor })).rejects.toMatchObject({ code: 'forbidden' });
    expect(existsSync(keysFile)).toBe(false);
  });
});

describe('The lock of the key file', () => {
  const hold = (holder: object): string => {
    writeKeys(KEY);
    const lock = `${keysFile}.lock`;
    writeFileSync(lock, JSON.stringify(holder));
    return lock;
  };

  test('is respected and named if its process lives, is on another machine or is unknown', async () => {
    const holders = [
      { pid: process.pid, host: hostname(), nonce: 'x' },
      { pid: deadPid(), host: `${hostname()}-other`, nonce: 'x' },
      {},
    ];
    await Promise.all(
      holders.map(async (holder, index) => {
        const lock = join(folder, `held-${index}.lock`);
        writeFileSync(lock, JSON.stringify(holder));
        await expect(acquireLock(lock)).rejects.toMatchObject({
          code: 'conflict',
          message: expect.stringContaining(`${lock} is locked by`),
        });
        expect(readFileSync(lock, 'utf8')).toBe(JSON.stringify(holder));
      }),
    );
  });

  test('is taken over by one process at a time if its owner died on this machine', async () => {
    for (let round = 0; round < 5; round += 1) {
      const lock = hold({ pid: deadPid(), host: hostname(), nonce: 'x' });
      let holders = 0;
      await Promise.all(
        Array.from({ length: 6 }, async () => {
          const held = await acquireLock(lock);
          holders += 1;
          expect(holders).toBe(1);
          expect(await held.isHeld()).toBe(true);
          holders -= 1;
          await held.release();
        }),
      );
      expect(readdirSync(dirname(keysFile))).toEqual(['keys.json']);
    }
  });

  test('blocks no process if it is empty and old, or its owner died while taking it', async () => {
    const lock = hold({ pid: deadPid(), host: hostname(), nonce: 'x' });
    const { ino, mtimeMs } = lstatSync(lock);
    const claim = `${lock}.${sha256Hex(`${ino}:${mtimeMs}:${readFileSync(lock, 'utf8')}`).slice(0, 16)}`;
    writeFileSync(claim, JSON.stringify({ pid: deadPid(), host: hostname(), nonce: 'y' }));
    await (await acquireLock(lock)).release();
    writeFileSync(lock, '');
    utimesSync(lock, new Date(0), new Date(0));
    await (await acquireLock(lock)).release();
    expect(readdirSync(dirname(keysFile))).toEqual(['keys.json']);
  });

  test('is not released by a process that lost it', async () => {
    const lock = hold({});
    rmSync(lock);
    const held = await acquireLock(lock);
    writeFileSync(lock, 'somebody else');
    expect(await held.isHeld()).toBe(false);
    await held.release();
    expect(readFileSync(lock, 'utf8')).toBe('somebody else');
  });
});

describe('A replacement of the key file', () => {
  const held: FileLock = { isHeld: async () => true, release: async () => undefined };

  test.each<[string, () => void, FileLock]>([
    ['an editor wrote it at the same time', () => writeKeys({ ...KEY, kid: 'edited' }), held],
    ['it was taken away', () => rmSync(keysFile), held],
    ['the lock was taken over', () => undefined, { ...held, isHeld: async () => false }],
  ])('is refused when %s, and changes nothing', async (_name, meanwhile, lock) => {
    writeKeys(KEY);
    const read = await readKeyFile(keysFile);
    if (read === undefined) throw new Error('there is no file');
    meanwhile();
    const before = existsSync(keysFile) ? readFileSync(keysFile, 'utf8') : undefined;
    const text = JSON.stringify({ keys: [{ ...KEY, kid: 'new' }] });
    await expect(replaceKeyFile(keysFile, read, text, lock)).rejects.toMatchObject({ code: 'conflict' });
    expect(existsSync(keysFile) ? readFileSync(keysFile, 'utf8') : undefined).toBe(before);
    expect(readdirSync(dirname(keysFile)).filter((name) => name !== 'keys.json')).toEqual([]);
  });

  test('is refused for an invalid text', async () => {
    writeKeys(KEY);
    const read = await readKeyFile(keysFile);
    if (read === undefined) throw new Error('there is no file');
    await expect(replaceKeyFile(keysFile, read, '{"keys":[{}]}', held)).rejects.toMatchObject({
      code: 'misconfigured',
    });
    expect(entries()[0]?.kid).toBe('one');
  });

  (process.getuid?.() === 0 ? test : test.skip)('by root leaves it to the user whose it was', async () => {
    writeKeys(KEY);
    chownSync(keysFile, 65_534, 65_534);
    const read = await readKeyFile(keysFile);
    if (read === undefined) throw new Error('there is no file');
    await replaceKeyFile(keysFile, read, JSON.stringify({ keys: [{ ...KEY, kid: 'new' }] }), held);
    const { uid, gid, mode } = statSync(keysFile);
    expect([uid, gid, mode & 0o777]).toEqual([65_534, 65_534, 0o600]);
  });
});

/** The id of a process that has just ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}
