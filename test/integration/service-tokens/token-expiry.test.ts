import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { businessCalendar, DAY_MS, formatInstant, type Instant, noticeLine } from '../../../src/kernel';
import { createServiceTokens, type ServiceTokens } from '../../../src/service-tokens';
import { describeOnOneDatabase } from '../../support/db';
import { TESTER } from '../../support/factories';
import { type FixedClock, fixedClock, type RecordingLogger, recordingLogger } from '../../support/fakes';
import { AUDIENCE, ISSUER, NOW, SECRET } from '../../unit/service-tokens/signed-token';

// Goal: the end of the last valid token is announced in time. Method: the business clock at the edges of the seven
// days.

const folder = mkdtempSync(join(tmpdir(), 'millime-token-expiry-'));
afterAll(() => rmSync(folder, { recursive: true }));

const WARNING_MS = 7 * DAY_MS;
const DAY_SECONDS = 86_400;

let clock: FixedClock;
let logger: RecordingLogger;
let keysFile: string;
beforeEach(() => {
  clock = fixedClock(NOW);
  logger = recordingLogger();
  keysFile = join(folder, randomBytes(8).toString('hex'), 'keys.json');
});

describeOnOneDatabase('The expiry of the last token', (harness) => {
  const room = (settings: { secret?: string; jwksUrl?: URL } = {}): ServiceTokens =>
    createServiceTokens({
      database: harness.database,
      clock,
      logger,
      settings: {
        keysFile,
        secret: settings.secret,
        issuer: ISSUER,
        audience: AUDIENCE,
        foreign:
          settings.jwksUrl === undefined ? undefined : { issuer: 'https://f.example', jwksUrl: settings.jwksUrl },
      },
    });
  const mint = async (serviceTokens: ServiceTokens, days: number): Promise<{ jti: string; expiresAt: number }> =>
    serviceTokens.mint({ subject: 'gateway', ttlSeconds: days * DAY_SECONDS, actor: TESTER });
  const warnings = async (serviceTokens: ServiceTokens): Promise<number> => {
    const before = logger.events('service_tokens.expiring').length;
    await serviceTokens.warnOfExpiry();
    return logger.events('service_tokens.expiring').length - before;
  };
  /** Returns the findings as the command prints them. */
  const doctor = async (serviceTokens: ServiceTokens, instantText: (at: Instant) => string = formatInstant) => {
    const { problems, warnings, expiresAt } = await serviceTokens.diagnose({ isDatabaseReady: true, instantText });
    return { problems: problems.map(noticeLine), warnings: warnings.map(noticeLine), expiresAt };
  };

  test('is reported from exactly seven days before it, and after it', async () => {
    const serviceTokens = room();
    const { expiresAt } = await mint(serviceTokens, 90);
    clock.set(expiresAt - WARNING_MS - 1);
    expect(await serviceTokens.expiry()).toEqual({ state: 'ok', expiresAt });
    expect(await warnings(serviceTokens)).toBe(0);
    expect(await doctor(serviceTokens)).toEqual({ problems: [], warnings: [], expiresAt });
    clock.set(expiresAt - WARNING_MS);
    expect(await serviceTokens.expiry()).toEqual({ state: 'expiring', expiresAt });
    expect(await warnings(serviceTokens)).toBe(1);
    expect(await doctor(serviceTokens)).toEqual({
      problems: [],
      warnings: ['the last token of the gateway expires at 2026-05-31T09:00:00.000Z; run "millime token mint"'],
      expiresAt,
    });
    const { formatLocal } = businessCalendar('Africa/Tunis');
    expect(await doctor(serviceTokens, formatLocal)).toMatchObject({
      warnings: ['the last token of the gateway expires at 2026-05-31 10:00:00; run "millime token mint"'],
    });
    clock.set(expiresAt - 1);
    expect(await serviceTokens.expiry()).toEqual({ state: 'expiring', expiresAt });
    clock.set(expiresAt);
    expect(await serviceTokens.expiry()).toEqual({ state: 'expired' });
    expect(await warnings(serviceTokens)).toBe(1);
    expect(await doctor(serviceTokens)).toMatchObject({
      warnings: ['the gateway has no valid token; run "millime token mint"'],
      expiresAt: undefined,
    });
    expect(logger.events('service_tokens.expiring')).toEqual([
      {
        level: 'warn',
        message: 'last token of the gateway expires soon',
        fields: { event: 'service_tokens.expiring', state: 'expiring', expiresAt: '2026-05-31T09:00:00.000Z' },
      },
      {
        level: 'warn',
        message: 'gateway has no valid token',
        fields: { event: 'service_tokens.expiring', state: 'expired' },
      },
    ]);
  });

  test('is postponed by a longer token, and advanced by revoking it', async () => {
    const serviceTokens = room();
    const short = await mint(serviceTokens, 5);
    expect(await serviceTokens.expiry()).toEqual({ state: 'expiring', expiresAt: short.expiresAt });
    const long = await mint(serviceTokens, 90);
    expect(await serviceTokens.expiry()).toEqual({ state: 'ok', expiresAt: long.expiresAt });
    await serviceTokens.revoke(long.jti, TESTER);
    expect(await serviceTokens.expiry()).toEqual({ state: 'expiring', expiresAt: short.expiresAt });
    await serviceTokens.revoke(short.jti, TESTER);
    expect(await serviceTokens.expiry()).toEqual({ state: 'expired' });
    expect(await warnings(serviceTokens)).toBe(1);
  });

  test('considers only tokens whose key is in the file', async () => {
    const serviceTokens = room();
    await mint(serviceTokens, 90);
    expect(await serviceTokens.expiry()).toMatchObject({ state: 'ok' });
    const other = {
      kid: 'other',
      kty: 'oct',
      alg: 'HS256',
      status: 'active',
      k: randomBytes(32).toString('base64url'),
    };
    writeFileSync(keysFile, JSON.stringify({ keys: [other] }));
    expect(await serviceTokens.expiry()).toEqual({ state: 'expired' });
    const { expiresAt } = await mint(serviceTokens, 30);
    expect(await serviceTokens.expiry()).toEqual({ state: 'ok', expiresAt });
  });

  test('causes no log line before the first token, and doctor reports the next step', async () => {
    const serviceTokens = room();
    await serviceTokens.start();
    expect(await serviceTokens.expiry()).toEqual({ state: 'never_minted' });
    expect(await warnings(serviceTokens)).toBe(0);
    expect((await doctor(serviceTokens)).warnings).toEqual(['the gateway has no token yet; run "millime token mint"']);
    expect((await doctor(room({ secret: SECRET }))).warnings).toEqual([]);
  });

  test('is no finding of doctor, which reports that foreign keys cannot be fetched', async () => {
    expect(await doctor(room({ jwksUrl: new URL('http://127.0.0.1:1/jwks.json') }))).toEqual({
      problems: [],
      warnings: ['SERVICE_JWT_JWKS_URL: the keys of the foreign issuer cannot be fetched now'],
      expiresAt: undefined,
    });
  });

  test('is no finding of doctor, which reports a missing, empty or lost key file and creates none', async () => {
    const missing = `SERVICE_JWT_KEYS_FILE: ${keysFile} is missing`;
    const unmade = `SERVICE_JWT_KEYS_FILE: ${keysFile} does not exist yet; "millime serve" creates it`;
    expect((await doctor(room())).problems).toEqual([unmade]);
    const serviceTokens = room();
    await mint(serviceTokens, 90);
    rmSync(keysFile);
    const gone = `${missing}, and valid tokens need its keys; restore it, or run "millime token rotate" to begin with a new key`;
    expect((await doctor(room())).problems).toEqual([gone]);
    expect((await doctor(room({ secret: SECRET }))).problems).toEqual([gone]);
    expect((await room().diagnose({ isDatabaseReady: false, instantText: formatInstant })).problems).toHaveLength(1);
    writeFileSync(keysFile, '', { mode: 0o600 });
    expect((await doctor(room())).problems).toEqual([`SERVICE_JWT_KEYS_FILE: ${keysFile} is not valid JSON`]);
  });
});
