import { describe, expect, test } from '@jest/globals';
import { loadConfig, parseDatabaseUrl } from '../../../src/config';
import { AppError } from '../../../src/kernel';

function faultOf(environment: NodeJS.ProcessEnv): AppError {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('the configuration was accepted');
}

describe('the configuration', () => {
  test('S12: needs nothing: an empty environment serves the embedded database on loopback', () => {
    expect(loadConfig({})).toMatchObject({
      production: false,
      listen: { host: '127.0.0.1', port: 8080 },
      database: { kind: 'sqlite', file: './data/millime.sqlite3' },
      businessTimeZone: 'Africa/Tunis',
      serviceTokens: { issuer: 'millime', audience: 'service-settlement', secret: undefined },
      breakUrgency: {
        high: { fromMillimes: 1_000_000, fromDays: 10 },
        medium: { fromMillimes: 100_000, fromDays: 5 },
        dueInDays: { high: 2, medium: 5, low: 10 },
      },
      metrics: undefined,
      clockFile: undefined,
      logLevel: 'info',
    });
  });

  test('refuses variables that are set but empty, and names each', () => {
    expect(() => loadConfig({ DATABASE_URL: '', SERVICE_JWT_SECRET: '', CLOCK_FILE: '' })).toThrow(
      /^DATABASE_URL, SERVICE_JWT_SECRET, CLOCK_FILE: expected a value, got none/,
    );
  });

  test('S12: turns metrics on with their port, on loopback unless a host is named', () => {
    expect(loadConfig({ METRICS_PORT: '9464' }).metrics).toEqual({ host: '127.0.0.1', port: 9_464 });
    expect(loadConfig({ METRICS_PORT: '0', METRICS_HOST: '10.0.0.1' }).metrics).toEqual({ host: '10.0.0.1', port: 0 });
    expect(loadConfig({ METRICS_HOST: '10.0.0.1' }).metrics).toBeUndefined();
    expect(faultOf({ METRICS_PORT: '70000' }).message).toMatch(/^METRICS_PORT: expected a port number/);
  });

  describe('of the gateway', () => {
    const GATEWAY = {
      GATEWAY_BASE_URL: 'https://gateway.example/',
      GATEWAY_PUBLIC_KEY: 'public',
      GATEWAY_PRIVATE_KEY: 'private',
    };

    test('is off without its three variables, even if others are set', () => {
      expect(loadConfig({})).toMatchObject({ gateway: undefined, publicUrl: undefined, successLink: undefined });
      expect(loadConfig({ GATEWAY_API_KEY: 'key', HINT_TOKEN: 'x'.repeat(16) }).gateway).toBeUndefined();
    });

    test.each([['GATEWAY_BASE_URL'], ['GATEWAY_PUBLIC_KEY'], ['GATEWAY_PRIVATE_KEY']] as const)(
      'is off with a warning if %s alone is missing or set',
      (name) => {
        const { [name]: value, ...others } = GATEWAY;
        expect(loadConfig(others)).toMatchObject({ gateway: undefined, gatewayLacks: [name] });
        expect(loadConfig({ [name]: value })).toMatchObject({
          gateway: undefined,
          gatewayLacks: Object.keys(others),
        });
      },
    );

    test('accepts webhooks with a private key', () => {
      expect(loadConfig({ GATEWAY_PRIVATE_KEY: 'private' }).webhooks?.keys).toEqual(['private']);
      expect(loadConfig({ GATEWAY_PUBLIC_KEY: 'public' }).webhooks).toBeUndefined();
    });

    test('has defaults for the rest, and addresses without a slash at the end', () => {
      const config = loadConfig({ ...GATEWAY, PUBLIC_URL: 'https://us.example/pay//' });
      expect(config.publicUrl).toBe('https://us.example/pay');
      expect(config.gateway).toEqual({
        baseUrl: 'https://gateway.example',
        publicKey: 'public',
        privateKey: 'private',
        apiKey: undefined,
        posFamily: 'api',
        isTest: false,
        merchantId: undefined,
      });
      expect(config.webhooks).toEqual({ keys: ['private'], hintToken: expect.stringMatching(/^[0-9a-f]{64}$/) });
    });

    test('reads each of its variables', () => {
      const config = loadConfig({
        ...GATEWAY,
        GATEWAY_PRIVATE_KEY_PREVIOUS: 'before',
        GATEWAY_API_KEY: 'api-key',
        GATEWAY_POS_FAMILY: 'partners',
        GATEWAY_IS_TEST: 'true',
        GATEWAY_MERCHANT_ID: '4711',
        HINT_TOKEN: 'abcdefgh_-ABCDEF',
        CHECKOUT_SUCCESS_URL: 'https://shop.example/thanks?a=1',
        CHECKOUT_FAIL_URL: 'https://shop.example/sorry',
      });
      expect(config).toMatchObject({
        successLink: 'https://shop.example/thanks?a=1',
        failLink: 'https://shop.example/sorry',
        gateway: {
          apiKey: 'api-key',
          posFamily: 'partners',
          isTest: true,
          merchantId: 4711,
        },
        webhooks: { keys: ['private', 'before'], hintToken: 'abcdefgh_-ABCDEF' },
      });
    });

    test('derives its hint token from the private key, the same in every process', () => {
      const token = (key: string): string | undefined =>
        loadConfig({ ...GATEWAY, GATEWAY_PRIVATE_KEY: key }).webhooks?.hintToken;
      expect(token('private')).toBe(token('private'));
      expect(token('private')).not.toBe(token('other'));
      expect(token('private')).not.toContain('private');
    });
  });

  test.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80a'],
    ['PORT', '0x50'],
    ['DATABASE_URL', 'postgres://u:canary-value@h/d'],
    ['DATABASE_URL', 'canary-value'],
    ['DATABASE_URL', 'mysql://u:canary-value@h'],
    ['MIGRATION_DATABASE_URL', 'mysql://u:canary-value@h:99999/d'],
    ['SERVICE_JWT_SECRET', 'canary-value'],
    ['SERVICE_CONFIRM_MAX_MILLIMES', '0'],
    ['SERVICE_CONFIRM_MAX_MILLIMES', '1.5'],
    ['SERVICE_CONFIRM_MAX_MILLIMES', '9007199254740992'],
    ['BUSINESS_TIMEZONE', 'Africa/canary-value'],
    ['LOG_LEVEL', 'canary-value'],
    ['SERVICE_JWT_JWKS_URL', 'canary-value'],
    ['SERVICE_JWT_JWKS_URL', 'http://canary.example/keys'],
    ['SERVICE_JWT_JWKS_URL', 'https://user:canary@issuer.example/keys'],
    ['SERVICE_JWT_JWKS_URL', 'https://:canary@issuer.example/keys'],
    ['SERVICE_JWT_JWKS_URL', 'file:///canary'],
    ['TRUSTED_PROXIES', 'canary-value'],
    ['TRUSTED_PROXIES', 'true'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '0.0.0.0/0'],
    ['TRUSTED_PROXIES', '10.0.0.1,'],
    ['GATEWAY_BASE_URL', 'http://canary.example'],
    ['GATEWAY_BASE_URL', 'https://user:canary@gateway.example'],
    ['GATEWAY_PUBLIC_KEY', 'canary value'],
    ['GATEWAY_PRIVATE_KEY', 'canary:value'],
    ['GATEWAY_PRIVATE_KEY', 'canary-value\n'],
    ['GATEWAY_PRIVATE_KEY_PREVIOUS', 'canary-é'],
    ['GATEWAY_API_KEY', 'canary\r\nvalue'],
    ['GATEWAY_POS_FAMILY', 'canary-value'],
    ['GATEWAY_IS_TEST', '1'],
    ['GATEWAY_IS_TEST', 'TRUE'],
    ['GATEWAY_MERCHANT_ID', '-1'],
    ['GATEWAY_MERCHANT_ID', '01'],
    ['GATEWAY_MERCHANT_ID', '9007199254740992'],
    ['PUBLIC_URL', 'http://canary.example'],
    ['PUBLIC_URL', 'https://us.example/a?canary=1'],
    ['PUBLIC_URL', 'https://us.example/#canary'],
    ['HINT_TOKEN', 'canary'],
    ['HINT_TOKEN', 'canary/../canary/../value'],
    ['CHECKOUT_SUCCESS_URL', 'javascript:canary'],
    ['CHECKOUT_FAIL_URL', 'canary-value'],
    ['BREAK_HIGH_FROM', '1000000'],
    ['BREAK_HIGH_FROM', '0,10'],
    ['BREAK_MEDIUM_FROM', '100,0'],
    ['BREAK_DUE_DAYS', '2,5'],
    ['BREAK_DUE_DAYS', '2,5,-1'],
    ['DRAIN_DELAY_MS', '5001'],
    ['DRAIN_DELAY_MS', '1.5'],
  ])('refuses a bad %s (%s) with one line that names it and shows no value', (name, value) => {
    const fault = faultOf({ [name]: value });
    expect(fault.code).toBe('misconfigured');
    expect(fault.message).toMatch(new RegExp(`^${name}: expected .*, got `));
    expect(fault.message).not.toContain('\n');
    expect(`${fault.message} ${fault.details.join(' ')} ${String(fault.cause)}`).not.toContain('canary');
  });

  test('names every bad variable at once', () => {
    const { message } = faultOf({ PORT: 'x', LOG_LEVEL: 'loud', SERVICE_JWT_SECRET: 'short' });
    for (const name of ['PORT', 'LOG_LEVEL', 'SERVICE_JWT_SECRET']) expect(message).toContain(name);
  });

  test('accepts a foreign issuer only with name and key URL, and never under Millime’s name', () => {
    const SERVICE_JWT_JWKS_URL = 'https://issuer.example/keys';
    expect(loadConfig({ SERVICE_JWT_JWKS_URL, SERVICE_JWT_JWKS_ISSUER: 'them' }).serviceTokens.foreign).toEqual({
      issuer: 'them',
      jwksUrl: new URL(SERVICE_JWT_JWKS_URL),
    });
    for (const url of ['http://127.0.0.1:9/keys', 'http://[::1]/keys', 'http://localhost/keys']) {
      const config = loadConfig({ SERVICE_JWT_JWKS_URL: url, SERVICE_JWT_JWKS_ISSUER: 'them' });
      expect(config.serviceTokens.foreign?.jwksUrl.href).toBe(url);
    }
    expect(faultOf({ SERVICE_JWT_JWKS_URL }).message).toContain('SERVICE_JWT_JWKS_ISSUER');
    expect(faultOf({ SERVICE_JWT_JWKS_ISSUER: 'them' }).message).toContain('SERVICE_JWT_JWKS_URL');
    expect(faultOf({ SERVICE_JWT_JWKS_URL, SERVICE_JWT_JWKS_ISSUER: 'millime' }).message).toMatch(
      /^SERVICE_JWT_JWKS_ISSUER: expected the name of another issuer/,
    );
    expect(loadConfig({}).serviceTokens.foreign).toBeUndefined();
  });

  test('accepts proxies as addresses and ranges', () => {
    expect(loadConfig({ TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7,fd00::/8' }).trustedProxies).toEqual([
      '10.0.0.0/8',
      '192.0.2.7',
      'fd00::/8',
    ]);
    expect(loadConfig({}).trustedProxies).toEqual([]);
  });

  test('counts the bytes of the secret, not its characters', () => {
    expect(loadConfig({ SERVICE_JWT_SECRET: 'é'.repeat(16) }).serviceTokens.secret).toBe('é'.repeat(16));
    expect(faultOf({ SERVICE_JWT_SECRET: 'x'.repeat(31) }).message).toContain('SERVICE_JWT_SECRET');
  });

  test('refuses a clock file in production and accepts it elsewhere', () => {
    expect(faultOf({ NODE_ENV: 'production', CLOCK_FILE: '/tmp/clock' }).message).toMatch(/^CLOCK_FILE: /);
    expect(loadConfig({ NODE_ENV: 'test', CLOCK_FILE: '/tmp/clock' }).clockFile).toBe('/tmp/clock');
  });

  test('migrates with the serving user unless another one is named', () => {
    const served = loadConfig({ DATABASE_URL: 'sqlite:a.sqlite3' });
    expect(served.migrationDatabase).toEqual({ kind: 'sqlite', file: 'a.sqlite3' });
    const other = loadConfig({ DATABASE_URL: 'sqlite:a.sqlite3', MIGRATION_DATABASE_URL: 'mysql://m:p@h/d' });
    expect(other.migrationDatabase).toMatchObject({ kind: 'mariadb', user: 'm' });
  });

  test('cannot be changed afterwards', () => {
    expect(Object.isFrozen(loadConfig({}))).toBe(true);
  });
});

describe('a database address', () => {
  test.each([
    ['sqlite:./data/x.sqlite3', { kind: 'sqlite', file: './data/x.sqlite3' }],
    ['sqlite:/var/x.sqlite3', { kind: 'sqlite', file: '/var/x.sqlite3' }],
    ['sqlite:///var/x.sqlite3', { kind: 'sqlite', file: '/var/x.sqlite3' }],
    [
      'mysql://u:p@h/d',
      { kind: 'mariadb', hosts: [{ host: 'h', port: 3306 }], user: 'u', password: 'p', database: 'd', tls: undefined },
    ],
    [
      'mariadb://u@127.0.0.1:33060/millime_1',
      {
        kind: 'mariadb',
        hosts: [{ host: '127.0.0.1', port: 33_060 }],
        user: 'u',
        password: '',
        database: 'millime_1',
        tls: undefined,
      },
    ],
    [
      'mysql://u:p%40%3A%2F@one:3307,two/d',
      {
        kind: 'mariadb',
        hosts: [
          { host: 'one', port: 3307 },
          { host: 'two', port: 3306 },
        ],
        user: 'u',
        password: 'p@:/',
        database: 'd',
        tls: undefined,
      },
    ],
    [
      'mysql://u:p@h/d?tls=required',
      {
        kind: 'mariadb',
        hosts: [{ host: 'h', port: 3306 }],
        user: 'u',
        password: 'p',
        database: 'd',
        tls: { caFile: undefined },
      },
    ],
    [
      'mysql://u:p@h/d?ca=/etc/a%20b%26c.pem&tls=required',
      {
        kind: 'mariadb',
        hosts: [{ host: 'h', port: 3306 }],
        user: 'u',
        password: 'p',
        database: 'd',
        tls: { caFile: '/etc/a b&c.pem' },
      },
    ],
  ])('%s is read', (text, expected) => {
    expect(parseDatabaseUrl(text)).toEqual(expected);
  });

  test.each([
    '',
    'sqlite:',
    'sqlite:/var/x.sqlite3?tls=required',
    'mysql://h/d',
    'mysql://u:p@h',
    'mysql://u:p@h/',
    'mysql://u:p@h:0/d',
    'mysql://u:p@h:70000/d',
    'mysql://u:p@one,,two/d',
    'mysql://u:%zz@h/d',
    'mysql://u:p@h/d?ssl=0',
    'mysql://u:p@h/d?',
    'mysql://u:p@h/d?tls=',
    'mysql://u:p@h/d?tls=off',
    'mysql://u:p@h/d?tls=preferred',
    'mysql://u:p@h/d?ca=/ca.pem',
    'mysql://u:p@h/d?tls=required&ca=',
    'mysql://u:p@h/d?tls=required&ca=/a.pem&ca=/b.pem',
    'mysql://u:p@h/d?tls=required&ca=%zz',
    'mysql://u:p@h/d?tls=required&ssl-mode=VERIFY_CA',
    'mysql://u:p@h/d;drop',
    'http://u:p@h/d',
  ])('%p is refused', (text) => {
    expect(parseDatabaseUrl(text)).toBeUndefined();
  });
});

describe('SMTP_URL', () => {
  const SMTP_FROM = 'millime@bank.example';
  const tlsOf = (url: string) => loadConfig({ SMTP_URL: url, SMTP_FROM }).notifications.mail?.server;

  test.each([
    ['smtp://mail.example', { port: 587, tls: 'required' }],
    ['smtp://u%40b:p%3A1@mail.example:2525', { port: 2525, tls: 'required', user: 'u@b', password: 'p:1' }],
    ['smtps://u:p@mail.example', { port: 465, tls: 'from_start' }],
    ['smtp://mail.example?tls=none', { tls: 'none', user: undefined }],
    ['smtp://127.0.0.1:25', { host: '127.0.0.1', port: 25, tls: 'none' }],
    ['smtp://localhost?tls=required', { tls: 'required' }],
    ['smtp://[::1]:25', { host: '::1', tls: 'none' }],
  ])('%s', (url, expected) => {
    expect(tlsOf(url)).toMatchObject(expected);
  });

  test.each([
    'smtp://u:p@mail.example?tls=none',
    'smtps://mail.example?tls=none',
    'smtp://u@mail.example',
    'smtp://mail.example/path',
    'smtp://mail.example?tls=off',
    'smtp://u:%zz@mail.example',
    'http://mail.example',
    'smtp://',
  ])('%s is refused', (url) => {
    expect(() => tlsOf(url)).toThrow(/SMTP_URL: expected/);
  });

  test('needs the address of the sender', () => {
    expect(() => loadConfig({ SMTP_URL: 'smtps://mail.example' })).toThrow(/SMTP_URL, SMTP_FROM/);
    expect(() => loadConfig({ SMTP_FROM: 'nobody', SMTP_URL: 'smtps://mail.example' })).toThrow(/SMTP_FROM: expected/);
  });
});
