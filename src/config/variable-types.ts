import { isIP } from 'node:net';
import { z } from 'zod';
import { businessCalendar, isLoopbackHost, isMailAddress, millimes } from '../kernel';
import { type DatabaseUrl, parseDatabaseUrl } from './database-url';

// The types of variables: the texts that they accept, and the values that they return. `expected` is the only
// description of a type: errors and docs/CONFIGURATION.md print it.

declare module 'zod' {
  interface GlobalMeta {
    expected?: string;
  }
}

export const text = z.string().meta({ expected: 'text' });

export const file = z.string().meta({ expected: 'the path of a file' });

export const databaseUrl = z
  .string()
  .transform((value, context): DatabaseUrl => parseDatabaseUrl(value) ?? refused(context))
  .meta({
    expected: '`sqlite:<file>` or `mysql://user:password@host:port[,host:port…]/database[?tls=required[&ca=<file>]]`',
  });

export const positiveMillimes = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .refine(Number.isSafeInteger)
  .meta({ expected: 'whole millimes from 1 to 9007199254740991' });

export const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((value) => value <= 65_535)
  .meta({ expected: 'a port number from 0 to 65535' });

export const limit = z
  .string()
  .regex(/^[1-9]\d{0,6}$/)
  .transform(Number)
  .meta({ expected: 'a whole number from 1 to 9999999' });

const BYTES_OF_MIB = 1024 * 1024;

/** How many files, and how many MiB of them together: `20,256`. */
export const filesAndMib = z
  .string()
  .regex(/^[1-9]\d{0,5},[1-9]\d{0,5}$/)
  .transform((value) => {
    const [files = 0, mib = 0] = value.split(',').map(Number);
    return { files, bytes: mib * BYTES_OF_MIB };
  })
  .meta({ expected: 'files and MiB (each from 1 to 999999), such as `20,256`' });

const DRAIN_DELAY_MAX_MS = 5_000;

export const drainDelay = z
  .string()
  .regex(/^\d{1,4}$/)
  .transform(Number)
  .refine((value) => value <= DRAIN_DELAY_MAX_MS)
  .meta({ expected: `milliseconds from 0 to ${DRAIN_DELAY_MAX_MS}` });

/** An amount and an age in working days, of which one suffices: `1000000,10`. */
export const amountOrAge = z
  .string()
  .regex(/^[1-9]\d{0,14},[1-9]\d{0,2}$/)
  .transform((value) => {
    const [fromMillimes = 0, fromDays = 0] = value.split(',').map(Number);
    return { fromMillimes: millimes(fromMillimes), fromDays };
  })
  .meta({ expected: 'millimes and working days (1 to 999), such as `1000000,10`' });

/** Working days for each severity, the highest first: `2,5,10`. */
export const dueDays = z
  .string()
  .regex(/^\d{1,3},\d{1,3},\d{1,3}$/)
  .transform((value) => {
    const [high = 0, medium = 0, low = 0] = value.split(',').map(Number);
    return { high, medium, low };
  })
  .meta({ expected: 'three numbers of working days, for high, medium and low, such as `2,5,10`' });

/**
 * The address of another server, or of this one as others reach it. Plain http is refused, because it could be changed
 * in transit.
 */
export const webAddress = z
  .string()
  .transform((value, context): URL => {
    const url = URL.canParse(value) ? new URL(value) : null;
    const loopback = url !== null && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
    const safe = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback);
    return url !== null && safe && url.username + url.password === '' ? url : refused(context);
  })
  .meta({ expected: 'an https URL without a user (http only for this machine)' });

/** An address to which paths are appended. */
export const baseAddress = webAddress
  .refine(({ search, hash }) => search === '' && hash === '')
  .meta({ expected: 'an https URL without a user, a query or a fragment (http only for this machine)' });

/** A server that accepts e-mail. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** `from_start`: TLS before the first command. `required`: STARTTLS, or no mail. `none`: plain text. */
  readonly tls: 'from_start' | 'required' | 'none';
  readonly user: string | undefined;
  readonly password: string | undefined;
}

const SMTP_PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;

/** Plain text is only the default on this machine; a password never crosses a network in plain text. */
export const smtpServer = z
  .string()
  .transform((value, context): SmtpServer => smtpServerOf(value) ?? refused(context))
  .meta({
    expected: '`smtp://[user:password@]host[:port][?tls=required]`, `smtp://host[:port]?tls=none` or `smtps://…`',
  });

function smtpServerOf(value: string): SmtpServer | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const scheme = url?.protocol;
  if (url === undefined || (scheme !== 'smtp:' && scheme !== 'smtps:')) return undefined;
  const { hostname, search, hash, pathname } = url;
  const isKnown = ['', '?tls=required', ...(scheme === 'smtp:' ? ['?tls=none'] : [])].includes(search);
  if (hostname === '' || hash !== '' || !['', '/'].includes(pathname) || !isKnown) return undefined;
  const isHere = isLoopbackHost(hostname);
  const isPlain = scheme === 'smtp:' && (search === '?tls=none' || (search === '' && isHere));
  const [user, password] = [decoded(url.username), decoded(url.password)];
  if (user === undefined || password === undefined || (user === '') !== (password === '')) return undefined;
  if (isPlain && user !== '' && !isHere) return undefined;
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? SMTP_PORTS[scheme] : Number(url.port),
    tls: scheme === 'smtps:' ? 'from_start' : isPlain ? 'none' : 'required',
    user: user === '' ? undefined : user,
    password: password === '' ? undefined : password,
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

export const mailAddress = z
  .string()
  .refine(isMailAddress)
  .meta({ expected: 'an e-mail address such as `a@b.example`' });

export const addressList = z
  .string()
  .transform((value, context): string[] => {
    const addresses = value.split(',').map((part) => part.trim());
    return addresses.every(isAddressRange) ? addresses : refused(context);
  })
  .meta({ expected: 'addresses or ranges such as `10.0.0.0/8`, separated by commas' });

/** Visible ASCII except the colon that joins the pair: the gateway client would refuse anything else. */
export const gatewayKey = z
  .string()
  .regex(/^[\x21-\x39\x3b-\x7e]+$/)
  .meta({ expected: 'visible ASCII characters without a colon, a space or a line break' });

/** A text that is safe as a part of a path. */
export const hintToken = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,200}$/)
  .meta({ expected: '8 to 200 letters, digits, `-` or `_`' });

const SECRET_BYTES_MIN = 32;

export const sharedSecret = z
  .string()
  .refine((secret) => Buffer.byteLength(secret, 'utf8') >= SECRET_BYTES_MIN)
  .meta({ expected: `at least ${SECRET_BYTES_MIN} bytes` });

export const merchantId = z
  .string()
  .regex(/^(0|[1-9]\d{0,15})$/)
  .transform(Number)
  .refine(Number.isSafeInteger)
  .meta({ expected: 'a whole number from 0 to 9007199254740991' });

export const flag = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .meta({ expected: '`true` or `false`' });

export const oneOf = <const Words extends readonly [string, ...string[]]>(
  words: Words,
): z.ZodEnum<z.core.util.ToEnum<Words[number]>> =>
  z.enum(words).meta({
    expected: words
      .map((word) => `\`${word}\``)
      .join(', ')
      .replace(/, (?=[^,]+$)/, ' or '),
  });

export const timeZone = z.string().refine(isTimeZone).meta({ expected: 'a time zone such as `Africa/Tunis`' });

function refused(context: { addIssue: (issue: { code: 'custom' }) => void }): never {
  context.addIssue({ code: 'custom' });
  return z.NEVER;
}

function isAddressRange(range: string): boolean {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
  const version = isIP(address);
  return version !== 0 && (bits === undefined || (Number(bits) > 0 && Number(bits) <= (version === 4 ? 32 : 128)));
}

function isTimeZone(name: string): boolean {
  try {
    businessCalendar(name);
    return true;
  } catch {
    return false;
  }
}
