import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError, millimes, PACKAGE_ROOT, type Millimes } from '../kernel';
import type { DatabaseUrl } from './database-url';
import {
  addressList,
  amountOrAge,
  databaseUrl,
  drainDelay,
  dueDays,
  flag,
  gatewayKey,
  hintToken,
  merchantId,
  port,
  positiveMillimes,
  timeZone,
  webAddress,
} from './variable-types';

const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
const SECRET_BYTES_MIN = 32;

/** Every variable that Millime reads, with its default. The table in the README says what each is for. */
const environmentSchema = z.object({
  NODE_ENV: z.string().optional(),
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(8080),
  DATABASE_URL: databaseUrl.default({ kind: 'sqlite', file: './data/millime.sqlite3' }),
  MIGRATION_DATABASE_URL: databaseUrl.optional(),
  SERVICE_JWT_KEYS_FILE: z.string().default('./data/service-jwt-keys.json'),
  SERVICE_JWT_SECRET: z
    .string()
    .refine(
      (secret) => Buffer.byteLength(secret, 'utf8') >= SECRET_BYTES_MIN,
      `must be at least ${SECRET_BYTES_MIN} bytes long`,
    )
    .optional(),
  SERVICE_JWT_JWKS_URL: webAddress.optional(),
  SERVICE_JWT_JWKS_ISSUER: z.string().optional(),
  SERVICE_JWT_ISSUER: z.string().default('millime'),
  SERVICE_JWT_AUDIENCE: z.string().default('service-settlement'),
  SERVICE_CONFIRM_MAX_MILLIMES: positiveMillimes.optional(),
  GATEWAY_BASE_URL: webAddress.optional(),
  GATEWAY_PUBLIC_KEY: gatewayKey.optional(),
  GATEWAY_PRIVATE_KEY: gatewayKey.optional(),
  GATEWAY_PRIVATE_KEY_PREVIOUS: gatewayKey.optional(),
  GATEWAY_API_KEY: gatewayKey.optional(),
  GATEWAY_POS_FAMILY: z.enum(['api', 'partners'], 'must be api or partners').default('api'),
  GATEWAY_IS_TEST: flag.default(false),
  GATEWAY_MERCHANT_ID: merchantId.optional(),
  PUBLIC_URL: webAddress
    .refine(
      ({ search, hash }) => search === '' && hash === '',
      'must have no query and no fragment: paths are put behind it',
    )
    .optional(),
  HINT_TOKEN: hintToken.optional(),
  CHECKOUT_SUCCESS_URL: webAddress.optional(),
  CHECKOUT_FAIL_URL: webAddress.optional(),
  BUSINESS_TIMEZONE: timeZone.default('Africa/Tunis'),
  HOLIDAYS_FILE: z.string().default(join(PACKAGE_ROOT, 'reference-data', 'holidays.csv')),
  STATEMENT_PROFILES_FILE: z.string().default(join(PACKAGE_ROOT, 'reference-data', 'statement-profiles.json')),
  BREAK_HIGH_FROM: amountOrAge.default({ fromMillimes: millimes(1_000_000), fromDays: 10 }),
  BREAK_MEDIUM_FROM: amountOrAge.default({ fromMillimes: millimes(100_000), fromDays: 5 }),
  BREAK_DUE_DAYS: dueDays.default({ high: 2, medium: 5, low: 10 }),
  CLOCK_FILE: z.string().optional(),
  MILLIME_API_KEY: z.string().optional(),
  TRUSTED_PROXIES: addressList.optional(),
  DRAIN_DELAY_MS: drainDelay.default(250),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
});

/** What the environment says, read once at the start and never changed. Rooms receive the parts they need, not this. */
export interface Config {
  readonly production: boolean;
  readonly listen: { readonly host: string; readonly port: number };
  /** Addresses and CIDR ranges of proxies whose X-Forwarded-For we believe; none when empty. */
  readonly trustedProxies: readonly string[];
  /** At least so long after a stop signal new connections are still answered, so that a load balancer can notice. */
  readonly drainDelayMs: number;
  readonly database: DatabaseUrl;
  /** For migrations only; a user with more rights than the one that serves. */
  readonly migrationDatabase: DatabaseUrl;
  readonly serviceTokens: {
    readonly keysFile: string;
    /** One more HS256 key that verifies tokens without `kid` and never signs. */
    readonly secret: string | undefined;
    readonly issuer: string;
    readonly audience: string;
    /** Somebody else who makes tokens for us: his name (`iss`), and where his public keys are. */
    readonly foreign: { readonly issuer: string; readonly jwksUrl: URL } | undefined;
    /** In production a key file that is lost stops the start; elsewhere a new one is made. */
    readonly mayReplaceLostFile: boolean;
  };
  /** Who acts on the command line. */
  readonly apiKey: string | undefined;
  readonly confirmMaxMillimes: number | undefined;
  readonly businessTimeZone: string;
  readonly holidaysFile: string;
  readonly statementProfilesFile: string;
  /** From which amount or age a break is urgent, and in how many working days it is to be settled. */
  readonly breakUrgency: {
    readonly high: { readonly fromMillimes: Millimes; readonly fromDays: number };
    readonly medium: { readonly fromMillimes: Millimes; readonly fromDays: number };
    readonly dueInDays: { readonly high: number; readonly medium: number; readonly low: number };
  };
  readonly clockFile: string | undefined;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Undefined unless all of its variables are set: then taking money is off. */
  readonly gateway: GatewayConfig | undefined;
  /** What is missing of the gateway's variables although some are set; empty when it is all there, or not wanted. */
  readonly gatewayLacks: readonly string[];
  /** Undefined without the private key, which proves webhooks: then none is taken. */
  readonly webhooks: WebhookConfig | undefined;
  /** How customers and the gateway's webhooks reach us. */
  readonly publicUrl: string | undefined;
  readonly successLink: string | undefined;
  readonly failLink: string | undefined;
}

/** The gateway's address, and our application there. */
export interface GatewayConfig {
  readonly baseUrl: string;
  readonly publicKey: string;
  readonly privateKey: string;
  /** For QR codes and wallet sessions; without it these are off. */
  readonly apiKey: string | undefined;
  readonly posFamily: 'api' | 'partners';
  /** The credential moves no money: nothing of it is posted (open point 127). */
  readonly isTest: boolean;
  readonly merchantId: number | undefined;
}

export interface WebhookConfig {
  /** The private keys whose signatures are accepted: the current one, then the one before (open point 100). */
  readonly keys: readonly string[];
  /** The unguessable part of the path of unsigned webhooks. */
  readonly hintToken: string;
}

/**
 * Reads and checks the environment. A variable that is set but empty is an error: it is a template that nobody filled,
 * and the default would serve another database or other keys in silence.
 *
 * @throws AppError `misconfigured`, one line that names each bad variable and never shows its value.
 */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const known = Object.keys(environmentSchema.shape).filter((name) => name !== 'NODE_ENV');
  const empty = known.filter((name) => environment[name] === '');
  if (empty.length > 0) {
    throw new AppError('misconfigured', `${empty.join(', ')}: set but empty; give a value, or do not set it`);
  }
  const result = environmentSchema.safeParse(environment);
  if (!result.success) {
    const faults = result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    throw new AppError('misconfigured', faults.join('; '));
  }
  const values = result.data;
  const production = values.NODE_ENV === 'production';
  if (production && values.CLOCK_FILE !== undefined) {
    throw new AppError('misconfigured', 'CLOCK_FILE is for development and tests; it is refused in production');
  }
  return Object.freeze({
    production,
    listen: { host: values.HOST, port: values.PORT },
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    drainDelayMs: values.DRAIN_DELAY_MS,
    database: values.DATABASE_URL,
    migrationDatabase: values.MIGRATION_DATABASE_URL ?? values.DATABASE_URL,
    serviceTokens: {
      keysFile: values.SERVICE_JWT_KEYS_FILE,
      secret: values.SERVICE_JWT_SECRET,
      issuer: values.SERVICE_JWT_ISSUER,
      audience: values.SERVICE_JWT_AUDIENCE,
      foreign: foreignIssuer(values),
      mayReplaceLostFile: !production,
    },
    apiKey: values.MILLIME_API_KEY,
    confirmMaxMillimes: values.SERVICE_CONFIRM_MAX_MILLIMES,
    businessTimeZone: values.BUSINESS_TIMEZONE,
    holidaysFile: values.HOLIDAYS_FILE,
    statementProfilesFile: values.STATEMENT_PROFILES_FILE,
    breakUrgency: { high: values.BREAK_HIGH_FROM, medium: values.BREAK_MEDIUM_FROM, dueInDays: values.BREAK_DUE_DAYS },
    clockFile: values.CLOCK_FILE,
    logLevel: values.LOG_LEVEL,
    gateway: gatewayOf(values),
    gatewayLacks: gatewayLacks(values),
    webhooks: webhooksOf(values),
    publicUrl: addressWithoutSlash(values.PUBLIC_URL),
    successLink: values.CHECKOUT_SUCCESS_URL?.href,
    failLink: values.CHECKOUT_FAIL_URL?.href,
  });
}

/** Both variables or neither: keys without the name of their owner would let him sign in anybody's name. */
function foreignIssuer(values: {
  SERVICE_JWT_JWKS_URL?: URL | undefined;
  SERVICE_JWT_JWKS_ISSUER?: string | undefined;
  SERVICE_JWT_ISSUER: string;
}): Config['serviceTokens']['foreign'] {
  const { SERVICE_JWT_JWKS_URL: url, SERVICE_JWT_JWKS_ISSUER: issuer } = values;
  if (url === undefined && issuer === undefined) return undefined;
  if (url === undefined || issuer === undefined) {
    throw new AppError('misconfigured', 'SERVICE_JWT_JWKS_URL, SERVICE_JWT_JWKS_ISSUER: set both, or neither');
  }
  if (issuer === values.SERVICE_JWT_ISSUER) {
    throw new AppError(
      'misconfigured',
      'SERVICE_JWT_JWKS_ISSUER must not be SERVICE_JWT_ISSUER, which is our own name',
    );
  }
  return { issuer, jwksUrl: url };
}

type Values = z.output<typeof environmentSchema>;

const GATEWAY_PARTS = ['GATEWAY_BASE_URL', 'GATEWAY_PUBLIC_KEY', 'GATEWAY_PRIVATE_KEY'] as const;

function gatewayLacks(values: Values): string[] {
  const missing = GATEWAY_PARTS.filter((name) => values[name] === undefined);
  return missing.length === GATEWAY_PARTS.length ? [] : missing;
}

function gatewayOf(values: Values): GatewayConfig | undefined {
  const { GATEWAY_BASE_URL: baseUrl, GATEWAY_PUBLIC_KEY: publicKey, GATEWAY_PRIVATE_KEY: privateKey } = values;
  if (baseUrl === undefined || publicKey === undefined || privateKey === undefined) return undefined;
  return {
    baseUrl: addressWithoutSlash(baseUrl) as string,
    publicKey,
    privateKey,
    apiKey: values.GATEWAY_API_KEY,
    posFamily: values.GATEWAY_POS_FAMILY,
    isTest: values.GATEWAY_IS_TEST,
    merchantId: values.GATEWAY_MERCHANT_ID,
  };
}

function webhooksOf(values: Values): WebhookConfig | undefined {
  const { GATEWAY_PRIVATE_KEY: current, GATEWAY_PRIVATE_KEY_PREVIOUS: previous, HINT_TOKEN: hintToken } = values;
  if (current === undefined) return undefined;
  return {
    keys: previous === undefined ? [current] : [current, previous],
    hintToken: hintToken ?? createHmac('sha256', current).update('hint').digest('hex'),
  };
}

function addressWithoutSlash(address: URL | undefined): string | undefined {
  return address?.href.replace(/\/+$/, '');
}
