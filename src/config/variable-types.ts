import { isIP } from 'node:net';
import { z } from 'zod';
import { businessCalendar, millimes } from '../kernel';
import { parseDatabaseUrl, type DatabaseUrl } from './database-url';

// What the text of a variable may be, and what it becomes. Messages go behind the variable's name and never show its
// value.

export const databaseUrl = z.string().transform((text, context): DatabaseUrl => {
  const parsed = parseDatabaseUrl(text);
  if (parsed !== undefined) return parsed;
  context.addIssue({
    code: 'custom',
    message: 'must be sqlite:<file> or mysql://user:password@host:port/database',
  });
  return z.NEVER;
});

export const positiveMillimes = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, 'must be a whole number of millimes above 0')
  .transform(Number)
  .refine(Number.isSafeInteger, 'must be at most 9007199254740991');

export const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number from 0 to 65535')
  .transform(Number)
  .refine((value) => value <= 65_535, 'must be a port number from 0 to 65535');

const DRAIN_DELAY_MAX_MS = 5_000;

export const drainDelay = z
  .string()
  .regex(/^\d{1,4}$/, `must be a number of milliseconds from 0 to ${DRAIN_DELAY_MAX_MS}`)
  .transform(Number)
  .refine((value) => value <= DRAIN_DELAY_MAX_MS, `must be a number of milliseconds from 0 to ${DRAIN_DELAY_MAX_MS}`);

const WORKING_DAYS_MAX = 999;

/** From which amount, or from which age in working days: `1000000,10`. */
export const amountOrAge = z
  .string()
  .regex(
    /^[1-9]\d{0,14},[1-9]\d{0,2}$/,
    `must be millimes and working days (1 to ${WORKING_DAYS_MAX}), such as 1000000,10`,
  )
  .transform((text) => {
    const [fromMillimes = 0, fromDays = 0] = text.split(',').map(Number);
    return { fromMillimes: millimes(fromMillimes), fromDays };
  });

/** Working days for each severity, the highest first: `2,5,10`. */
export const dueDays = z
  .string()
  .regex(/^\d{1,3},\d{1,3},\d{1,3}$/, 'must be three numbers of working days, for high, medium and low, such as 2,5,10')
  .transform((text) => {
    const [high = 0, medium = 0, low = 0] = text.split(',').map(Number);
    return { high, medium, low };
  });

/** An address of somebody else's server, or of our own as others see it: what travels in the clear could be changed. */
export const webAddress = z.string().transform((text, context): URL => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const loopback = url !== null && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  if (
    url !== null &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && loopback)) &&
    url.username + url.password === ''
  ) {
    return url;
  }
  context.addIssue({ code: 'custom', message: 'must be an https address (http only on this machine), without a user' });
  return z.NEVER;
});

export const addressList = z.string().transform((text, context): string[] => {
  const addresses = text.split(',').map((part) => part.trim());
  if (addresses.every(isAddressRange)) return addresses;
  context.addIssue({ code: 'custom', message: 'must be addresses or ranges such as 10.0.0.0/8, separated by commas' });
  return z.NEVER;
});

// Visible ASCII without the colon that joins the pair: the client would refuse anything else.
export const gatewayKey = z
  .string()
  .regex(/^[\x21-\x39\x3b-\x7e]+$/, 'must be visible ASCII characters without a colon, a space or a line break');

export const hintToken = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,200}$/, 'must be 8 to 200 letters, digits, - or _, since it is a part of a path');

export const merchantId = z
  .string()
  .regex(/^(0|[1-9]\d{0,15})$/, 'must be a whole number')
  .transform(Number)
  .refine(Number.isSafeInteger, 'must be at most 9007199254740991');

export const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');

export const timeZone = z.string().refine(isTimeZone, 'must be a time zone such as Africa/Tunis');

function isAddressRange(text: string): boolean {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
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
