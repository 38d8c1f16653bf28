import { join } from 'node:path';
import { z } from 'zod';
import { PACKAGE_ROOT } from '../kernel';
import {
  addressList,
  amountOrAge,
  baseAddress,
  databaseUrl,
  drainDelay,
  dueDays,
  file,
  filesAndMib,
  flag,
  gatewayKey,
  hintToken,
  limit,
  mailAddress,
  merchantId,
  oneOf,
  port,
  positiveMillimes,
  sharedSecret,
  smtpServer,
  text,
  timeZone,
  webAddress,
} from './variable-types';

export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;

type Group =
  | 'Server'
  | 'Database'
  | 'Gateway'
  | 'Payments'
  | 'Service tokens'
  | 'Business rules'
  | 'Notifications'
  | 'Command line';

declare module 'zod' {
  interface GlobalMeta {
    group?: Group;
    /** The documented default if the variable is not set and the schema has none. */
    unset?: string;
  }
}

/** Where people's profiles are saved, beside the shipped ones, unless STATEMENT_PROFILES_FILE names another file. */
export const SAVED_PROFILES_FILE = './data/statement-profiles.json';

const shipped = (name: string): string => join(PACKAGE_ROOT, 'reference-data', name);

/** Every variable that Millime reads, with its default and its meaning. `npm run docs:config` prints it. */
export const environmentSchema = z.object({
  HOST: text.prefault('127.0.0.1').meta({ group: 'Server', description: 'Address on which Millime listens.' }),
  PORT: port
    .prefault('8080')
    .meta({ group: 'Server', description: 'Port on which Millime listens; 0 takes a free one.' }),
  TRUSTED_PROXIES: addressList.optional().meta({
    group: 'Server',
    description: 'Proxies whose `X-Forwarded-For` Millime believes.',
  }),
  DRAIN_DELAY_MS: drainDelay.prefault('250').meta({
    group: 'Server',
    description:
      'How long Millime accepts new connections after a stop signal, so that a load balancer can see `/readyz` fail.',
  }),
  API_REQUESTS_PER_MINUTE: limit.prefault('600').meta({
    group: 'Server',
    description: 'Requests of one API key in a minute that each process of the HTTP API answers.',
  }),
  API_WRITES_PER_MINUTE: limit.prefault('120').meta({ group: 'Server', description: 'Those of them that may write.' }),
  API_UPLOADS_PER_ACTOR: filesAndMib.prefault('20,256').meta({
    group: 'Server',
    description:
      'Bank files, and MiB of them, that one actor may have uploaded and not removed. They expire after 24 hours.',
  }),
  API_UPLOADS_TOTAL: filesAndMib
    .prefault('200,1024')
    .meta({ group: 'Server', description: 'Those of all actors together.' }),
  METRICS_HOST: text.prefault('127.0.0.1').meta({
    group: 'Server',
    description: 'Address on which `GET /metrics` is answered, without a key.',
  }),
  METRICS_PORT: port.optional().meta({
    group: 'Server',
    unset: 'no metrics',
    description: 'Port of `GET /metrics`, which needs a port of its own in each process; 0 takes a free one.',
  }),
  LOG_LEVEL: oneOf(LOG_LEVELS)
    .prefault('info')
    .meta({ group: 'Server', description: 'Least severe level that is logged.' }),
  NODE_ENV: text.optional().meta({
    group: 'Server',
    description: '`production` refuses `CLOCK_FILE`, and refuses to replace a lost file of token keys.',
  }),

  DATABASE_URL: databaseUrl.prefault('sqlite:./data/millime.sqlite3').meta({
    group: 'Database',
    description:
      'Where the data is stored. Percent-encode `@`, `:` and `/` in a password. Several hosts are the members of one cluster, in order of preference: Millime connects to the first that accepts writes. `tls=required` verifies the certificate and the host name, with the CA certificates of `ca` (a PEM file) or those of Node.',
  }),
  MIGRATION_DATABASE_URL: databaseUrl.optional().meta({
    group: 'Database',
    unset: '`DATABASE_URL`',
    description: 'A user with more rights, for `millime migrate`.',
  }),

  GATEWAY_BASE_URL: webAddress.optional().meta({
    group: 'Gateway',
    description:
      'Address of the gateway. Set it together with both keys; if one of the three is missing, payments are off.',
  }),
  GATEWAY_PUBLIC_KEY: gatewayKey.optional().meta({ group: 'Gateway', description: 'Public key of your application.' }),
  GATEWAY_PRIVATE_KEY: gatewayKey.optional().meta({
    group: 'Gateway',
    description: 'Private key of your application. It also verifies webhooks.',
  }),
  GATEWAY_PRIVATE_KEY_PREVIOUS: gatewayKey.optional().meta({
    group: 'Gateway',
    description: 'The private key before the last rotation, still accepted for webhook signatures.',
  }),
  GATEWAY_API_KEY: gatewayKey.optional().meta({
    group: 'Gateway',
    description: 'Special key for QR codes and wallet sessions; if unset, both are off.',
  }),
  GATEWAY_POS_FAMILY: oneOf(['api', 'partners']).prefault('api').meta({
    group: 'Gateway',
    description: 'Which of the two path families of terminals the gateway gave you.',
  }),
  GATEWAY_IS_TEST: flag.prefault('false').meta({
    group: 'Gateway',
    description: '`true`: the application moves no money, and Millime posts nothing of it to the ledger.',
  }),
  GATEWAY_MERCHANT_ID: merchantId.optional().meta({
    group: 'Gateway',
    description: 'Merchant for which QR codes are created and whose purchases are read daily.',
  }),

  PUBLIC_URL: baseAddress.optional().meta({
    group: 'Payments',
    description:
      'Address of this installation as the gateway sees it. If unset, Millime requests no webhooks and polls instead.',
  }),
  HINT_TOKEN: hintToken.optional().meta({
    group: 'Payments',
    unset: 'derived from the private key',
    description: 'Unguessable part of the path of unsigned webhooks. Set it before you rotate the private key.',
  }),
  CHECKOUT_SUCCESS_URL: webAddress.optional().meta({
    group: 'Payments',
    description: 'Page that a customer sees after paying, unless the payment names its own.',
  }),
  CHECKOUT_FAIL_URL: webAddress.optional().meta({
    group: 'Payments',
    description: 'Page that a customer sees after a failed payment, unless the payment names its own.',
  }),

  SERVICE_JWT_KEYS_FILE: file.prefault('./data/service-jwt-keys.json').meta({
    group: 'Service tokens',
    description:
      'Keys of the tokens that the gateway presents, mode 0600. Created at the first start if no other key source is set.',
  }),
  SERVICE_JWT_SECRET: sharedSecret.optional().meta({
    group: 'Service tokens',
    description: 'One more HS256 key, which verifies tokens without `kid` and never signs.',
  }),
  SERVICE_JWT_ISSUER: text.prefault('millime').meta({ group: 'Service tokens', description: 'Required claim `iss`.' }),
  SERVICE_JWT_AUDIENCE: text.prefault('service-settlement').meta({
    group: 'Service tokens',
    description: 'Required claim `aud`.',
  }),
  SERVICE_JWT_JWKS_URL: webAddress.optional().meta({
    group: 'Service tokens',
    description: 'Public keys of a foreign issuer. Set it together with `SERVICE_JWT_JWKS_ISSUER`.',
  }),
  SERVICE_JWT_JWKS_ISSUER: text.optional().meta({
    group: 'Service tokens',
    description: 'Claim `iss` of the foreign issuer; it must differ from `SERVICE_JWT_ISSUER`.',
  }),
  SERVICE_CONFIRM_MAX_MILLIMES: positiveMillimes.optional().meta({
    group: 'Service tokens',
    unset: 'no limit',
    description: 'Largest amount of one confirm; a larger one is answered `2`.',
  }),

  BUSINESS_TIMEZONE: timeZone.prefault('Africa/Tunis').meta({
    group: 'Business rules',
    description: 'Time zone of business dates.',
  }),
  HOLIDAYS_FILE: file.prefault(shipped('holidays.csv')).meta({
    group: 'Business rules',
    description: 'Public holidays, which are no working days: CSV with the columns `date` and `name`.',
  }),
  STATEMENT_PROFILES_FILE: file.optional().meta({
    group: 'Business rules',
    unset: `\`${SAVED_PROFILES_FILE}\` beside the shipped \`statement-profiles.json\``,
    description:
      'How each bank writes its CSV files, and which credits may be payouts. `statements import --save-profile` adds to it.',
  }),
  BREAK_HIGH_FROM: amountOrAge.prefault('1000000,10').meta({
    group: 'Business rules',
    description: 'Amount or age from which the severity of a break is high.',
  }),
  BREAK_MEDIUM_FROM: amountOrAge.prefault('100000,5').meta({
    group: 'Business rules',
    description: 'Amount or age from which the severity of a break is medium.',
  }),
  BREAK_DUE_DAYS: dueDays.prefault('2,5,10').meta({
    group: 'Business rules',
    description: 'Working days in which a high, a medium and a low break must be resolved.',
  }),

  CONSOLE_URL: baseAddress.optional().meta({
    group: 'Notifications',
    unset: 'no links',
    description: 'Address of the console as people reach it, such as `https://millime.example/console`, for links.',
  }),
  SMTP_URL: smtpServer.optional().meta({
    group: 'Notifications',
    unset: 'no e-mail',
    description:
      'Server that sends e-mail. Set it together with `SMTP_FROM`. `smtps:` begins with TLS; `smtp:` changes to TLS, or fails, unless the server is this machine or `tls=none` permits plain text. Percent-encode `@`, `:` and `/` in a password.',
  }),
  SMTP_FROM: mailAddress.optional().meta({ group: 'Notifications', description: 'Address from which e-mail is sent.' }),
  NOTIFICATION_SECRET: sharedSecret.optional().meta({
    group: 'Notifications',
    unset: 'no webhooks',
    description: 'Secret from which the signing secrets of webhooks to other systems are derived.',
  }),
  NOTIFICATION_SECRET_PREVIOUS: sharedSecret.optional().meta({
    group: 'Notifications',
    description: 'The secret before the last change; webhooks are signed with both.',
  }),
  NOTIFICATION_PRIVATE_ADDRESSES: flag.prefault('false').meta({
    group: 'Notifications',
    description: '`true`: webhooks may be sent to addresses of this machine and of private networks.',
  }),

  MILLIME_API_KEY: text.optional().meta({
    group: 'Command line',
    description: 'API key with which the command line acts. Decisions require it as soon as an active key exists.',
  }),
  BACKUP_PASSPHRASE: text.optional().meta({
    group: 'Command line',
    description: 'Passphrase that encrypts the keys of service tokens in `millime backup`; at least 12 characters.',
  }),
  CLOCK_FILE: file.optional().meta({
    group: 'Command line',
    description: 'For development and tests only: a file with the ISO instant that the business clock reads.',
  }),
});

export interface Setting {
  readonly name: string;
  readonly group: Group;
  readonly expected: string;
  /** The documented default. */
  readonly byDefault: { readonly value: string } | { readonly words: string };
  readonly description: string;
}

/** Returns the documentation of each variable, in the order of the schema. */
export function listSettings(): Setting[] {
  return Object.entries(environmentSchema.shape).map(([name, schema]) => {
    const { group, description, unset = 'none' } = schema.meta() ?? {};
    if (group === undefined || description === undefined) throw new Error(`${name} has no group or no description`);
    return {
      name,
      group,
      expected: expectedOf(schema),
      byDefault: schema instanceof z.ZodPrefault ? { value: schema.def.defaultValue } : { words: unset },
      description,
    };
  });
}

/** Returns the expected value of a variable, as its error states it: `PORT: expected …`. */
export function expectedValue(name: string): string {
  const schema = Object.entries(environmentSchema.shape).find(([known]) => known === name)?.[1];
  return schema === undefined ? 'another value' : expectedOf(schema).replaceAll('`', '');
}

function expectedOf(schema: z.ZodPrefault | z.ZodOptional): string {
  return z.globalRegistry.get(schema.unwrap())?.expected ?? 'text';
}
