import { type Instant, SECOND_MS } from '../../kernel';

// The library loads at its first use, because few commands need it (ADR 23).
const library = () => import('otpauth');

const ALGORITHM = 'SHA1';
const DIGITS = 6;
const PERIOD_SECONDS = 30;
/** Accepts the code of the period before and after, because clocks differ. */
const WINDOW = 1;
const SECRET_BYTES = 20;
const ISSUER = 'Millime';

/** What an authenticator app needs: the secret for typing, and the address that a QR code shows. */
export interface Enrollment {
  readonly secret: string;
  readonly uri: string;
}

/** Returns a new secret of a user for time-based codes (RFC 6238). */
export async function freshEnrollment(userName: string): Promise<Enrollment> {
  const { Secret, TOTP } = await library();
  const secret = new Secret({ size: SECRET_BYTES });
  const totp = new TOTP({ issuer: ISSUER, label: userName, secret, ...parameters });
  return { secret: secret.base32, uri: totp.toString() };
}

const parameters = { algorithm: ALGORITHM, digits: DIGITS, period: PERIOD_SECONDS };

/**
 * Returns the time step of a code if it is correct now and later than the last used step; undefined otherwise. Storing
 * the step makes a code valid once.
 */
export async function stepOfCode(
  code: string,
  { secret, lastStep, now }: { readonly secret: string; readonly lastStep: number | undefined; readonly now: Instant },
): Promise<number | undefined> {
  const token = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const { Secret, TOTP } = await library();
  const totp = new TOTP({ secret: Secret.fromBase32(secret), ...parameters });
  const delta = totp.validate({ token, timestamp: now, window: WINDOW });
  if (delta === null) return undefined;
  const step = Math.floor(now / (PERIOD_SECONDS * SECOND_MS)) + delta;
  return lastStep === undefined || step > lastStep ? step : undefined;
}
