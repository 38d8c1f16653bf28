import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Database, openDatabase } from '../../../src/db';
import { OPERATOR } from '../../../src/identity';
import { silentLogger } from '../../../src/logging';
import { createServiceTokens, type ServiceTokens } from '../../../src/service-tokens';
import { describeOnEachDatabase, parsedUrl } from '../../support/db';
import { TESTER } from '../../support/factories';
import { type FixedClock, fixedClock, recordingLogger } from '../../support/fakes';
import { AUDIENCE, CLAIMS, ISSUER, NOW, SECRET, signedToken } from '../../unit/service-tokens/signed-token';

// Goal: tokens are minted, revoked and verified on real databases and real key files, also by two concurrent instances.

const folder = mkdtempSync(join(tmpdir(), 'millime-service-tokens-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PROMISED_MS = 1_000;
const DAY_SECONDS = 86_400;
const MINT = { subject: 'gateway', ttlSeconds: 90 * DAY_SECONDS, actor: TESTER };

let clock: FixedClock;
let keysFile: string;
beforeEach(() => {
  clock = fixedClock(NOW);
  keysFile = join(folder, randomBytes(8).toString('hex'), 'keys.json');
});

interface Settings {
  readonly secret?: string;
  readonly issuer?: string;
  readonly foreign?: { readonly issuer: string; readonly jwksUrl: URL };
}

function room(database: Database, settings: Settings = {}): ServiceTokens {
  return createServiceTokens({
    database,
    clock,
    logger: silentLogger,
    settings: {
      keysFile,
      secret: settings.secret,
      issuer: settings.issuer ?? ISSUER,
      audience: AUDIENCE,
      foreign: settings.foreign,
    },
  });
}

describeOnEachDatabase('A service token', (harness) => {
  test('admits its bearer after minting, and is listed without its text', async () => {
    const serviceTokens = room(harness.database);
    const { token, jti, kid, expiresAt } = await serviceTokens.mint(MINT);
    expect(expiresAt).toBe(NOW + 90 * DAY_SECONDS * 1_000);
    expect(await serviceTokens.verify(`Bearer ${token}`)).toEqual({ subject: 'gateway', jti, kid, expiresAt });
    const { rows: list } = await serviceTokens.list({ limit: 100 });
    expect(list).toEqual([
      {
        jti,
        state: 'active',
        revokedAt: undefined,
        minted: { jti, subject: 'gateway', kid, alg: 'HS256', issuedAt: NOW, expiresAt, recordedBy: 'test' },
      },
    ]);
    expect(JSON.stringify(list)).not.toContain(token);
  });

  test('is refused by a verifier of another issuer', async () => {
    const { token } = await room(harness.database).mint(MINT);
    expect(await room(harness.database, { issuer: 'other' }).verify(`Bearer ${token}`)).toBeUndefined();
  });

  test('is refused and listed as expired after its end', async () => {
    const serviceTokens = room(harness.database);
    const { token, expiresAt } = await serviceTokens.mint({ ...MINT, ttlSeconds: 45 });
    clock.set(expiresAt - 1);
    expect(await serviceTokens.verify(`Bearer ${token}`)).toBeDefined();
    clock.set(expiresAt);
    expect(await serviceTokens.verify(`Bearer ${token}`)).toBeUndefined();
    expect((await serviceTokens.list({ limit: 100 })).rows[0]?.state).toBe('expired');
  });

  test('is refused after its revocation: immediately here, within a second by other processes', async () => {
    const here = room(harness.database);
    const otherDatabase = openDatabase(parsedUrl(harness.url), silentLogger);
    try {
      const there = room(otherDatabase);
      const revoked = await here.mint(MINT);
      const kept = await here.mint(MINT);
      expect(await there.verify(`Bearer ${revoked.token}`)).toBeDefined();
      expect(await here.verify(`Bearer ${revoked.token}`)).toBeDefined();

      expect(await here.revoke(revoked.jti, TESTER)).toEqual({ kind: 'revoked', known: true });
      expect(await here.verify(`Bearer ${revoked.token}`)).toBeUndefined();
      await becomes(() => there.verify(`Bearer ${revoked.token}`), undefined);
      expect(await there.verify(`Bearer ${kept.token}`)).toBeDefined();
      expect((await there.list({ limit: 9 })).rows.map(({ jti, state }) => [jti, state])).toEqual([
        [kept.jti, 'active'],
        [revoked.jti, 'revoked'],
      ]);
    } finally {
      await otherDatabase.close();
    }
  });

  test('stays revoked when two processes revoke it, also concurrently', async () => {
    const one = room(harness.database);
    const otherDatabase = openDatabase(parsedUrl(harness.url), silentLogger);
    try {
      const { jti } = await one.mint(MINT);
      const outcomes = await Promise.all(
        Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? one : room(otherDatabase)).revoke(jti, TESTER)),
      );
      expect(outcomes.filter(({ kind }) => kind === 'revoked')).toHaveLength(1);
      const [before] = (await one.list({ limit: 9 })).rows;
      clock.advance(5_000);
      expect(await one.revoke(jti, OPERATOR)).toEqual({
        kind: 'already_revoked',
        known: true,
      });
      expect((await one.list({ limit: 9 })).rows).toEqual([before]);
    } finally {
      await otherDatabase.close();
    }
  });

  test('is revoked even if Millime did not mint it, and reported as unknown', async () => {
    const serviceTokens = room(harness.database, { secret: SECRET });
    const foreign = `Bearer ${signedToken({ alg: 'HS256' }, CLAIMS, { key: SECRET })}`;
    expect(await serviceTokens.verify(foreign)).toMatchObject({ jti: CLAIMS.jti, kid: undefined });
    expect(await serviceTokens.revoke(CLAIMS.jti, TESTER)).toEqual({ kind: 'revoked', known: false });
    expect(await serviceTokens.verify(foreign)).toBeUndefined();
    expect((await serviceTokens.list({ limit: 100 })).rows).toEqual([
      { jti: CLAIMS.jti, state: 'revoked', revokedAt: NOW, minted: undefined },
    ]);
  });

  test('is found by its jti byte by byte', async () => {
    const serviceTokens = room(harness.database, { secret: SECRET });
    await serviceTokens.revoke(CLAIMS.jti.toUpperCase(), TESTER);
    expect(
      await serviceTokens.verify(`Bearer ${signedToken({ alg: 'HS256' }, CLAIMS, { key: SECRET })}`),
    ).toBeDefined();
  });

  test('stays valid after a dry run of its revocation, which reports the outcome', async () => {
    const serviceTokens = room(harness.database);
    const { token, jti } = await serviceTokens.mint(MINT);
    expect(await serviceTokens.revoke(jti, TESTER, { dryRun: true })).toEqual({ kind: 'revoked', known: true });
    expect((await serviceTokens.list({ limit: 100 })).rows[0]?.state).toBe('active');
    expect(await serviceTokens.verify(`Bearer ${token}`)).toBeDefined();
  });

  test('is not created by a dry run, which fails as minting does', async () => {
    const serviceTokens = room(harness.database);
    expect(await serviceTokens.planMint(MINT)).toMatchObject({ kid: undefined, alg: 'HS256' });
    expect(existsSync(keysFile)).toBe(false);
    await serviceTokens.start();
    expect(await serviceTokens.planMint(MINT)).toEqual({
      kid: expect.any(String),
      alg: 'HS256',
      expiresAt: NOW + MINT.ttlSeconds * 1_000,
    });
    expect((await serviceTokens.list({ limit: 100 })).rows).toEqual([]);
    await expect(serviceTokens.planMint({ ...MINT, ttlSeconds: 0 })).rejects.toMatchObject({ code: 'bad_input' });
  });

  test.each([
    ['no subject', { ...MINT, subject: '' }],
    ['a subject with a newline', { ...MINT, subject: 'a\nb' }],
    ['no time to live', { ...MINT, ttlSeconds: 0 }],
    ['half a second', { ...MINT, ttlSeconds: 0.5 }],
    ['400 days and a second', { ...MINT, ttlSeconds: 400 * DAY_SECONDS + 1 }],
  ])('is not minted with %s, and nothing is stored', async (_name, command) => {
    const serviceTokens = room(harness.database);
    await expect(serviceTokens.mint(command)).rejects.toMatchObject({ code: 'bad_input' });
    expect((await serviceTokens.list({ limit: 100 })).rows).toEqual([]);
  });

  test('may last exactly 400 days and is valid in its last millisecond', async () => {
    const serviceTokens = room(harness.database);
    const { token, expiresAt } = await serviceTokens.mint({ ...MINT, ttlSeconds: 400 * DAY_SECONDS });
    clock.set(expiresAt - 1);
    expect(await serviceTokens.verify(`Bearer ${token}`)).toBeDefined();
  });

  test('is refused if invalid and unavailable if valid, while the database is down', async () => {
    const { url } = await harness.fresh();
    const database = openDatabase(parsedUrl(url), silentLogger);
    const serviceTokens = room(database);
    const { token } = await serviceTokens.mint(MINT);
    expect(await serviceTokens.verify(`Bearer ${token}`)).toBeDefined();
    await database.close();
    await sleep(PROMISED_MS); // what was read of the revocations no longer counts
    expect(await serviceTokens.verify(undefined)).toBeUndefined();
    expect(await serviceTokens.verify(`Bearer ${token}x`)).toBeUndefined();
    await expect(serviceTokens.verify(`Bearer ${token}`)).rejects.toMatchObject({
      name: 'AppError',
      code: 'unavailable',
    });
  });
});

test('while the database server is unreachable, an invalid token is refused and a valid one is unavailable', async () => {
  const database = openDatabase(parsedUrl('mysql://nobody:nothing@127.0.0.1:1/none'), silentLogger);
  try {
    const serviceTokens = room(database, { secret: SECRET });
    const good = signedToken({ alg: 'HS256' }, CLAIMS, { key: SECRET });
    expect(
      await serviceTokens.verify(`Bearer ${signedToken({ alg: 'none' }, CLAIMS, { key: SECRET })}`),
    ).toBeUndefined();
    await expect(serviceTokens.verify(`Bearer ${good}`)).rejects.toMatchObject({ code: 'unavailable' });
  } finally {
    await database.close();
  }
});

test('concurrent requests share one reading of the revocations', async () => {
  const logger = recordingLogger();
  let reads = 0;
  const database = openDatabase(parsedUrl('mysql://nobody:nothing@127.0.0.1:1/none'), logger);
  const counting: Database = {
    ...database,
    read: (work, options) => {
      reads += 1;
      return database.read(work, options);
    },
  };
  try {
    const serviceTokens = room(counting, { secret: SECRET });
    await serviceTokens.start();
    const good = `Bearer ${signedToken({ alg: 'HS256' }, CLAIMS, { key: SECRET })}`;
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => serviceTokens.verify(good)));
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true);
    // All who came before the first answer share it; nobody asks on his own.
    expect(reads).toBeLessThanOrEqual(2);
  } finally {
    await database.close();
  }
});

describe('the folder of a new key file', () => {
  test('contains only the key file, readable by its owner only', async () => {
    const database = openDatabase(parsedUrl('mysql://nobody:nothing@127.0.0.1:1/none'), silentLogger);
    await room(withoutTokens(database)).start();
    expect(statSync(keysFile).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(keysFile, '..'))).toEqual(['keys.json']);
    await database.close();
  });

  test('stays empty if SERVICE_JWT_SECRET supplies the keys', async () => {
    const database = openDatabase(parsedUrl('mysql://nobody:nothing@127.0.0.1:1/none'), silentLogger);
    const serviceTokens = room(database, { secret: SECRET });
    await serviceTokens.start();
    expect(existsSync(keysFile)).toBe(false);
    await expect(serviceTokens.mint(MINT)).rejects.toMatchObject({ code: 'misconfigured' });
    await database.close();
  });

  test('prevents the start if it cannot be created', async () => {
    const database = openDatabase(parsedUrl('mysql://nobody:nothing@127.0.0.1:1/none'), silentLogger);
    await room(withoutTokens(database)).start();
    chmodSync(keysFile, 0o600);
    keysFile = join(keysFile, 'below-a-file', 'keys.json');
    await expect(room(withoutTokens(database)).start()).rejects.toMatchObject({
      code: 'misconfigured',
      message: expect.stringMatching(/^SERVICE_JWT_KEYS_FILE: .*/),
    });
    await database.close();
  });
});

/** As if the table of tokens could be read and were empty. */
function withoutTokens(database: Database): Database {
  return { ...database, read: async () => new Map() } as unknown as Database;
}

/** Asks until the answer is the given one, for the second that is promised and a little for the clock of the machine. */
async function becomes(ask: () => Promise<unknown>, wanted: unknown): Promise<void> {
  const deadlineAt = performance.now() + PROMISED_MS;
  for (;;) {
    const answer = await ask();
    if (answer === wanted) return;
    if (performance.now() >= deadlineAt) expect(answer).toBe(wanted);
    await sleep(20);
  }
}
