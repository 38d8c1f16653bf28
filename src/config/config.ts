import { createHmac } from 'node:crypto';
import type { z } from 'zod';
import { AppError, type Millimes } from '../kernel';
import type { DatabaseUrl } from './database-url';
import { environmentSchema, expectedValue, type LOG_LEVELS, SAVED_PROFILES_FILE } from './settings';
import type { SmtpServer } from './variable-types';

/** The settings, read once at the start and never changed. Modules receive only the parts that they need. */
export interface Config {
  readonly production: boolean;
  readonly listen: { readonly host: string; readonly port: number };
  /** Addresses and CIDR ranges of proxies whose X-Forwarded-For is trusted; empty for none. */
  readonly trustedProxies: readonly string[];
  /** How long new connections are accepted after a stop signal, so that a load balancer can notice the stop. */
  readonly drainDelayMs: number;
  /** The limits of one API key in each process. */
  readonly api: { readonly requestsPerMinute: number; readonly writesPerMinute: number };
  /** The bank files that may wait for their import, of one actor and of all. */
  readonly uploads: { readonly perActor: UploadLimit; readonly total: UploadLimit };
  /** Where this process answers scrapes of its metrics; undefined if it counts none. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  readonly database: DatabaseUrl;
  /** For migrations only; its user has more rights than the one that serves. */
  readonly migrationDatabase: DatabaseUrl;
  readonly serviceTokens: {
    readonly keysFile: string;
    /** An additional HS256 key that verifies tokens without `kid` and never signs. */
    readonly secret: string | undefined;
    readonly issuer: string;
    readonly audience: string;
    /** Another issuer of tokens for this installation: its name (`iss`) and its public keys. */
    readonly foreign: { readonly issuer: string; readonly jwksUrl: URL } | undefined;
    /** False in production: a lost key file then stops the start. Otherwise Millime creates a new one. */
    readonly mayReplaceLostFile: boolean;
  };
  /** The API key of commands. */
  readonly apiKey: string | undefined;
  /** Encrypts the keys of service tokens in a backup. */
  readonly backupPassphrase: string | undefined;
  readonly confirmMaxMillimes: number | undefined;
  readonly businessTimeZone: string;
  readonly holidaysFile: string;
  readonly statementProfiles: {
    readonly profilesFile: string;
    /** Whether the file only adds to the shipped profiles; it may then be missing. */
    readonly besideShipped: boolean;
  };
  /** The amount and the age that make a break urgent, and the working days in which it must be resolved. */
  readonly breakUrgency: {
    readonly high: { readonly fromMillimes: Millimes; readonly fromDays: number };
    readonly medium: { readonly fromMillimes: Millimes; readonly fromDays: number };
    readonly dueInDays: { readonly high: number; readonly medium: number; readonly low: number };
  };
  readonly clockFile: string | undefined;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Undefined unless all of its variables are set; payments are then off. */
  readonly gateway: GatewayConfig | undefined;
  /** The gateway's missing variables if others are set; empty if all or none are set. */
  readonly gatewayLacks: readonly string[];
  /** Undefined without the private key, which verifies webhooks; all webhooks are then refused. */
  readonly webhooks: WebhookConfig | undefined;
  /** The address at which customers and the gateway reach this installation. */
  readonly publicUrl: string | undefined;
  readonly successLink: string | undefined;
  readonly failLink: string | undefined;
  readonly notifications: NotificationConfig;
}

/** How notifications are sent. */
export interface NotificationConfig {
  /** The address of the console, for links; undefined for none. */
  readonly consoleUrl: string | undefined;
  /** Undefined: no e-mail is sent. */
  readonly mail: { readonly server: SmtpServer; readonly from: string } | undefined;
  /** The present secret, then the previous one; empty: no webhook is sent. */
  readonly secrets: readonly string[];
  /** Whether webhooks may be sent to this machine and to private networks. */
  readonly allowsPrivateAddresses: boolean;
}

export interface UploadLimit {
  readonly files: number;
  readonly bytes: number;
}

/** The gateway's address, and the integrator's application there. */
export interface GatewayConfig {
  readonly baseUrl: string;
  readonly publicKey: string;
  readonly privateKey: string;
  /** For QR codes and wallet sessions; without it these are off. */
  readonly apiKey: string | undefined;
  readonly posFamily: 'api' | 'partners';
  /** The credential moves no money, so the ledger posts nothing for it (open point 127). */
  readonly isTest: boolean;
  readonly merchantId: number | undefined;
}

export interface WebhookConfig {
  /** The private keys whose signatures are accepted: the current one, then the previous one (open point 100). */
  readonly keys: readonly string[];
  /** The secret part of the path of unsigned webhooks. */
  readonly hintToken: string;
}

/**
 * Reads and checks the environment. An empty variable is an error: it is a template without a value, and the default
 * could silently select another database or other keys.
 *
 * @throws AppError `misconfigured`, one line that names each bad variable and never shows its value.
 */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const known = Object.keys(environmentSchema.shape).filter((name) => name !== 'NODE_ENV');
  const empty = known.filter((name) => environment[name] === '');
  if (empty.length > 0) {
    throw new AppError('misconfigured', {
      field: empty.join(', '),
      fault: 'expected a value, got none',
      fix: 'set it or remove the variable',
    });
  }
  const result = environmentSchema.safeParse(environment);
  if (!result.success) {
    const names = new Set(result.error.issues.map(({ path }) => String(path[0])));
    // The value is not shown: people may put a secret into any variable.
    const faultOf = (name: string): string => `expected ${expectedValue(name)}, got another value (not shown)`;
    const [field = '', ...others] = names;
    const fault = [faultOf(field), ...others.map((name) => `${name}: ${faultOf(name)}`)].join('; ');
    throw new AppError('misconfigured', { field, fault });
  }
  const values = result.data;
  const production = values.NODE_ENV === 'production';
  if (production && values.CLOCK_FILE !== undefined) {
    const fault = 'expected no value with NODE_ENV=production, got one';
    const fix = 'remove it; it is for development and tests';
    throw new AppError('misconfigured', { field: 'CLOCK_FILE', fault, fix });
  }
  return Object.freeze({
    production,
    listen: { host: values.HOST, port: values.PORT },
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    drainDelayMs: values.DRAIN_DELAY_MS,
    api: apiLimits(values),
    uploads: { perActor: values.API_UPLOADS_PER_ACTOR, total: values.API_UPLOADS_TOTAL },
    metrics: metricsOf(values),
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
    backupPassphrase: values.BACKUP_PASSPHRASE,
    confirmMaxMillimes: values.SERVICE_CONFIRM_MAX_MILLIMES,
    businessTimeZone: values.BUSINESS_TIMEZONE,
    holidaysFile: values.HOLIDAYS_FILE,
    statementProfiles: statementProfilesOf(values),
    breakUrgency: { high: values.BREAK_HIGH_FROM, medium: values.BREAK_MEDIUM_FROM, dueInDays: values.BREAK_DUE_DAYS },
    clockFile: values.CLOCK_FILE,
    logLevel: values.LOG_LEVEL,
    gateway: gatewayOf(values),
    gatewayLacks: gatewayLacks(values),
    webhooks: webhooksOf(values),
    publicUrl: addressWithoutSlash(values.PUBLIC_URL),
    ...{ successLink: values.CHECKOUT_SUCCESS_URL?.href, failLink: values.CHECKOUT_FAIL_URL?.href },
    notifications: notificationsOf(values),
  });
}

function notificationsOf(values: Values): NotificationConfig {
  const { SMTP_URL: server, SMTP_FROM: from, NOTIFICATION_SECRET: secret } = values;
  const { NOTIFICATION_SECRET_PREVIOUS: previous } = values;
  if ((server === undefined) !== (from === undefined)) {
    const fault = 'expected both or neither, got one';
    throw new AppError('misconfigured', { field: 'SMTP_URL, SMTP_FROM', fault });
  }
  if (secret === undefined && previous !== undefined) {
    const fault = 'expected a value, because NOTIFICATION_SECRET_PREVIOUS has one';
    throw new AppError('misconfigured', { field: 'NOTIFICATION_SECRET', fault });
  }
  return {
    consoleUrl: addressWithoutSlash(values.CONSOLE_URL),
    mail: server === undefined || from === undefined ? undefined : { server, from },
    secrets: [secret, previous].filter((each) => each !== undefined),
    allowsPrivateAddresses: values.NOTIFICATION_PRIVATE_ADDRESSES,
  };
}

function apiLimits(values: z.infer<typeof environmentSchema>): Config['api'] {
  return { requestsPerMinute: values.API_REQUESTS_PER_MINUTE, writesPerMinute: values.API_WRITES_PER_MINUTE };
}

/** Requires both variables or neither: keys without their issuer's name could sign tokens in any name. */
function foreignIssuer(values: {
  SERVICE_JWT_JWKS_URL?: URL | undefined;
  SERVICE_JWT_JWKS_ISSUER?: string | undefined;
  SERVICE_JWT_ISSUER: string;
}): Config['serviceTokens']['foreign'] {
  const { SERVICE_JWT_JWKS_URL: url, SERVICE_JWT_JWKS_ISSUER: issuer } = values;
  if (url === undefined && issuer === undefined) return undefined;
  if (url === undefined || issuer === undefined) {
    throw new AppError('misconfigured', {
      field: 'SERVICE_JWT_JWKS_URL, SERVICE_JWT_JWKS_ISSUER',
      fault: 'expected both or neither, got one',
    });
  }
  if (issuer === values.SERVICE_JWT_ISSUER) {
    throw new AppError('misconfigured', {
      field: 'SERVICE_JWT_JWKS_ISSUER',
      fault: 'expected the name of another issuer, got SERVICE_JWT_ISSUER',
    });
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

function metricsOf({ METRICS_HOST: host, METRICS_PORT: port }: Values): Config['metrics'] {
  return port === undefined ? undefined : { host, port };
}

function statementProfilesOf({ STATEMENT_PROFILES_FILE: named }: Values): Config['statementProfiles'] {
  return { profilesFile: named ?? SAVED_PROFILES_FILE, besideShipped: named === undefined };
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
  return address?.href.replace(/(?<!\/)\/+$/, '');
}
